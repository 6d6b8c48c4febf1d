// Steps of methods without error control: from the times alone.
#pragma once

#include "ode/plan.hpp"

namespace greybox {

// An interval takes the fewest equal steps not longer than `largest_step`; one step when that is 0, none when
// the interval has no length.
template <class T>
void plan_fixed_steps(const SampleTimes<T>& times, double largest_step, Plan<T>& plan);

}  // namespace greybox
