// Simulated stand-ins for the published data: the same columns and about the same numbers, for a machine
// without them.
#pragma once

#include <cstdint>

#include "data/table.hpp"

namespace greybox {

// 100 episodes × 100 steps of 0.05 s of a pendulum that swings itself up and is then held upright: columns
// cos_angle, sin_angle, velocity. Gravity is 10 m/s²; the torque is limited as in the published data.
Table make_steered_pendulum(std::uint64_t seed);

// Ten series C1 … C10 of daily densities of prey and predator, which cycle about once a week
// (Rosenzweig–MacArthur with rates that wander a little, and noise): not Lotka–Volterra.
Table make_plankton(std::uint64_t seed);

}  // namespace greybox
