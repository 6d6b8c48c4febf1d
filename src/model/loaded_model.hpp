// A model with its data: bound, planned, prepared. The common start of every function.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "model/execution_plan.hpp"
#include "model/prepared_data.hpp"

namespace greybox {

struct LoadedModel {
  std::shared_ptr<const ModelSpec> spec;
  std::shared_ptr<const BoundModel> model;
  std::shared_ptr<const ExecutionPlan> plan;
  // Null when there are no data.
  std::shared_ptr<const PreparedData> data;
};

// Binds the model to the columns of the table and prepares the table for it. Scales that are not settled yet
// are measured on the table's training windows; `spec` of what is returned has them. Without a table, names
// that are not the model's own are taken for columns. `regularizers` are names or expressions; those that the
// model does not have are added to it, named after themselves. Throws InputError.
LoadedModel assemble(std::shared_ptr<const ModelSpec> spec, std::shared_ptr<const DataTable> table,
                     const std::vector<std::string>& regularizers = {});
LoadedModel assemble(std::shared_ptr<const ModelSpec> spec, std::shared_ptr<const DataTable> table,
                     const std::vector<ExtraRegularizer>& regularizers);

// Reads a model file and the data file that it names.
LoadedModel load_model(const std::filesystem::path& model_file);

// The data files of a model, relative to the model file's folder; a pattern that no file has stands for
// itself. The first of them, empty when it names none.
std::vector<std::filesystem::path> data_paths(const ModelSpec& spec);
std::filesystem::path data_path(const ModelSpec& spec);
// Reads the data files that a model names. Throws InputError that points at the model file when there is
// none.
std::shared_ptr<const DataTable> read_own_table(const ModelSpec& spec);

// How the file of an input is read, which is one of its own.
TableOptions input_options(const ModelSpec& spec, std::size_t input);
// The table with those of inputs that have a file of their own and no table yet. Throws InputError that
// points at the model file when there is no such file.
std::shared_ptr<const DataTable> with_own_inputs(const ModelSpec& spec,
                                                 std::shared_ptr<const DataTable> table);

}  // namespace greybox
