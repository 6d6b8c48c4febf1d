// Windows that a trained model makes itself, at known θ.
#pragma once

#include "analysis/run/opened_run.hpp"
#include "core/thread_pool.hpp"

namespace greybox {

// A table of windows, each a series of its own: what a model observes of them, and for each parameter a
// column `truth_name` with the θ they were made at.
struct AugmentedData {
  std::shared_ptr<const DataTable> table;
  std::size_t n_diverged = 0;  // left out
};

std::string truth_name(const std::string& parameter);

struct AugmentRequest {
  std::vector<double> held;   // θ of the network
  std::vector<double> theta;  // windows × parameters: θ of the theory
};

// Starts from the training windows of the run, one after the other.
AugmentedData make_augmented_data(const OpenedRun& run, const AugmentRequest& request, ThreadPool& pool);

// The run's model over such a table, with one more regularizer: the mean squared error of θ, each parameter
// in units of its `scales`. Windows are cut to what the estimator reads.
LoadedModel load_augmented(const OpenedRun& run, std::shared_ptr<const DataTable> table,
                           const std::vector<double>& scales);

}  // namespace greybox
