#include "train/run_data.hpp"

#include <algorithm>

#include "core/checksum.hpp"
#include "data/table_writer.hpp"
#include "data/time_column.hpp"

namespace greybox {

bool keeps_own_data(const RunRecord& record) {
  return !record.data.file.empty() && std::filesystem::path(record.data.file).is_relative();
}

std::shared_ptr<const DataTable> read_recorded(const std::filesystem::path& folder, const RunRecord& record,
                                               const ModelSpec& spec) {
  const TableOptions options = keeps_own_data(record) ? options_of_copy(spec.data.table) : spec.data.table;
  return std::make_shared<const DataTable>(read_table(folder / record.data.file, options));
}

// Fields need npz; everything else is kept as a table that people can read.
std::shared_ptr<const DataTable> keep_table(const std::filesystem::path& folder, const DataTable& table,
                                            const ModelSpec& spec, RunRecord& record) {
  const bool has_fields = std::any_of(table.columns.begin(), table.columns.end(),
                                      [](const Column& column) { return column.is_field(); });
  record.data.file = has_fields ? "data.npz" : "data.csv";
  const std::filesystem::path file = folder / record.data.file;
  write_table(file, table, spec.data.table);
  record.data.sha256 = sha256_of_file(file);
  DataTable kept = table;
  kept.file = file.string();
  kept.is_file = true;
  kept.sha256 = record.data.sha256;
  return std::make_shared<const DataTable>(std::move(kept));
}

}  // namespace greybox
