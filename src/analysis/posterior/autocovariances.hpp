// The autocovariances of a chain at all lags at once.
#pragma once

#include <span>
#include <vector>

namespace greybox {

// Σ (x_i - mean) (x_{i + lag} - mean) / n at every lag from 0 to n - 1, by way of the spectrum.
std::vector<double> autocovariances(std::span<const double> chain);

}  // namespace greybox
