#include "model/prepared_data.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "data/date.hpp"
#include "model/row_expression.hpp"
#include "model/start_slots.hpp"

namespace greybox {
namespace {

// Columns of the file that an equation of [inputs] reads, directly or through [data.columns].
std::vector<std::string> columns_of_file(const BoundModel& model, const Equation& equation,
                                         const DataTable& table) {
  DataTable extended;
  extended.file = table.file;
  for (const Column& column : table.columns)
    extended.columns.push_back({column.name, column.height, column.width, {}});
  for (const Equation& made : model.spec->data.columns)
    if (extended.find(made.name) == nullptr) extended.columns.push_back({made.name, 1, 1, {}});
  for (const Equation& input : model.spec->inputs)
    if (extended.find(input.name) == nullptr) extended.columns.push_back({input.name, 1, 1, {}});
  if (table.find_input(equation.name) != nullptr) return {};
  std::vector<std::string> names;
  for (const std::string& name : columns_read(model.spec, equation, extended))
    if (table.find(name) != nullptr) names.push_back(name);
  return names;
}

// Columns of the file that the model depends on, directly or through columns and inputs of its own.
std::vector<std::string> file_columns_used(const BoundModel& model, const DataTable& table) {
  std::set<std::string> used;
  for (const ModelColumn& column : model.columns)
    if (!column.is_input && table.find(column.name) != nullptr) used.insert(column.name);
  DataTable extended;  // names only: enough to see what each equation reads
  extended.file = table.file;
  for (const Column& column : table.columns)
    extended.columns.push_back({column.name, column.height, column.width, {}});
  const auto add_reads = [&](const Equation& equation) {
    for (const std::string& name : columns_read(model.spec, equation, extended))
      if (table.find(name) != nullptr) used.insert(name);
  };
  for (const Equation& equation : model.spec->data.columns) {
    add_reads(equation);
    extended.columns.push_back({equation.name, 1, 1, {}});
  }
  for (const Equation& equation : model.spec->inputs) {
    if (table.find_input(equation.name) == nullptr) add_reads(equation);
    if (extended.find(equation.name) == nullptr) extended.columns.push_back({equation.name, 1, 1, {}});
  }
  for (std::size_t s = 0; s < model.spec->starts.size(); ++s)
    if (model.spec->starts[s].kind == StartKind::smooth) add_reads(model.spec->state[s]);
  if (model.spec->data.drop) add_reads(*model.spec->data.drop);
  return {used.begin(), used.end()};
}

std::vector<const Column*> columns_of_inputs(const BoundModel& model, const DataTable& table) {
  std::vector<const Column*> columns;
  for (const Equation& equation : model.spec->inputs)
    for (const std::string& name : columns_of_file(model, equation, table))
      columns.push_back(table.find(name));
  return columns;
}

[[noreturn]] void refuse_no_windows(const DataTable& table, const DataAccount& account) {
  std::vector<std::string> reasons;
  const auto add = [&](std::size_t n, std::string_view why) {
    if (n > 0) reasons.push_back(fmt::format("{} {}", n, why));
  };
  add(account.n_dropped, "by `drop`");
  add(account.n_without_start, "because what they start from is missing");
  add(account.n_without_values, "because nothing is measured in them");
  add(account.n_straddling, "because they reach from one part of the split by time into another");
  throw InputError(
      Diagnostic{.file = table.file,
                 .message = fmt::format("no window is left: {}", fmt::join(reasons, ", ")),
                 .help = account.n_straddling > 0
                             ? "make windows shorter with `window.length` in [data]"
                             : "check the columns that the model reads, and `drop` and `missing` in [data]"});
}

}  // namespace

std::vector<std::string> column_names(const ModelSpec& spec, const DataTable& table) {
  std::vector<std::string> names;
  for (const Column& column : table.columns) names.push_back(column.name);
  for (const Equation& equation : spec.data.columns) names.push_back(equation.name);
  return names;
}

PreparedData::PreparedData(std::shared_ptr<const BoundModel> model, DataTable table)
    : model_(std::move(model)), table_(std::move(table)) {
  if (table_.time_unit.empty()) table_.time_unit = model_->spec->data.table.time_unit;
  check_repeated_times();
  treat_missing_values();
  add_columns();
  add_inputs();
  add_smoothed_starts();
  split_ = split_options();
  std::vector<Window> windows = make_windows(table_, window_options());
  drop_windows(windows);
  drop_unusable(windows);
  account_.n_straddling = drop_straddling(table_, windows, split_);
  if (windows.empty()) refuse_no_windows(table_, account_);
  check_covered(windows);
  data_ = view_windows(*model_, table_, std::move(windows));
  data_.signals = signals_;
  check_marching(*model_, data_);
}

void PreparedData::treat_missing_values() {
  const std::vector<std::string> used = file_columns_used(*model_, table_);
  account_.n_rows = table_.n_rows();
  std::vector<bool> is_complete(table_.n_rows(), true);
  for (const Column& column : table_.columns) {
    if (std::ranges::find(used, column.name) == used.end()) continue;
    if (const std::size_t n = count_missing(column); n > 0) account_.missing.push_back({column.name, n});
    for (std::size_t row = 0; row < table_.n_rows(); ++row)
      if (is_missing(column, row)) is_complete[row] = false;
  }
  if (model_->spec->data.missing == Missing::drop && !model_->spec->inputs.empty()) {
    const std::vector<const Column*> read = columns_of_inputs(*model_, table_);
    for (std::size_t row = 0; row < table_.n_rows(); ++row)
      if (!is_complete[row] &&
          std::ranges::none_of(read, [&](const Column* c) { return is_missing(*c, row); }))
        ++account_.n_rows_with_inputs;
  }
  treat_missing(table_, model_->spec->data.missing, used);
  account_.n_incomplete_rows = account_.n_rows - table_.n_rows();
}

void PreparedData::add_columns() {
  for (const Equation& equation : model_->spec->data.columns) {
    Column column = evaluate_rows(model_->spec, equation, table_);
    const auto found = std::ranges::find(table_.columns, column.name, &Column::name);
    if (found == table_.columns.end())
      table_.columns.push_back(std::move(column));
    else
      *found = std::move(column);
  }
}

void PreparedData::add_smoothed_starts() {
  const ModelSpec& spec = *model_->spec;
  for (std::size_t s = 0; s < spec.starts.size(); ++s) {
    if (spec.starts[s].kind != StartKind::smooth) continue;
    Column column = smoothed(evaluate_rows(model_->spec, spec.state[s], table_), table_,
                             spec.data.window.observed, spec.starts[s].order);
    column.name = smoothed_column_name(spec.state[s].name);
    table_.columns.push_back(std::move(column));
  }
}

double PreparedData::in_unit_of_time(double seconds, const SourceSpan& span) const {
  if (seconds == 0) return 0;
  const auto unit = seconds_of(table_.time_unit);
  if (!unit)
    throw InputError(
        at(*model_->spec->source, span,
           fmt::format("a duration, and nobody says what the times of {} are counted in", table_.file),
           "add `time_unit` to [data], such as time_unit = \"days\", or count snapshots"));
  return seconds / *unit;
}

WindowOptions PreparedData::window_options() const {
  const DataSpec& spec = model_->spec->data;
  WindowOptions options = spec.window;
  options.duration = in_unit_of_time(spec.durations.length, spec.durations.span);
  options.time_stride = in_unit_of_time(spec.durations.stride, spec.durations.span);
  if (model_->is_algebraic() && options.length == 0 && options.duration == 0) options.length = 1;
  return options;
}

SplitOptions PreparedData::split_options() const {
  SplitOptions options = model_->spec->data.split;
  const DurationSpec& durations = model_->spec->data.durations;
  if (durations.gap > 0) options.gap = in_unit_of_time(durations.gap, durations.span);
  return options;
}

void PreparedData::drop_windows(std::vector<Window>& windows) {
  if (!model_->spec->data.drop) return;
  const Column condition = evaluate_rows(model_->spec, *model_->spec->data.drop, table_);
  const auto holds_somewhere = [&](const Window& window) {
    for (std::size_t row = window.first_row; row < window.first_row + window.n_rows; ++row)
      for (std::size_t point = 0; point < condition.points(); ++point)
        if (const double value = condition.at(row, point); value != 0 && !std::isnan(value)) return true;
    return false;
  };
  account_.n_dropped = std::erase_if(windows, holds_somewhere);
}

// Windows that lack what they start from, or anything to be compared with.
void PreparedData::drop_unusable(std::vector<Window>& windows) {
  if (model_->spec->data.missing != Missing::skip) return;
  const WindowData view = view_windows(*model_, table_, {});
  const auto misses = [&](const Window& window) {
    return std::ranges::any_of(model_->leaves, [&](const LeafRef& leaf) {
      const bool is_read = leaf.kind == LeafKind::snapshot || leaf.kind == LeafKind::row;
      return is_read && is_missing(*view.columns[leaf.index], window.first_row + leaf.position);
    });
  };
  account_.n_without_start = std::erase_if(windows, misses);
  if (!view.misses_values) return;
  const auto has_nothing = [&](const Window& window) {
    for (std::size_t row = window.first_row + (model_->is_algebraic() ? 0 : 1);
         row < window.first_row + window.n_rows; ++row)
      for (const Observed& observed : model_->observed)
        if (!is_missing(*view.columns[observed.column], row)) return false;
    return true;
  };
  account_.n_without_values = std::erase_if(windows, has_nothing);
}

std::vector<std::size_t> PreparedData::of_split(Split split) const {
  const std::vector<Split> splits = split_windows(table_, data_.windows, split_);
  std::vector<std::size_t> found;
  for (std::size_t w = 0; w < splits.size(); ++w)
    if (splits[w] == split) found.push_back(w);
  return found;
}

std::vector<std::size_t> PreparedData::all() const {
  std::vector<std::size_t> everything(data_.windows.size());
  std::iota(everything.begin(), everything.end(), std::size_t{0});
  return everything;
}

}  // namespace greybox
