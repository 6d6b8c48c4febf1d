// The states of many samples: copies, and one sample at a time.
#pragma once

#include <cstddef>

#include "ode/state_layout.hpp"

namespace greybox {

template <class T>
void copy_state(const StateBatch& batch, const T* from, T* to);

template <class T>
void copy_sample(const StateLayout& layout, std::size_t sample, const T* from, T* to);

template <class T>
void fill_sample(const StateLayout& layout, std::size_t sample, T value, T* state);

template <class T>
bool is_sample_finite(const StateLayout& layout, std::size_t sample, const T* state);

}  // namespace greybox
