// Made data: draws by position, so that neither order nor threads matter.
#include "data/generators.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/random.hpp"
#include "core/thread_pool.hpp"
#include "data/mistakes.hpp"
#include "data/reaction_diffusion.hpp"

namespace greybox {
namespace {

constexpr double kToyNoise = 0.1;
constexpr std::size_t kSnapshots = 16;
constexpr double kSnapshotsPerTime = 10;
// The generator's step of 0.001 is stable up to about this many points per side.
constexpr std::size_t kFinestGrid = 512;

void check_grid(std::size_t grid_size) {
  if (grid_size >= 3 && grid_size <= kFinestGrid) return;
  Place{}.refuse(fmt::format("a grid of {0} × {0} points cannot be simulated", grid_size),
                 fmt::format("choose a grid size from 3 to {}", kFinestGrid));
}

// Writes the snapshots of one sequence to u and v, each kSnapshots × n_points.
void simulate(const Random& random, std::size_t sequence, std::size_t grid_size, float* u, float* v) {
  const std::size_t n_points = grid_size * grid_size;
  ReactionDiffusion system(grid_size);
  for (std::size_t i = 0; i < n_points; ++i) {
    system.set(i, random.uniform(sequence, i), random.uniform(sequence, n_points + i));
  }
  for (std::size_t snapshot = 0; snapshot < kSnapshots; ++snapshot) {
    if (snapshot > 0)
      system.advance(ReactionDiffusion::kStepsPerTime / static_cast<std::size_t>(kSnapshotsPerTime));
    system.copy_to(u + snapshot * n_points, v + snapshot * n_points);
  }
}

DataTable empty_sequences(std::size_t n_sequences) {
  DataTable table;
  for (std::size_t i = 0; i < n_sequences; ++i) {
    table.series.push_back({.name = fmt::format("{}", i), .first_row = i * kSnapshots, .n_rows = kSnapshots});
    for (std::size_t k = 0; k < kSnapshots; ++k)
      table.time.push_back(static_cast<double>(k) / kSnapshotsPerTime);
  }
  table.lines.assign(table.time.size(), 0);
  return table;
}

}  // namespace

DataTable make_toy(std::uint64_t seed, std::size_t n_rows) {
  const Random random(seed, Purpose::generator);
  std::vector<double> x(n_rows), y(n_rows), time(n_rows);
  for (std::size_t i = 0; i < n_rows; ++i) {
    x[i] = std::numbers::pi * (2 * random.uniform(i, 0) - 1);
    y[i] = std::sin(x[i]) + std::cos(x[i]) + kToyNoise * random.normal(i, 1);
    time[i] = static_cast<double>(i);
  }
  return {.file = "toy",
          .columns = {{.name = "x", .values = std::move(x)}, {.name = "y", .values = std::move(y)}},
          .time = std::move(time),
          .series = {{.name = std::string(kWholeFile), .first_row = 0, .n_rows = n_rows}},
          .lines = std::vector<std::uint32_t>(n_rows, 0)};
}

DataTable make_reaction_diffusion(const ReactionDiffusionOptions& options, std::uint64_t seed,
                                  const GenerationProgress& progress) {
  check_grid(options.grid_size);
  const std::size_t per_sequence = kSnapshots * options.grid_size * options.grid_size;
  std::vector<float> u(options.n_sequences * per_sequence), v(u.size());
  const Random random(seed, Purpose::generator);
  ThreadPool pool(options.n_threads);
  const std::size_t per_round = 4 * pool.n_threads();
  for (std::size_t first = 0; first < options.n_sequences; first += per_round) {
    const std::size_t n = std::min(per_round, options.n_sequences - first);
    pool.run(n, [&](std::size_t i) {
      const std::size_t offset = (first + i) * per_sequence;
      simulate(random, first + i, options.grid_size, u.data() + offset, v.data() + offset);
    });
    if (progress) progress(first + n, options.n_sequences);
  }
  DataTable table = empty_sequences(options.n_sequences);
  table.file = "reaction-diffusion";
  const std::size_t side = options.grid_size;
  table.columns.push_back({.name = "u", .height = side, .width = side, .values = std::move(u)});
  table.columns.push_back({.name = "v", .height = side, .width = side, .values = std::move(v)});
  return table;
}

}  // namespace greybox
