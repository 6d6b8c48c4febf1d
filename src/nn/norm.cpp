// Statistics of channels and the coefficients of batch and instance normalisation.
#include "nn/norm.hpp"

#include <algorithm>
#include <cmath>

namespace greybox {
namespace {

constexpr double kEpsilon = 1e-5;  // PyTorch's default

}  // namespace

void ChannelSums::clear() {
  count = 0;
  std::fill(first.begin(), first.end(), 0.0);
  std::fill(second.begin(), second.end(), 0.0);
}

void ChannelSums::add(const ChannelSums& other) {
  count += other.count;
  for (std::size_t c = 0; c < other.first.size(); ++c) {
    first[c] += other.first[c];
    second[c] += other.second[c];
  }
}

void ChannelSums::write(double* numbers) const {
  numbers[0] = count;
  std::ranges::copy(first, numbers + 1);
  std::ranges::copy(second, numbers + 1 + first.size());
}

void ChannelSums::read(const double* numbers) {
  count = numbers[0];
  std::copy_n(numbers + 1, first.size(), first.begin());
  std::copy_n(numbers + 1 + first.size(), second.size(), second.begin());
}

void ChannelMoments::clear() {
  count_ = 0;
  std::fill(mean_.begin(), mean_.end(), 0.0);
  std::fill(deviations_.begin(), deviations_.end(), 0.0);
}

// Chan, Golub, LeVeque: merging two sets of pixels without cancellation.
template <class T>
void ChannelMoments::add(const ChannelSums& sums, const T* pivot) {
  if (sums.count == 0) return;
  const double total = count_ + sums.count;
  for (std::size_t c = 0; c < mean_.size(); ++c) {
    const double shift = sums.first[c] / sums.count;
    // The order of the arguments lets NaN through.
    const double deviations = std::max(sums.second[c] - sums.first[c] * shift, 0.0);
    const double distance = static_cast<double>(pivot[c]) + shift - mean_[c];
    mean_[c] += distance * sums.count / total;
    deviations_[c] += deviations + distance * distance * count_ * sums.count / total;
  }
  count_ = total;
}

template <class T>
void ChannelMoments::finish(std::span<T> mean, std::span<T> inverse_deviation) const {
  for (std::size_t c = 0; c < mean.size(); ++c) {
    mean[c] = static_cast<T>(mean_[c]);
    inverse_deviation[c] = static_cast<T>(1 / std::sqrt(deviations_[c] / count_ + kEpsilon));
  }
}

template <class T>
void NormCoefficients<T>::set_scale(const T* weight, const T* inverse_deviation) {
  for (std::size_t c = 0; c < scale.size(); ++c) scale[c] = weight[c] * inverse_deviation[c];
}

// With n pixels, r = 1/√(variance + ε) and ẑ = r·(z - mean): dz = scale·(dn - Σdn/n - ẑ·Σ(dn·ẑ)/n).
template <class T>
void NormCoefficients<T>::set_adjoint(const ChannelSums& sums, const T* inverse_deviation) {
  for (std::size_t c = 0; c < scale.size(); ++c) {
    const double r = static_cast<double>(inverse_deviation[c]),
                 gain = static_cast<double>(scale[c]) / sums.count;
    offset[c] = static_cast<T>(-gain * sums.first[c]);
    tilt[c] = static_cast<T>(-gain * r * r * sums.second[c]);
  }
}

template void ChannelMoments::add(const ChannelSums&, const float*);
template void ChannelMoments::add(const ChannelSums&, const double*);
template void ChannelMoments::finish(std::span<float>, std::span<float>) const;
template void ChannelMoments::finish(std::span<double>, std::span<double>) const;
template struct NormCoefficients<float>;
template struct NormCoefficients<double>;

}  // namespace greybox
