// Sums per sample, in double whatever the type of the model; chosen for the processor at run time.
#pragma once

#include <cstddef>

namespace greybox {

// Arrays of the first two are padded: they work on whole vectors.

// sums[i] += weight[i] · value[i], where the weight is not 0: elsewhere the value may be anything.
void add_weighted(std::size_t n, const float* weight, const float* value, double* sums);
void add_weighted(std::size_t n, const double* weight, const double* value, double* sums);

// sums[i] += weight · (a[i] - b[i])²
void add_squared_differences(std::size_t n, const float* a, const float* b, double weight, double* sums);
void add_squared_differences(std::size_t n, const double* a, const double* b, double weight, double* sums);

// Σ_i (a[i] - b[i])²
double sum_of_squared_differences(std::size_t n, const float* a, const float* b);
double sum_of_squared_differences(std::size_t n, const double* a, const double* b);

}  // namespace greybox
