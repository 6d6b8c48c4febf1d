#include "nn/sample_rows.hpp"

#include <gtest/gtest.h>

namespace greybox {
namespace {

template <class T>
class SampleRows : public testing::Test {};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(SampleRows, Types);

// Around the sides of squares, in samples and in features; the components in reverse order.
TYPED_TEST(SampleRows, GatherPutsEveryValueInItsPlaceAndNoOther) {
  using T = TypeParam;
  for (const std::size_t n_samples : {1, 3, 4, 5, 10})
    for (const std::size_t n_features : {1, 2, 3, 4, 5, 9}) {
      std::vector<std::vector<T>> components(n_features, std::vector<T>(n_samples));
      std::vector<const T*> pointers;
      std::vector<std::size_t> which;
      for (std::size_t k = 0; k < n_features; ++k) {
        for (std::size_t s = 0; s < n_samples; ++s) components[k][s] = static_cast<T>(100 * k + s);
        pointers.push_back(components[k].data());
        which.push_back(n_features - 1 - k);
      }
      const std::size_t stride = n_features + 1;
      std::vector<T> rows(n_samples * stride, T{-1});
      gather(n_samples, which, pointers.data(), rows.data(), stride);
      for (std::size_t s = 0; s < n_samples; ++s) {
        for (std::size_t k = 0; k < n_features; ++k)
          EXPECT_EQ(rows[s * stride + k], static_cast<T>(100 * which[k] + s));
        EXPECT_EQ(rows[s * stride + n_features], T{-1});
      }
    }
}

}  // namespace
}  // namespace greybox
