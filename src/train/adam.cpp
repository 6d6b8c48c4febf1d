#include "train/adam.hpp"

#include <algorithm>
#include <cmath>

#include "train/adam_kernels.hpp"

namespace greybox {
namespace {

// Guards the division by a norm of zero, as PyTorch does.
constexpr double kNormGuard = 1e-6;

}  // namespace

template <class T>
std::optional<T> clip(const AdamOptions& options, AlignedBuffer<T>& gradient) {
  const double norm = std::sqrt(static_cast<double>(
      clip_by_value(gradient.data(), padded<T>(gradient.size()), static_cast<T>(options.clip_value))));
  if (!std::isfinite(norm)) return std::nullopt;
  return static_cast<T>(std::min(1.0, options.clip_norm / (norm + kNormGuard)));
}

template <class T>
bool adam_step(const AdamOptions& options, double rate, std::uint64_t n_updates,
               const AdamVectors<T>& vectors) {
  const std::size_t n = padded<T>(vectors.parameters->size());
  const std::optional<T> scale = clip(options, *vectors.gradient);
  if (!scale) return false;

  const auto t = static_cast<double>(n_updates + 1);
  AdamFactors<T> factors{
      .gradient_scale = *scale,
      .keep = static_cast<T>(1 - rate * options.weight_decay),
      .step = static_cast<T>(rate / (1 - std::pow(kBeta1, t))),
      .second_root = static_cast<T>(1 / std::sqrt(1 - std::pow(kBeta2, t))),
  };
  const auto pass = [&](std::size_t begin, std::size_t end) {
    return AdamPass<T>{vectors.parameters->data() + begin, vectors.gradient->data() + begin,
                       vectors.first_moments->data() + begin, vectors.second_moments->data() + begin,
                       end - begin};
  };
  update_parameters(pass(0, vectors.n_decayed), factors);
  factors.keep = 1;
  update_parameters(pass(vectors.n_decayed, n), factors);
  return true;
}

template std::optional<float> clip(const AdamOptions&, AlignedBuffer<float>&);
template std::optional<double> clip(const AdamOptions&, AlignedBuffer<double>&);
template bool adam_step(const AdamOptions&, double, std::uint64_t, const AdamVectors<float>&);
template bool adam_step(const AdamOptions&, double, std::uint64_t, const AdamVectors<double>&);

}  // namespace greybox
