// Windows that a trained model makes itself, at known θ.
#pragma once

#include "analysis/run/opened_run.hpp"
#include "core/thread_pool.hpp"

namespace greybox {

// A table of windows, each a series of its own: what a model observes of them, and for each parameter a
// column `truth_name` with the θ they were made at.
struct AugmentedData {
  Table table;
  std::size_t n_diverged = 0;  // left out
};

// SHA-256 of its names and numbers.
std::string checksum_of(const Table& table);

std::string truth_name(const std::string& parameter);

struct AugmentRequest {
  std::vector<double> held;   // θ of the network
  std::vector<double> theta;  // windows × parameters: θ of the theory
};

// Starts from the training windows of the run, one after the other.
AugmentedData make_augmented_data(const OpenedRun& run, const AugmentRequest& request, ThreadPool& pool);

// The run's model over such a table, with one more regularizer: the mean squared error of θ, each parameter
// in units of its `scales`. Windows are cut to what the estimator reads.
LoadedModel load_augmented(const OpenedRun& run, Table table, const std::vector<double>& scales);

}  // namespace greybox
