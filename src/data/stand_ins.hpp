// Simulated stand-ins for the published data: the same columns and about the same numbers, for a machine
// without them.
#pragma once

#include <cstdint>
#include <optional>

#include "data/table.hpp"

namespace greybox {

// In m/s²; drawn anew for each episode when the two differ.
struct GravityRange {
  double low = 10, high = low;
};

// 100 episodes × 100 steps of 0.05 s of a pendulum that swings itself up and is then held upright: columns
// cos_angle, sin_angle, velocity. The torque is limited as in the published data. Gravity is 10 m/s² or what
// is asked for, which is then in a column true_gravity; the controller takes it to be 10 in any case. Throws
// InputError when the gravities are not those of a pendulum.
DataTable make_steered_pendulum(std::uint64_t seed, const std::optional<GravityRange>& gravity = {});

// Ten series C1 … C10 of daily densities of prey and predator, which cycle about once a week
// (Rosenzweig–MacArthur with rates that wander a little, and noise): not Lotka–Volterra.
DataTable make_plankton(std::uint64_t seed);

}  // namespace greybox
