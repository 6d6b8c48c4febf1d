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

// How many windows each split has.
struct DataSummary {
  std::size_t n_rows = 0, n_series = 0, n_windows = 0;
  std::size_t n_train = 0, n_validation = 0, n_test = 0;
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
};

// With its data, or without: then names of columns are not checked.
ModelSummary check(const Dataset& dataset);
ModelSummary check(const Model& model);

std::string to_json(const ModelSummary& summary);

}  // namespace greybox
