// A run folder opened for analysis: its model, weights and data, and what its record says.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "greybox/run.hpp"
#include "model/loaded_model.hpp"

namespace greybox {

struct OpenedRun {
  std::filesystem::path folder;
  LoadedModel loaded;
  bool has_own_data = true;  // as opposed to a file that the user named
  std::vector<double> weights;
  std::optional<RunInfo> info;  // none for a folder made elsewhere
  std::vector<std::string> warnings;
};

// `data` may be empty: what the run learned from; a `table` takes the place of both. `regularizers` are names
// or expressions. Throws InputError when the folder is no finished run, or something in it does not fit.
OpenedRun open_run(const std::filesystem::path& folder, const std::filesystem::path& data,
                   const std::vector<std::string>& regularizers, const Table* table = nullptr);

// Throws InputError when the folder is no finished run of this version.
void check_run_folder(const std::filesystem::path& folder);

// The place of a regularizer of `open_run` among the model's.
std::size_t regularizer_place(const BoundModel& model, const std::string& name);

}  // namespace greybox
