// Data that a run keeps in its own folder, because they came from no file.
#pragma once

#include <filesystem>
#include <memory>

#include "greybox/run_record.hpp"
#include "model/spec.hpp"

namespace greybox {

// Whether a run with this record keeps its data in its folder.
bool keeps_own_data(const RunRecord& record);

// Reads the data that the record names, as the model says or, where the run keeps a copy, as that was
// written.
std::shared_ptr<const DataTable> read_recorded(const std::filesystem::path& folder, const RunRecord& record,
                                               const ModelSpec& spec);

// Writes the table into the folder, where the record then says that the data are, and gives it back as that
// file's.
std::shared_ptr<const DataTable> keep_table(const std::filesystem::path& folder, const DataTable& table,
                                            const ModelSpec& spec, RunRecord& record);

}  // namespace greybox
