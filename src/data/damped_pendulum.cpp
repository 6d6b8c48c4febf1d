#include "data/damped_pendulum.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "core/random.hpp"
#include "data/mistakes.hpp"

namespace greybox {
namespace {

constexpr double kDamping = 0.2;
constexpr std::size_t kTrajectorySnapshots = 40, kStepsPerSnapshot = 50;
constexpr double kSnapshotInterval = 0.5, kSwingStep = kSnapshotInterval / kStepsPerSnapshot;
constexpr double kNearest = 1.3, kFarthest = 2.3;  // initial states, from rest
constexpr double kLargestStiffness = 1000;         // the fixed step is small enough up to here

struct Swing {
  double angle = 0, velocity = 0;
};

Swing derivative(const Swing& at, double stiffness) {
  return {at.velocity, -stiffness * std::sin(at.angle) - kDamping * at.velocity};
}

Swing moved(const Swing& from, double step, const Swing& slope) {
  return {from.angle + step * slope.angle, from.velocity + step * slope.velocity};
}

// The classic Runge–Kutta step.
Swing advanced(const Swing& from, double stiffness) {
  const Swing k1 = derivative(from, stiffness);
  const Swing k2 = derivative(moved(from, kSwingStep / 2, k1), stiffness);
  const Swing k3 = derivative(moved(from, kSwingStep / 2, k2), stiffness);
  const Swing k4 = derivative(moved(from, kSwingStep, k3), stiffness);
  return moved(from, kSwingStep / 6,
               {k1.angle + 2 * k2.angle + 2 * k3.angle + k4.angle,
                k1.velocity + 2 * k2.velocity + 2 * k3.velocity + k4.velocity});
}

Swing first_swing(const Random& random, std::size_t series) {
  // A direction of the unit square's points, as in the original data.
  const Swing direction{2 * random.uniform(series, 0) - 1, 2 * random.uniform(series, 1) - 1};
  const double distance = kNearest + (kFarthest - kNearest) * random.uniform(series, 2);
  return moved({}, distance / std::hypot(direction.angle, direction.velocity), direction);
}

void check(const DampedPendulumOptions& options) {
  if (options.low > 0 && options.low <= options.high && options.high <= kLargestStiffness) return;
  Place{}.refuse(
      fmt::format("stiffnesses from {} to {} are not those of a pendulum here", options.low, options.high),
      fmt::format("give one number, or two in rising order, from above 0 to {}", kLargestStiffness));
}

}  // namespace

DataTable make_damped_pendulum(const DampedPendulumOptions& options, std::uint64_t seed) {
  check(options);
  const Random random(seed, Purpose::generator);
  std::vector<double> angles, velocities, stiffnesses;
  DataTable table;
  table.file = "damped-pendulum";
  for (std::size_t series = 0; series < options.n_series; ++series) {
    const double stiffness = options.low + (options.high - options.low) * random.uniform(series, 3);
    Swing swing = first_swing(random, series);
    table.series.push_back({.name = fmt::format("{}", series),
                            .first_row = series * kTrajectorySnapshots,
                            .n_rows = kTrajectorySnapshots});
    for (std::size_t k = 0; k < kTrajectorySnapshots; ++k) {
      table.time.push_back(static_cast<double>(k) * kSnapshotInterval);
      angles.push_back(swing.angle);
      velocities.push_back(swing.velocity);
      stiffnesses.push_back(stiffness);
      for (std::size_t step = 0; step < kStepsPerSnapshot; ++step) swing = advanced(swing, stiffness);
    }
  }
  table.lines.assign(table.time.size(), 0);
  table.columns = {{.name = "angle", .values = std::move(angles)},
                   {.name = "velocity", .values = std::move(velocities)},
                   {.name = "true_stiffness", .values = std::move(stiffnesses)}};
  return table;
}

}  // namespace greybox
