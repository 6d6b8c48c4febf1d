// Smoothed states and their derivatives at the points: what any right-hand side has to match.
#pragma once

#include <cstdint>
#include <span>

#include "analysis/matching/matching_points.hpp"
#include "core/thread_pool.hpp"

namespace greybox {

// Where hidden states begin whose starts are learned: as learned; brought to the mean and the spread over the
// windows that their prior says; at every θ where the least correction is asked for; or as far from the
// learned starts on the other side, where more is.
enum class HiddenStarts : std::uint8_t { learned, like_prior, least, opposite };

// Of an algebraic model the derivatives are its measured outputs, and there are no states.
struct MatchedData {
  // [state][point]
  std::vector<std::vector<double>> states, derivatives;
  // States that are not measured: they follow from θ and the others, wherever θ is.
  std::vector<std::size_t> hidden{};
  // What their learned starts are taken from.
  std::vector<double> weights{};
  HiddenStarts starts = HiddenStarts::learned;
  // What each gains per unit of time, as a part of its value, beyond what the theory says; empty: nothing.
  std::vector<double> drifts{};
};

double variance_of(const std::vector<double>& values);

// The hybrid model that smooths the data: its predictions ŝ, less a low-order fit of their residuals ŝ - s.
struct Smoother {
  std::span<const double> weights;
  std::span<const double> theta;
  // 0: the basis of the residuals with the least leave-one-out error; 1: the next.
  std::size_t basis_rank = 0;
};

// d(ŝ - e)/dt = f(ŝ) - de/dt holds whatever the network has learned; the better it fits, the less is left to
// the fit of e.
MatchedData match_data(const LoadedModel& loaded, const MatchingPoints& points,
                       const MeasuredStates& measured, const Smoother& smoother, ThreadPool& pool);

}  // namespace greybox
