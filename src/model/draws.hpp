// The random numbers that latents are made of.
#pragma once

#include <span>

#include "core/random.hpp"
#include "model/bound_model.hpp"

namespace greybox {

// Samples × draws, row-major: a pure function of the stream, `step` and the sample.
template <class T>
void fill_draws(const BoundModel& model, const Random& random, std::uint64_t step, std::span<T> draws);

extern template void fill_draws(const BoundModel&, const Random&, std::uint64_t, std::span<float>);
extern template void fill_draws(const BoundModel&, const Random&, std::uint64_t, std::span<double>);

}  // namespace greybox
