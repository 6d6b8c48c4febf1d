// Arithmetic on the states of many samples, each with a step size of its own. A sample whose step size is
// zero takes no part: its values stay exactly as they are, even where its derivatives are not finite.
#pragma once

#include <cstddef>
#include <span>

#include "ode/state_layout.hpp"

namespace greybox {

template <class T>
void copy_state(const StateBatch& batch, const T* from, T* to);

// sum = Σ_j weights[j] · terms[j]
template <class T>
void weighted_sum(const StateBatch& batch, std::span<const double> weights, const StateRows<T>& terms,
                  T* sum);

// to = from + size · direction
template <class T>
void move_state(const StateBatch& batch, const T* sizes, const T* direction, const T* from, T* to);

// values *= size; zero for a sample that takes no part
template <class T>
void scale_by_size(const StateBatch& batch, const T* sizes, T* values);

// target += values, for samples that take part
template <class T>
void add_where_moving(const StateBatch& batch, const T* sizes, const T* values, T* target);

template <class T>
void copy_sample(const StateLayout& layout, std::size_t sample, const T* from, T* to);

template <class T>
void fill_sample(const StateLayout& layout, std::size_t sample, T value, T* state);

template <class T>
bool is_sample_finite(const StateLayout& layout, std::size_t sample, const T* state);

}  // namespace greybox
