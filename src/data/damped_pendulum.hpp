// Made data: pendulums that lose their swing to friction.
#pragma once

#include <cstddef>
#include <cstdint>

#include "data/table.hpp"

namespace greybox {

struct DampedPendulumOptions {
  std::size_t n_series = 40;
  // Gravity over length, in 1/s²; drawn anew for each series when the two differ. By default a period of 12
  // s.
  double low = 0.2741556778080377, high = low;
};

// angle'' = -stiffness · sin(angle) - 0.2 · angle', from states at distances 1.3 to 2.3 from rest (Yin et al.
// 2021): 40 snapshots, 0.5 s apart. Columns angle, velocity, and true_stiffness for comparison.
// Throws InputError when the stiffnesses are not those of a pendulum.
DataTable make_damped_pendulum(const DampedPendulumOptions& options, std::uint64_t seed);

}  // namespace greybox
