// θ of a prediction: values that were given, or what the run knows.
#pragma once

#include <vector>

#include "analysis/run/opened_run.hpp"
#include "analysis/run/window_choice.hpp"
#include "core/thread_pool.hpp"
#include "greybox/theta_from.hpp"
#include "train/tailoring.hpp"

namespace greybox {

// One value per parameter, in the model's order; empty: each window's own, from the estimator. Throws
// InputError where the run has none of this origin.
std::vector<double> chosen_theta(const OpenedRun& run, const Theta& values, ThetaFrom origin);

// The same for windows, which mode tailored gives each its own, and latents that adapt: windows × parameters
// then. The run must have been opened with the `tailoring_regularizer`.
TailoredWindows chosen_theta(const OpenedTarget& target, const Theta& values, ThetaFrom origin,
                             ThreadPool& pool);

// What θ of windows follow in a run that learned in mode tailored; else empty.
std::string tailoring_regularizer(const Run& run);

// At most n draws of the run's last distribution, evenly spaced. Throws InputError where there is none.
std::vector<std::vector<double>> posterior_draws(const OpenedRun& run, std::size_t n);

}  // namespace greybox
