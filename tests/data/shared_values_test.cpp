// Numbers that copies share, until one of them is changed.
#include "data/shared_values.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace greybox {
namespace {

using Numbers = std::vector<double>;

TEST(SharedValues, AreSharedByCopiesUntilOneIsChanged) {
  SharedValues<double> first = Numbers{1, 2, 3};
  const SharedValues<double> second = first;
  EXPECT_EQ(first.begin(), second.begin());  // the same memory
  first.change([](Numbers& values) { values[1] = 7; });
  EXPECT_EQ(first, (Numbers{1, 7, 3}));
  EXPECT_EQ(second, (Numbers{1, 2, 3}));
}

TEST(SharedValues, ChangeInPlaceWhenNobodyElseHasThem) {
  SharedValues<double> values = Numbers{1, 2, 3};
  const auto before = values.begin();
  values.change([](Numbers& own) { own.pop_back(); });
  EXPECT_EQ(values.begin(), before);
  EXPECT_EQ(values.size(), 2u);
}

TEST(SharedValues, AreGivenInOrder) {
  Numbers numbers((std::size_t{1} << 20U) + 3);  // more than are gone through at once
  std::iota(numbers.begin(), numbers.end(), 0.0);
  const SharedValues<double> values = numbers;
  Numbers seen;
  values.for_each([&](double value) { seen.push_back(value); });
  EXPECT_EQ(seen, numbers);
  seen.clear();
  values.for_each(5, 2, [&](double value) { seen.push_back(value); });
  EXPECT_EQ(seen, (Numbers{5, 6}));
}

}  // namespace
}  // namespace greybox
