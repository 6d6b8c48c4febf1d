// Fields to pixels and back, on every SIMD target.
#include "nn/field_rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "support/simd_targets.hpp"

namespace greybox {
namespace {

template <class T>
class FieldRowsTest : public testing::Test {
 protected:
  using Fields = std::vector<std::vector<T>>;

  static Fields numbered(const PixelRows& rows) {
    Fields fields(rows.n_fields, std::vector<T>(rows.offset + rows.n_rows * rows.width));
    T next = 1;
    for (auto& field : fields)
      for (T& value : field) value = next++;
    return fields;
  }
  static std::vector<T*> pointers(Fields& fields) {
    std::vector<T*> to;
    for (auto& field : fields) to.push_back(field.data());
    return to;
  }
  static std::vector<const T*> pointers(const Fields& fields) {
    std::vector<const T*> to;
    for (const auto& field : fields) to.push_back(field.data());
    return to;
  }
  // Calls check(c, index among the pixels, index in the field) for every value.
  template <class Check>
  static void for_values(const PixelRows& rows, Check check) {
    for (std::size_t c = 0; c < rows.n_fields; ++c)
      for (std::size_t y = 0; y < rows.n_rows; ++y)
        for (std::size_t x = 0; x < rows.width; ++x)
          check(c, y * rows.pitch + x * rows.stride + c, rows.offset + y * rows.width + x);
  }
  template <class Check>
  static void for_shapes(Check check) {
    test::on_every_target([&] {
      for (const std::size_t n_fields : {1, 2, 3})
        for (const std::size_t gap : {0, 1})
          for (const std::size_t width : {1, 15, 32, 37}) {
            const std::size_t stride = n_fields + gap;
            check(PixelRows{.n_rows = 3,
                            .width = width,
                            .stride = stride,
                            .pitch = (width + 2) * stride,
                            .n_fields = n_fields,
                            .offset = 5});
          }
    });
  }
};

using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(FieldRowsTest, Types);

TYPED_TEST(FieldRowsTest, InterleaveAndSeparateAreInverse) {
  using T = TypeParam;
  this->for_shapes([&](const PixelRows& rows) {
    const auto fields = this->numbered(rows);
    std::vector<T> pixels(rows.n_rows * rows.pitch, T(-1));
    field_row_kernels<T>().interleave(rows, this->pointers(fields).data(), pixels.data());
    std::size_t n_written = 0;
    for (T value : pixels) n_written += value != T(-1);
    EXPECT_EQ(n_written, rows.n_fields * rows.n_rows * rows.width);
    auto back = fields;
    for (auto& field : back)
      std::fill(field.begin() + static_cast<std::ptrdiff_t>(rows.offset), field.end(), T(0));
    field_row_kernels<T>().separate(rows, pixels.data(), this->pointers(back).data());
    EXPECT_EQ(back, fields);
    this->for_values(rows, [&](std::size_t c, std::size_t pixel, std::size_t value) {
      ASSERT_EQ(pixels[pixel], fields[c][value]);
    });
  });
}

TYPED_TEST(FieldRowsTest, AddsToTheFieldsThatAreThere) {
  using T = TypeParam;
  this->for_shapes([&](const PixelRows& rows) {
    const auto fields = this->numbered(rows);
    for (std::size_t missing = 0; missing <= rows.n_fields; ++missing) {
      std::vector<T> pixels(rows.n_rows * rows.pitch);
      std::iota(pixels.begin(), pixels.end(), T(100));
      auto sums = fields;
      std::vector<T*> to = this->pointers(sums);
      if (missing < rows.n_fields) to[missing] = nullptr;
      field_row_kernels<T>().add_separated(rows, pixels.data(), to.data());
      this->for_values(rows, [&](std::size_t c, std::size_t pixel, std::size_t value) {
        ASSERT_EQ(sums[c][value], fields[c][value] + (c == missing ? T(0) : pixels[pixel]));
      });
    }
  });
}

TYPED_TEST(FieldRowsTest, SumsInDouble) {
  using T = TypeParam;
  test::on_every_target([] {
    for (const std::size_t n : {0, 1, 15, 16, 1000}) {
      const std::vector<T> values(n, T(0.1));
      const double expected = static_cast<double>(T(0.1)) * static_cast<double>(n);
      EXPECT_NEAR(field_row_kernels<T>().sum(n, values.data()), expected, 1e-13 * expected);
    }
  });
}

}  // namespace
}  // namespace greybox
