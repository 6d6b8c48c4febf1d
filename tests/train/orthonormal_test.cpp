#include "train/orthonormal.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace greybox {
namespace {

double largest_fault(const std::vector<float>& vectors, std::size_t n) {
  double largest = 0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = i == j ? -1 : 0;
      for (std::size_t k = 0; k < n; ++k)
        sum += static_cast<double>(vectors[i * n + k]) * static_cast<double>(vectors[j * n + k]);
      largest = std::fmax(largest, std::abs(sum));
    }
  return largest;
}

TEST(Orthonormalizer, SeparatesVectorsThatAreAlmostOne) {
  for (const std::size_t n : {1U, 2U, 7U, 32U, 33U, 64U, 130U}) {
    std::vector<float> vectors(n * n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < n; ++k)
        vectors[i * n + k] = static_cast<float>(std::sin(1.0 + static_cast<double>(k)) + (i == k ? 1e-4 : 0));
    Orthonormalizer<float>().run(vectors.data(), n);
    EXPECT_LT(largest_fault(vectors, n), 2e-6) << n;
  }
}

TEST(Orthonormalizer, KeepsTheFirstDirectionAndTinyVectors) {
  std::vector<float> vectors = {3e-28F, 4e-28F, 0, 1e-30F};
  Orthonormalizer<float>().run(vectors.data(), 2);
  EXPECT_NEAR(vectors[0], 0.6F, 1e-6F);
  EXPECT_NEAR(vectors[1], 0.8F, 1e-6F);
  EXPECT_LT(largest_fault(vectors, 2), 1e-6);
}

TEST(Orthonormalizer, MakesUpForWhatIsMissing) {
  for (const std::size_t n : {1U, 5U, 40U, 70U}) {
    std::vector<float> nothing(n * n), of_two_kinds(n * n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < n; ++k)
        of_two_kinds[i * n + k] = std::sin(0.7F * static_cast<float>(k) + static_cast<float>(i % 2));
    Orthonormalizer<float> orthonormalizer;
    orthonormalizer.run(nothing.data(), n);
    EXPECT_LT(largest_fault(nothing, n), 2e-6) << n;
    orthonormalizer.run(of_two_kinds.data(), n);
    EXPECT_LT(largest_fault(of_two_kinds, n), 2e-6) << n;
  }
}

}  // namespace
}  // namespace greybox
