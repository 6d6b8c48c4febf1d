#include "analysis/posterior/autocovariances.hpp"

#include <algorithm>
#include <bit>
#include <complex>
#include <numeric>
#include <unsupported/Eigen/FFT>

namespace greybox {

std::vector<double> autocovariances(std::span<const double> chain) {
  const auto n = static_cast<double>(chain.size());
  const double mean = std::accumulate(chain.begin(), chain.end(), 0.0) / n;
  // With as many zeros behind, the end does not meet the beginning.
  std::vector<double> padded(std::bit_ceil(2 * chain.size()));
  std::ranges::transform(chain, padded.begin(), [&](double value) { return value - mean; });
  Eigen::FFT<double> transform;
  std::vector<std::complex<double>> spectrum;
  transform.fwd(spectrum, padded);
  for (std::complex<double>& value : spectrum) value = std::norm(value);
  std::vector<double> all;
  transform.inv(all, spectrum);
  all.resize(chain.size());
  for (double& value : all) value /= n;
  return all;
}

}  // namespace greybox
