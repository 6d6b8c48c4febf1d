// The random numbers that latents are made of.
#pragma once

#include <span>
#include <vector>

#include "core/random.hpp"
#include "model/bound_model.hpp"

namespace greybox {

// Samples × draws, row-major: a pure function of the stream, `step` and the sample. Those that adapt are
// where their steps begin.
template <class T>
void fill_draws(const BoundModel& model, const Random& random, std::uint64_t step, std::span<T> draws);

// Every one at its centre.
template <class T>
std::vector<T> centred_draws(const BoundModel& model, std::size_t n_samples);

extern template std::vector<float> centred_draws(const BoundModel&, std::size_t);
extern template std::vector<double> centred_draws(const BoundModel&, std::size_t);
extern template void fill_draws(const BoundModel&, const Random&, std::uint64_t, std::span<float>);
extern template void fill_draws(const BoundModel&, const Random&, std::uint64_t, std::span<double>);

}  // namespace greybox
