#include "train/run_data.hpp"

#include <algorithm>
#include <map>

#include "core/checksum.hpp"
#include "data/table_writer.hpp"
#include "data/time_column.hpp"
#include "data/utf8.hpp"
#include "model/loaded_model.hpp"

namespace greybox {
namespace {

// Every kept table of an input has its times in a column `time`.
TableOptions options_of_kept_input(const ModelSpec& spec) {
  return {.time_column = "time", .time_unit = spec.data.table.time_unit, .may_repeat_times = true};
}

std::size_t place_of_input(const ModelSpec& spec, const std::string& name) {
  const auto found = std::ranges::find(spec.inputs, name, &Equation::name);
  return static_cast<std::size_t>(found - spec.inputs.begin());
}

DataTable as_file(const DataTable& table, const std::filesystem::path& file) {
  DataTable kept = table;
  kept.file = file.string();
  kept.is_file = true;
  kept.sha256 = sha256_of_file(file);
  kept.own_sha256.clear();
  return kept;
}

// Fields need npz; everything else is kept as a table that people can read.
DataTable keep_data(const std::filesystem::path& folder, const DataTable& table, const ModelSpec& spec,
                    RunRecord& record) {
  const bool has_fields = std::any_of(table.columns.begin(), table.columns.end(),
                                      [](const Column& column) { return column.is_field(); });
  record.data.file = has_fields ? "data.npz" : "data.csv";
  write_table(folder / record.data.file, table, spec.data.table);
  return as_file(table, folder / record.data.file);
}

std::shared_ptr<const DataTable> keep_input(const std::filesystem::path& folder, const InputTable& input,
                                            RunRecord& record) {
  const std::string file = "input." + input.name + ".csv";
  write_table(folder / file, *input.table, {.time_column = "time"});
  auto kept = std::make_shared<const DataTable>(as_file(*input.table, folder / file));
  record.inputs[input.name] = {file, kept->sha256};
  return kept;
}

}  // namespace

bool keeps_own_inputs(const RunRecord& record) {
  return std::ranges::any_of(record.inputs, [](const auto& input) {
    return !input.second.file.empty() && std::filesystem::path(input.second.file).is_relative();
  });
}

bool needs_keeping(const DataTable& table) {
  return !table.is_file ||
         std::ranges::any_of(table.inputs, [](const InputTable& input) { return !input.table->is_file; });
}

std::map<std::string, RecordedFile> recorded_inputs(const DataTable& table) {
  std::map<std::string, RecordedFile> files;
  for (const auto& [name, input] : table.inputs)
    files[name] = {
        input->is_file ? path_text(std::filesystem::absolute(input->file).lexically_normal()) : std::string(),
        input->sha256};
  return files;
}

bool keeps_own_data(const RunRecord& record) {
  return !record.data.file.empty() && std::filesystem::path(record.data.file).is_relative();
}

std::shared_ptr<const DataTable> with_recorded_inputs(const std::filesystem::path& folder,
                                                      const RunRecord& record, const ModelSpec& spec,
                                                      std::shared_ptr<const DataTable> table,
                                                      InputsFor whom) {
  std::map<std::string, std::shared_ptr<const DataTable>> read;
  for (const auto& [name, input] : record.inputs) {
    const std::size_t place = place_of_input(spec, name);
    if (table->find_input(name) != nullptr || input.file.empty() || place == spec.inputs.size()) continue;
    if (whom == InputsFor::other_data && spec.signals[place].file.empty()) continue;
    const bool is_kept = std::filesystem::path(input.file).is_relative();
    const std::string key = input.file + '|' + spec.signals[place].time + '|' + spec.signals[place].series;
    std::shared_ptr<const DataTable>& own = read[key];
    if (!own)
      own = std::make_shared<const DataTable>(read_table(
          folder / input.file, is_kept ? options_of_kept_input(spec) : input_options(spec, place)));
    table = std::make_shared<const DataTable>(with_input(*table, name, own));
  }
  return table;
}

std::shared_ptr<const DataTable> read_recorded(const std::filesystem::path& folder, const RunRecord& record,
                                               const ModelSpec& spec) {
  const TableOptions options = keeps_own_data(record) ? options_of_copy(spec.data.table) : spec.data.table;
  return with_recorded_inputs(
      folder, record, spec,
      std::make_shared<const DataTable>(read_table(folder / record.data.file, options)));
}

std::shared_ptr<const DataTable> keep_table(const std::filesystem::path& folder, const DataTable& table,
                                            const ModelSpec& spec, RunRecord& record) {
  DataTable kept = table;
  kept.inputs.clear();
  const std::string own = kept.own_sha256.empty() ? kept.sha256 : kept.own_sha256;
  if (!table.is_file || keeps_own_data(record))
    kept = keep_data(folder, kept, spec, record);
  else
    kept.sha256 = own, kept.own_sha256.clear();
  for (const InputTable& input : table.inputs) {
    const auto known = record.inputs.find(input.name);
    const bool is_kept = known != record.inputs.end() && !known->second.file.empty() &&
                         std::filesystem::path(known->second.file).is_relative();
    kept = with_input(std::move(kept), input.name,
                      input.table->is_file && !is_kept ? input.table : keep_input(folder, input, record));
  }
  record.data.sha256 = kept.sha256;
  return std::make_shared<const DataTable>(std::move(kept));
}

}  // namespace greybox
