#include "train/averaging.hpp"

namespace greybox {
namespace {

constexpr double kPower = 15;

}  // namespace

template <class T>
void take_into_average(const AlignedBuffer<T>& parameters, std::uint64_t n_updates,
                       AlignedBuffer<T>& average) {
  const T weight = static_cast<T>((kPower + 1) / (static_cast<double>(n_updates) + kPower));
  const T* from = parameters.data();
  T* to = average.data();
  const std::size_t n = average.size();
  for (std::size_t i = 0; i < n; ++i) to[i] += weight * (from[i] - to[i]);
}

template void take_into_average(const AlignedBuffer<float>&, std::uint64_t, AlignedBuffer<float>&);
template void take_into_average(const AlignedBuffer<double>&, std::uint64_t, AlignedBuffer<double>&);

}  // namespace greybox
