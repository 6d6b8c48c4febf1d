// Loops over components and samples, written so that the compiler vectorises them: over samples for scalars,
// where the step size varies along the array; over grid points for fields, where it is constant.
#include "ode/state_arithmetic.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace greybox {
namespace {

// Small enough for the sum of several terms to stay in the first-level cache.
constexpr std::size_t kChunk = 1024;

// apply(first, count) for pieces that cover every value of the batch.
template <class Apply>
void for_each_chunk(const StateBatch& batch, Apply apply) {
  for (std::size_t c = 0; c < batch.layout.n_components(); ++c) {
    const std::size_t end = batch.layout.offset(c) + batch.layout.width(c) * batch.n_samples;
    for (std::size_t first = batch.layout.offset(c); first < end; first += kChunk) {
      apply(first, std::min(kChunk, end - first));
    }
  }
}

// apply(first, width) for every component of one sample.
template <class Apply>
void for_each_component(const StateLayout& layout, std::size_t sample, Apply apply) {
  for (std::size_t c = 0; c < layout.n_components(); ++c) {
    apply(layout.offset(c) + sample * layout.width(c), layout.width(c));
  }
}

template <class T>
bool are_finite(const T* values, std::size_t count) {
  unsigned n_bad = 0;
  for (std::size_t i = 0; i < count; ++i) n_bad += !(std::abs(values[i]) <= std::numeric_limits<T>::max());
  return n_bad == 0;
}

}  // namespace

template <class T>
void copy_state(const StateBatch& batch, const T* from, T* to) {
  for_each_chunk(batch,
                 [=](std::size_t first, std::size_t count) { std::copy_n(from + first, count, to + first); });
}

template <class T>
void copy_sample(const StateLayout& layout, std::size_t sample, const T* from, T* to) {
  for_each_component(layout, sample, [=](std::size_t first, std::size_t width) {
    std::copy_n(from + first, width, to + first);
  });
}

template <class T>
void fill_sample(const StateLayout& layout, std::size_t sample, T value, T* state) {
  for_each_component(layout, sample,
                     [=](std::size_t first, std::size_t width) { std::fill_n(state + first, width, value); });
}

template <class T>
bool is_sample_finite(const StateLayout& layout, std::size_t sample, const T* state) {
  bool finite = true;
  for_each_component(layout, sample, [&](std::size_t first, std::size_t width) {
    finite = finite && are_finite(state + first, width);
  });
  return finite;
}

#define GREYBOX_INSTANTIATE(T)                                              \
  template void copy_state(const StateBatch&, const T*, T*);                \
  template void copy_sample(const StateLayout&, std::size_t, const T*, T*); \
  template void fill_sample(const StateLayout&, std::size_t, T, T*);        \
  template bool is_sample_finite(const StateLayout&, std::size_t, const T*);
GREYBOX_INSTANTIATE(float)
GREYBOX_INSTANTIATE(double)
#undef GREYBOX_INSTANTIATE

}  // namespace greybox
