// Data that a run keeps in its own folder, because they came from no file.
#pragma once

#include <filesystem>
#include <memory>

#include "greybox/run_record.hpp"
#include "model/spec.hpp"

namespace greybox {

// Whether a run with this record keeps its data in its folder.
bool keeps_own_data(const RunRecord& record);

// Writes the table into the folder, where the record then says that the data are, and gives it back as that
// file's.
std::shared_ptr<const DataTable> keep_table(const std::filesystem::path& folder, const DataTable& table,
                                            const ModelSpec& spec, RunRecord& record);

}  // namespace greybox
