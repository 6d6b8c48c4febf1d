#include "analysis/landscape/minima.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace greybox::test {
namespace {

using Places = std::vector<std::size_t>;

Places minima(const std::vector<double>& values, const Places& shape, double min_depth) {
  return find_minima(values, shape, min_depth);
}

TEST(Minima, OfALineAreFoundLowestFirst) {
  EXPECT_EQ(minima({5, 2, 4, 1, 6}, {5}, 1), (Places{3, 1}));
}

TEST(Minima, ThatAreTooShallowAreLeftOut) {
  EXPECT_EQ(minima({5, 2, 4, 1, 6}, {5}, 2), (Places{3, 1}));
  EXPECT_EQ(minima({5, 2, 4, 1, 6}, {5}, 2.01), (Places{3}));
}

TEST(Minima, AtTheEndsCount) {
  EXPECT_EQ(minima({0, 3, 1}, {3}, 1), (Places{0, 2}));
}

// A valley that runs diagonally is one minimum: its points touch at their corners.
TEST(Minima, OfAPlaneSeeDiagonalNeighbours) {
  EXPECT_EQ(minima({0, 9, 9,    //
                    9, 0.5, 9,  //
                    9, 9, 0.2},
                   {3, 3}, 0.4),
            (Places{0}));
}

TEST(Minima, OfAPlaneAreToldApartByTheirRidge) {
  const std::vector<double> values = {1, 5, 2,  //
                                      6, 4, 6,  //
                                      6, 6, 6};
  EXPECT_EQ(minima(values, {3, 3}, 2), (Places{0, 2}));  // the pass at 4 is 2 above the higher one
  EXPECT_EQ(minima(values, {3, 3}, 2.1), (Places{0}));
}

TEST(Minima, AreNotWhereThereIsNoNumber) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(minima({nan, 2, 3, nan}, {4}, 0.5), (Places{1}));
  EXPECT_EQ(minima({nan, nan}, {2}, 0.5), Places{});
}

TEST(Minima, OfAConstantIsOne) {
  EXPECT_EQ(minima({3, 3, 3, 3}, {2, 2}, 1), (Places{0}));
}

}  // namespace
}  // namespace greybox::test
