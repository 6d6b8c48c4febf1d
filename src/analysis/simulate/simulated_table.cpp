#include "analysis/simulate/simulated_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "core/nearest_name.hpp"
#include "core/refuse.hpp"
#include "data/date.hpp"

namespace greybox {
namespace {

constexpr std::size_t kMostSimulatedRows = 1'000'000;
// Times are read as decimal numbers and may differ in their last digits.
constexpr double kSameTime = 1e-9;

std::string input_column_name(std::size_t input) {
  return fmt::format("greybox_input_{}", input);
}

void check_states(const BoundModel& model, const SimulationStart& start, bool has_row) {
  std::vector<std::string> names;
  for (const BoundState& state : model.states) names.push_back(state.name);
  for (const auto& [name, value] : start.states) {
    const auto found = std::ranges::find(model.states, name, &BoundState::name);
    if (found == model.states.end()) {
      const auto near = nearest_name(name, names);
      refuse_option(
          "start", fmt::format("the model has no state `{}`", name),
          near ? fmt::format("did you mean `{}`?", *near) : fmt::format("it has {}", fmt::join(names, ", ")));
    }
    if (found->shape == Shape::field)
      refuse_option("start", fmt::format("the state `{}` is a field, not a number", name),
                    "start from a window of the data");
    if (!std::isfinite(value))
      refuse_option("start", fmt::format("the state `{}` starts at {}", name, value), "give a number");
  }
  for (const std::string& name : names)
    if (!has_row && !start.states.contains(name))
      refuse_option(
          "start", fmt::format("no value is given for the state `{}`", name),
          fmt::format("give all of {}, or start from a window of the data", fmt::join(names, ", ")));
}

// What the model must see of the data before it can go on alone.
std::size_t n_seen(const BoundModel& model, const SimulationStart& start, bool has_row,
                   bool reads_estimator) {
  for (std::size_t s = 0; s < model.states.size(); ++s)
    if (model.spec->starts[s].kind != StartKind::equation && !start.states.contains(model.states[s].name))
      return model.spec->data.window.observed;
  for (const BoundNetwork& network : model.networks) {
    if (!network.spec->reads_window || (network.is_estimator && !reads_estimator)) continue;
    if (!has_row)
      throw InputError(at(
          *model.spec->source, network.spec->span,
          fmt::format("the network `{}` reads the window, and values of states are none", network.spec->name),
          "start from a window of the data"));
    return model.spec->data.window.observed;
  }
  return 1;
}

Equation with_text(Equation equation, std::string text) {
  equation.syntax = parse_equation(text);
  equation.text = std::move(text);
  equation.is_literal = false;
  return equation;
}

// Columns stand in the table as they are, inputs have tables of their own unless they are fields, the series
// is one window, and given states are numbers.
std::shared_ptr<const ModelSpec> simulated_spec(const BoundModel& model, const SimulationStart& start) {
  const ModelSpec& from = *model.spec;
  ModelSpec spec = from;
  for (std::size_t s = 0; s < spec.state.size(); ++s)
    if (const auto given = start.states.find(spec.state[s].name); given != start.states.end()) {
      spec.state[s] = with_text(spec.state[s], fmt::format("{}", given->second));
      spec.starts[s] = StartSpec{};
    }
  for (std::size_t i = 0; i < spec.inputs.size(); ++i) {
    spec.inputs[i] = with_text(spec.inputs[i], input_column_name(i));
    spec.signals[i].file.clear();
    if (!spec.grid.fields.empty() && model.columns[model.input_columns[i]].shape == Shape::field)
      spec.grid.fields.push_back(input_column_name(i));
  }
  spec.data.columns.clear();
  spec.data.drop.reset();
  spec.data.missing = Missing::skip;
  spec.data.window = {.length = 0, .observed = from.data.window.observed};
  spec.data.split = {};
  spec.data.durations = {};
  return std::make_shared<const ModelSpec>(std::move(spec));
}

// A bolus need not come, and what is held stays.
void check_reach(const SimulatedSpan& span, const InputSeries& inputs, std::size_t input,
                 const ModelSpec& spec) {
  const SignalSpec& signal = spec.signals[input];
  if (signal.hold == Hold::bolus) return;
  const std::vector<double>& time = inputs.inputs[input].time;
  const auto unit = seconds_of(spec.data.table.time_unit);
  const double delay = signal.delay + (unit ? signal.delay_seconds / *unit : 0);
  const double slack = kSameTime * std::max(1.0, std::abs(span.start) + span.horizon);
  const double begin = time.front() + delay, last = time.back() + delay, end = span.start + span.horizon;
  if (begin > span.start + slack)
    refuse(inputs.source,
           fmt::format("the inputs begin at time {:.6g}{}, after the start at {:.6g}", begin,
                       delay > 0 ? " with their delay" : "", span.start),
           "give inputs from the start on, or start later");
  if (last < end - slack && signal.hold != Hold::previous)
    refuse(inputs.source,
           fmt::format("the inputs end at time {:.6g}, before the simulation does at {:.6g}", last, end),
           fmt::format("give later rows, or a horizon of at most {:.6g}", last - span.start));
}

void check_span(const SimulatedSpan& span, const InputSeries& inputs, const BoundModel& model) {
  if (!(span.horizon > 0) || !std::isfinite(span.horizon))
    refuse_option("horizon", fmt::format("a simulation cannot last {}", span.horizon),
                  "give a length of time above 0");
  if (!(span.step > 0) || !std::isfinite(span.step))
    refuse_option("step", fmt::format("{} is no time between outputs", span.step), "give a number above 0");
  if (span.horizon / span.step > static_cast<double>(kMostSimulatedRows))
    refuse_option("step", fmt::format("that makes more than {} output times", kMostSimulatedRows),
                  "make the step longer or the horizon shorter");
  if (model.input_columns.empty()) return;
  if (inputs.empty())
    refuse_option("inputs", "the model has inputs, and nothing says what they are",
                  "give a table with a time and the columns that [inputs] reads, or start in the data");
  for (std::size_t i = 0; i < inputs.inputs.size(); ++i) check_reach(span, inputs, i, *model.spec);
}

// Times of rows, with the output rows among those after the first.
struct Rows {
  std::vector<double> time;
  std::vector<std::size_t> outputs;
};

Rows make_rows(const SimulatedSpan& span, std::vector<double> seen) {
  const double end = span.start + span.horizon, slack = kSameTime * span.step;
  const auto n_steps = static_cast<std::size_t>(span.horizon / span.step + kSameTime);
  Rows rows{std::move(seen), {}};
  std::vector<double> outputs;
  for (std::size_t k = 1; k <= n_steps; ++k)
    outputs.push_back(span.start + static_cast<double>(k) * span.step);
  if (outputs.empty() || outputs.back() < end - slack) outputs.push_back(end);
  const double last_seen = rows.time.back();
  for (const double t : outputs)
    if (t > last_seen + slack) rows.time.push_back(t);
  for (std::size_t i = 1; i < rows.time.size(); ++i) rows.outputs.push_back(i);
  return rows;
}

bool is_field_input(const BoundModel& model, std::size_t input) {
  return model.columns[model.input_columns[input]].shape == Shape::field;
}

// One input's values, as a table of its own.
std::shared_ptr<const DataTable> input_table(const InputSeries& inputs, std::size_t input) {
  DataTable table;
  table.file = inputs.source;
  table.time = inputs.inputs[input].time;
  table.lines.resize(table.time.size());
  table.series = {{std::string(kWholeFile), 0, table.time.size()}};
  table.columns = {{input_column_name(input), 1, 1, inputs.inputs[input].values}};
  return std::make_shared<const DataTable>(std::move(table));
}

Column empty_column(std::string name, const ModelColumn& wanted, const BoundModel& model) {
  const bool is_field = wanted.shape == Shape::field;
  return {std::move(name), is_field ? model.grid().height : 1, is_field ? model.grid().width : 1, {}};
}

// A field's values at the rows of the simulation.
Column field_input(const BoundModel& model, const InputSeries& inputs, std::size_t input,
                   const std::vector<double>& times) {
  Column column = empty_column(input_column_name(input), model.columns[model.input_columns[input]], model);
  std::vector<double> values;
  for (const double t : times)
    for (std::size_t point = 0; point < column.points(); ++point)
      values.push_back(inputs.inputs[input].at(t, point));
  column.values = std::move(values);
  return column;
}

// Data that the model sees in the first rows; later rows have numbers that are compared with nothing.
Column seen_column(const ModelColumn& wanted, const BoundModel& model, const std::optional<StartRow>& row,
                   std::size_t n_seen_rows, std::size_t n_rows) {
  Column column = empty_column(wanted.name, wanted, model);
  std::vector<double> values(n_rows * column.points());
  const Column* source = row ? row->loaded->data->table().find(wanted.name) : nullptr;
  for (std::size_t i = 0; source != nullptr && i < n_seen_rows * column.points(); ++i)
    values[i] = source->at(row->row + i / column.points(), i % column.points());
  column.values = std::move(values);
  return column;
}

std::vector<double> seen_times(const SimulatedSpan& span, const std::optional<StartRow>& row, std::size_t n) {
  if (!row) return {span.start};
  const DataTable& table = row->loaded->data->table();
  const Series& series = table.series[row->series];
  if (row->row + n > series.first_row + series.n_rows)
    refuse_option(
        "start",
        fmt::format("series `{}` ends before the {} rows that the model reads there", series.name, n),
        "start earlier");
  const auto first = table.time.begin() + static_cast<std::ptrdiff_t>(row->row);
  return {first, first + static_cast<std::ptrdiff_t>(n)};
}

}  // namespace

std::optional<StartRow> find_start(const OpenedRun& run, const SimulationStart& start) {
  if (std::holds_alternative<std::monostate>(start.at)) return std::nullopt;
  const PreparedData& data = *run.loaded.data;
  const DataTable& table = data.table();
  if (const auto* index = std::get_if<WindowIndex>(&start.at)) {
    const std::vector<Window>& windows = data.windows().windows;
    if (index->index >= windows.size())
      refuse_option("start", fmt::format("there is no window {}", index->index),
                    fmt::format("they are counted from 0 to {}", windows.size() - 1));
    return StartRow{&run.loaded, windows[index->index].series, windows[index->index].first_row};
  }
  const auto& wanted = std::get<WindowAt>(start.at);
  std::vector<std::string> names;
  for (const Series& series : table.series) names.push_back(series.name);
  const auto found = std::ranges::find(names, wanted.series);
  if (found == names.end()) {
    const auto near = nearest_name(wanted.series, names);
    refuse_option(
        "start", fmt::format("the data have no series `{}`", wanted.series),
        near ? fmt::format("did you mean `{}`?", *near) : fmt::format("the first is `{}`", names.front()));
  }
  const auto which = static_cast<std::size_t>(found - names.begin());
  const Series& series = table.series[which];
  std::size_t nearest = series.first_row;
  for (std::size_t row = series.first_row; row < series.first_row + series.n_rows; ++row)
    if (std::abs(table.time[row] - wanted.time) < std::abs(table.time[nearest] - wanted.time)) nearest = row;
  if (std::abs(table.time[nearest] - wanted.time) > kSameTime * std::max(1.0, std::abs(wanted.time)))
    refuse_option("start", fmt::format("series `{}` has no row at time {}", wanted.series, wanted.time),
                  fmt::format("the nearest is at {}", table.time[nearest]));
  return StartRow{&run.loaded, which, nearest};
}

SimulatedTable simulated_table(const OpenedRun& run, const SimulationStart& start,
                               const std::optional<StartRow>& row, const InputSeries& inputs,
                               const SimulatedSpan& span, bool reads_estimator) {
  const BoundModel& model = *run.loaded.model;
  check_states(model, start, row.has_value());
  check_span(span, inputs, model);
  const std::size_t n = n_seen(model, start, row.has_value(), reads_estimator);
  const Rows rows = make_rows(span, seen_times(span, row, n));
  DataTable table;
  table.file = row ? row->loaded->data->table().file : "simulation";
  if (run.loaded.data) table.time_unit = run.loaded.data->table().time_unit;
  table.time = rows.time;
  table.lines.resize(rows.time.size());
  table.series = {{std::string(kWholeFile), 0, rows.time.size()}};
  for (const ModelColumn& wanted : model.columns)
    if (!wanted.is_input) table.columns.push_back(seen_column(wanted, model, row, n, rows.time.size()));
  for (std::size_t i = 0; i < model.input_columns.size(); ++i)
    if (is_field_input(model, i))
      table.columns.push_back(field_input(model, inputs, i, rows.time));
    else
      table.inputs.push_back({model.spec->inputs[i].name, input_table(inputs, i)});
  const auto shared = std::make_shared<const DataTable>(std::move(table));
  return {assemble(simulated_spec(model, start), shared, std::vector<std::string>{}), rows.outputs,
          span.start};
}

}  // namespace greybox
