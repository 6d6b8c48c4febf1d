// Normalisation of channels: statistics, merged over blocks in a fixed order, and the coefficients.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/aligned_buffer.hpp"

namespace greybox {

enum class Norm { none, batch, instance };

// Two sums per channel over pixels, in double.
struct ChannelSums {
  explicit ChannelSums(std::size_t n_channels) : first(n_channels), second(n_channels) {}
  void clear();
  void add(const ChannelSums& other);

  // As numbers in a row.
  std::size_t n_numbers() const { return 1 + 2 * first.size(); }
  void write(double* numbers) const;
  void read(const double* numbers);

  double count = 0;  // of pixels
  std::vector<double> first, second;
};

// Mean and sum of squared deviations per channel.
class ChannelMoments {
 public:
  explicit ChannelMoments(std::size_t n_channels) : mean_(n_channels), deviations_(n_channels) {}
  void clear();

  // Takes in more pixels, given Σ (z - pivot) and Σ (z - pivot)²: a pivot near the mean keeps the squares
  // from cancelling.
  template <class T>
  void add(const ChannelSums& sums, const T* pivot);

  // Mean and 1/√(variance + ε) of the first channels, with PyTorch's ε and its biased variance.
  template <class T>
  void finish(std::span<T> mean, std::span<T> inverse_deviation) const;

 private:
  double count_ = 0;
  std::vector<double> mean_, deviations_;
};

// The coefficients of one layer's normalisation n = scale·(z - mean) + shift and of its adjoint
// dz = scale·dn + tilt·(z - mean) + offset. Without normalisation dz is dn alone: statistics count as
// constants.
template <class T>
struct NormCoefficients {
  explicit NormCoefficients(std::size_t n_channels)
      : scale(n_channels), tilt(n_channels), offset(n_channels) {}
  void set_scale(const T* weight, const T* inverse_deviation);
  // From Σ dn and Σ dn·(z - mean) over all pixels that shared the statistics; after set_scale.
  void set_adjoint(const ChannelSums& sums, const T* inverse_deviation);

  AlignedBuffer<T> scale, tilt, offset;
};

extern template void ChannelMoments::add(const ChannelSums&, const float*);
extern template void ChannelMoments::add(const ChannelSums&, const double*);
extern template void ChannelMoments::finish(std::span<float>, std::span<float>) const;
extern template void ChannelMoments::finish(std::span<double>, std::span<double>) const;
extern template struct NormCoefficients<float>;
extern template struct NormCoefficients<double>;

}  // namespace greybox
