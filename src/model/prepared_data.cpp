#include "model/prepared_data.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "model/row_expression.hpp"

namespace greybox {
namespace {

// Columns of the file that the model depends on, directly or through columns and inputs of its own.
std::vector<std::string> file_columns_used(const BoundModel& model, const DataTable& table) {
  std::set<std::string> used;
  for (const ModelColumn& column : model.columns)
    if (table.find(column.name) != nullptr) used.insert(column.name);
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
  for (const Equation& equation : model.spec->inputs) add_reads(equation);
  if (model.spec->data.drop) add_reads(*model.spec->data.drop);
  return {used.begin(), used.end()};
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
  const DataSpec& spec = model_->spec->data;
  const std::size_t n_rows = table_.n_rows();
  treat_missing(table_, spec.missing, file_columns_used(*model_, table_));
  n_dropped_rows_ = n_rows - table_.n_rows();
  add_columns();
  WindowOptions options = spec.window;
  if (model_->is_algebraic() && options.length == 0) options.length = 1;
  std::vector<Window> windows = make_windows(table_, options);
  drop_windows(windows);
  data_ = view_windows(*model_, table_, std::move(windows));
}

void PreparedData::add_columns() {
  const auto put = [&](Column column) {
    const auto same = [&](const Column& known) { return known.name == column.name; };
    const auto found = std::find_if(table_.columns.begin(), table_.columns.end(), same);
    if (found == table_.columns.end())
      table_.columns.push_back(std::move(column));
    else
      *found = std::move(column);
  };
  for (const Equation& equation : model_->spec->data.columns)
    put(evaluate_rows(model_->spec, equation, table_));
  for (const Equation& equation : model_->spec->inputs) put(evaluate_rows(model_->spec, equation, table_));
}

void PreparedData::drop_windows(std::vector<Window>& windows) {
  if (!model_->spec->data.drop) return;
  const Column condition = evaluate_rows(model_->spec, *model_->spec->data.drop, table_);
  const auto holds_somewhere = [&](const Window& window) {
    for (std::size_t row = window.first_row; row < window.first_row + window.n_rows; ++row)
      for (std::size_t point = 0; point < condition.points(); ++point)
        if (condition.at(row, point) != 0) return true;
    return false;
  };
  n_dropped_windows_ = std::erase_if(windows, holds_somewhere);
}

std::vector<std::size_t> PreparedData::of_split(Split split) const {
  const std::vector<Split> splits = split_windows(table_, data_.windows, model_->spec->data.split);
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
