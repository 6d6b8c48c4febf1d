// A model file with its data: read, bound, prepared. The common start of every command.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "model/dataset.hpp"
#include "model/execution_plan.hpp"

namespace greybox {

struct LoadedModel {
  std::shared_ptr<const ModelSpec> spec;
  std::shared_ptr<const BoundModel> model;
  std::shared_ptr<const ExecutionPlan> plan;
  std::shared_ptr<const Dataset> data;  // null when there is no data file
};

struct LoadOptions {
  std::filesystem::path data;  // empty: the file that the model names, relative to the model file
  std::vector<std::string> extra_regularizers;  // expressions, named after themselves
  bool data_may_be_missing = false;
  const Table* table = nullptr;  // data made in memory, instead of a file
};

// Throws InputError.
LoadedModel load_model(const std::filesystem::path& model_file, const LoadOptions& options = {});

// The data file of a model: as named there, relative to the model file's folder.
std::filesystem::path data_path(const ModelSpec& spec);

}  // namespace greybox
