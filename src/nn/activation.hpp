// Activation functions over arrays: values and derivatives.
#pragma once

#include <cstddef>
#include <optional>

#include "nn/network.hpp"

namespace greybox {

// The slope below zero of the piecewise linear ones, which the matrix kernel applies itself; none for the
// others.
std::optional<double> leaky_slope(Activation activation);

// Whether the derivative is computed from the input x (silu, softplus, gelu) or from the value σ(x) (the
// others).
bool derivative_needs_input(Activation activation);

// y[i] = σ(x[i]); y may be x.
template <class T>
void activate(Activation activation, std::size_t n, const T* x, T* y);

// gradient[i] *= σ'(x[i]), where kept[i] is x[i] or σ(x[i]), as derivative_needs_input says.
template <class T>
void multiply_by_derivative(Activation activation, std::size_t n, const T* kept, T* gradient);

extern template void activate(Activation, std::size_t, const float*, float*);
extern template void activate(Activation, std::size_t, const double*, double*);
extern template void multiply_by_derivative(Activation, std::size_t, const float*, float*);
extern template void multiply_by_derivative(Activation, std::size_t, const double*, double*);

}  // namespace greybox
