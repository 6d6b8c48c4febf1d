// Made data: the toy example and the reaction–diffusion system of the paper.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "data/table.hpp"

namespace greybox {

inline constexpr std::size_t kToyRows = 120;

// y = sin(x) + cos(x) + e with x ~ U[-π, π] and e ~ N(0, 0.1²): columns x and y.
DataTable make_toy(std::uint64_t seed, std::size_t n_rows = kToyRows);

struct ReactionDiffusionOptions {
  std::size_t n_sequences = 1000;
  std::size_t grid_size = 32;  // points per side
  std::size_t n_threads = 0;   // 0: one per core; the data do not depend on it
};

// Called on the calling thread now and then; what it throws ends the work.
using GenerationProgress = std::function<void(std::size_t n_done, std::size_t n_all)>;

// Fields u and v on [-1, 1]² with u' = 0.0015 Δu + u - u³ - v - 0.005, v' = 0.005 Δv + u - v and no flux over
// the edge, from u, v ~ U(0, 1) at every point: sequences of 16 snapshots, 0.1 apart. Throws InputError when
// the grid size is not in 3…512.
DataTable make_reaction_diffusion(const ReactionDiffusionOptions& options, std::uint64_t seed,
                                  const GenerationProgress& progress = {});

}  // namespace greybox
