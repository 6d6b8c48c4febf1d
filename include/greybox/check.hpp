// A model explained to its author, before anything runs.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "greybox/dataset.hpp"
#include "greybox/scales.hpp"

namespace greybox {

// One array of weights, in PyTorch's layout.
struct WeightInfo {
  std::string name;
  std::vector<std::size_t> shape;
};

// The time of the data, and the steps from row to row within each series.
struct TimeSummary {
  // Empty where rows are counted.
  std::string column;
  // Empty where nobody said.
  std::string unit;
  double first = 0, last = 0;
  std::size_t n_steps = 0;
  double least_step = 0, median_step = 0, greatest_step = 0;
  // Steps of more than three times the median.
  std::size_t n_gaps = 0;
};

// How many windows each split has.
struct DataSummary {
  std::size_t n_rows = 0, n_series = 0, n_windows = 0;
  std::size_t n_train = 0, n_validation = 0, n_test = 0;
  TimeSummary time = {};
  // Missing values in the file, of the columns that the model reads and that have some.
  std::vector<std::pair<std::string, std::size_t>> missing = {};
  // Rows left out for a missing value, and windows left out for any reason.
  std::size_t n_dropped_rows = 0, n_dropped_windows = 0;
};

struct ModelSummary {
  std::string name;
  // The model as mathematics, sizes, parameters, data: for a person.
  std::string text;
  std::vector<std::string> parameters;
  // Of an algebraic model, its outputs.
  std::vector<std::string> states;
  bool is_algebraic = false;
  std::vector<WeightInfo> weights;
  std::size_t n_weights = 0;
  std::vector<std::string> regularizers;
  // None without data.
  std::optional<DataSummary> data;
  // Of the training data, or as the file says; empty for none.
  Scales scales;
  // What is suspicious though not wrong.
  std::vector<std::string> warnings;
  // What to do about the model before it is trained, the most important first; see `advise`.
  std::vector<std::string> advice;
};

// With its data, or without: then names of columns are not checked.
ModelSummary check(const Dataset& dataset);
ModelSummary check(const Model& model);

std::string to_json(const ModelSummary& summary);

}  // namespace greybox
