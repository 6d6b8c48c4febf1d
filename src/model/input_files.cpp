// The files of their own that inputs have, and the tables read from them.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "model/loaded_model.hpp"

namespace greybox {
namespace {

// One table for all inputs that read a file the same way.
using ReadFiles =
    std::map<std::tuple<std::string, std::string, std::string>, std::shared_ptr<const DataTable>>;

void check_times(const ModelSpec& spec, const SignalSpec& signal, const DataTable& own,
                 const DataTable& data) {
  if (own.time_name.empty())
    throw InputError(at(*spec.source, signal.file_span,
                        fmt::format("{} has no column that is the time", own.file),
                        "an input's own file says when each value holds: add a column `time`, or name it by "
                        "`time` beside `file`"));
  if (own.has_dates == data.has_dates) return;
  throw InputError(
      at(*spec.source, signal.file_span,
         fmt::format("the times of {} are {}, and those of {} are {}", own.file,
                     own.has_dates ? "dates" : "numbers", data.file, data.has_dates ? "dates" : "numbers"),
         "write both the same way: they are on one clock"));
}

std::shared_ptr<const DataTable> read_input(const ModelSpec& spec, std::size_t input, ReadFiles& read) {
  const SignalSpec& signal = spec.signals[input];
  std::shared_ptr<const DataTable>& table = read[{signal.file, signal.time, signal.series}];
  if (table) return table;
  const std::filesystem::path path = std::filesystem::path(spec.source->path).parent_path() / signal.file;
  if (!std::filesystem::exists(path))
    throw InputError(at(*spec.source, signal.file_span,
                        fmt::format("there is no file {} for {}", path.string(), spec.inputs[input].where),
                        "paths are relative to the model file"));
  table = std::make_shared<const DataTable>(read_table(path, input_options(spec, input)));
  return table;
}

}  // namespace

TableOptions input_options(const ModelSpec& spec, std::size_t input) {
  const SignalSpec& signal = spec.signals[input];
  TableOptions options = spec.data.table;
  options.may_lack_time = signal.time.empty();
  options.may_lack_series = signal.series.empty();
  options.may_lack_renamed = true;
  if (!signal.time.empty()) options.time_column = signal.time;
  if (!signal.series.empty()) options.series_column = signal.series;
  options.variable_column.clear();
  options.value_column.clear();
  options.columns_read.clear();
  options.needs_time = true;
  options.may_repeat_times = true;
  return options;
}

std::shared_ptr<const DataTable> with_own_inputs(const ModelSpec& spec,
                                                 std::shared_ptr<const DataTable> table) {
  ReadFiles read;
  for (std::size_t j = 0; j < spec.inputs.size(); ++j) {
    if (spec.signals[j].file.empty() || table->find_input(spec.inputs[j].name) != nullptr) continue;
    std::shared_ptr<const DataTable> own = read_input(spec, j, read);
    check_times(spec, spec.signals[j], *own, *table);
    table = std::make_shared<const DataTable>(with_input(*table, spec.inputs[j].name, std::move(own)));
  }
  return table;
}

}  // namespace greybox
