#include "nn/transpose.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace greybox {
namespace {

template <class T>
class Transpose : public testing::Test {};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(Transpose, Types);

// Around the sides of the squares; rows of both matrices have room to spare, which must stay as it is.
TYPED_TEST(Transpose, MovesOrAddsEveryElementAndNoOther) {
  using T = TypeParam;
  for (const std::size_t rows : {1, 3, 4, 5, 9})
    for (const std::size_t columns : {1, 2, 4, 7, 8}) {
      const std::size_t from_row = columns + 2, to_row = rows + 1;
      std::vector<T> from(rows * from_row), moved(columns * to_row, T{-1}), added(moved.size(), T{-1});
      for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<T>(i);
      transpose<T>(rows, columns, {from.data(), from_row}, {moved.data(), to_row});
      add_transposed<T>(rows, columns, {from.data(), from_row}, {added.data(), to_row});
      for (std::size_t c = 0; c < columns; ++c)
        for (std::size_t r = 0; r < to_row; ++r) {
          const bool is_inside = r < rows;
          const T value = is_inside ? from[r * from_row + c] : T{0};
          EXPECT_EQ(moved[c * to_row + r], is_inside ? value : T{-1});
          EXPECT_EQ(added[c * to_row + r], value - 1);
        }
    }
}

}  // namespace
}  // namespace greybox
