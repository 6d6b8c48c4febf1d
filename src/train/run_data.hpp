// Data that a run keeps in its own folder, because they came from no file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>

#include "greybox/run_record.hpp"
#include "model/spec.hpp"

namespace greybox {

// Whether a run with this record keeps its data in its folder.
bool keeps_own_data(const RunRecord& record);
// The same of a table of an input.
bool keeps_own_inputs(const RunRecord& record);

// Whether a folder would have to keep something of the table, because it came from no file.
bool needs_keeping(const DataTable& table);

// Of every input that has a table of its own.
std::map<std::string, RecordedFile> recorded_inputs(const DataTable& table);

// The table with those of inputs that the record names, unless it has its own. Other data than the run's take
// only those that the model itself has a file for.
enum class InputsFor : std::uint8_t { own_data, other_data };
std::shared_ptr<const DataTable> with_recorded_inputs(const std::filesystem::path& folder,
                                                      const RunRecord& record, const ModelSpec& spec,
                                                      std::shared_ptr<const DataTable> table,
                                                      InputsFor whom = InputsFor::own_data);

// Reads the data that the record names, as the model says or, where the run keeps a copy, as that was
// written.
std::shared_ptr<const DataTable> read_recorded(const std::filesystem::path& folder, const RunRecord& record,
                                               const ModelSpec& spec);

// Writes what came from no file into the folder, where the record then says that it is, and gives the table
// back as that file's.
std::shared_ptr<const DataTable> keep_table(const std::filesystem::path& folder, const DataTable& table,
                                            const ModelSpec& spec, RunRecord& record);

}  // namespace greybox
