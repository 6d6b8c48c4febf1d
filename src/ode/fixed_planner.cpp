// Equal steps in every interval.
#include "ode/fixed_planner.hpp"

#include <cassert>
#include <cmath>
#include <limits>

namespace greybox {
namespace {

// Times carry rounding errors: without some slack, 0.1 … 0.15 would take two steps of 0.05.
template <class T>
std::size_t count_steps(double from, double to, double largest_step) {
  if (largest_step == 0) return 1;
  const double rounding =
      std::numeric_limits<T>::epsilon() * std::max(std::abs(from), std::abs(to)) / largest_step;
  return static_cast<std::size_t>(std::max(1.0, std::ceil((to - from) / largest_step - 1e-6 - rounding)));
}

}  // namespace

template <class T>
void plan_fixed_steps(const SampleTimes<T>& times, double largest_step, Plan<T>& plan) {
  plan.begin(times);
  for (std::size_t k = 0; k < times.n_intervals; ++k) {
    for (std::size_t i = 0; i < times.n_samples; ++i) {
      const double from = times.at(k, i), to = times.at(k + 1, i);
      assert(from <= to);
      if (from == to) continue;
      const std::size_t n_steps = count_steps<T>(from, to, largest_step);
      const double size = (to - from) / static_cast<double>(n_steps);
      for (std::size_t m = 0; m < n_steps; ++m) {
        plan.add_step(i, static_cast<T>(from + static_cast<double>(m) * size), static_cast<T>(size));
      }
    }
    plan.end_interval();
  }
}

template void plan_fixed_steps(const SampleTimes<float>&, double, Plan<float>&);
template void plan_fixed_steps(const SampleTimes<double>&, double, Plan<double>&);

}  // namespace greybox
