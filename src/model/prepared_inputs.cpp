// Inputs made of their equations: values at the rows of the data, and functions of time.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "core/nearest_name.hpp"
#include "data/date.hpp"
#include "data/row_groups.hpp"
#include "model/prepared_data.hpp"
#include "model/row_expression.hpp"

namespace greybox {
namespace {

// Times are read as decimal numbers and may differ in their last digits.
constexpr double kCoverSlack = 1e-9;

// Where a value is missing, the last one of the series still holds.
void hold_previous(const DataTable& table, Column& column) {
  const std::size_t points = column.points();
  std::vector<double> values(table.n_rows() * points);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = column.at(i / points, i % points);
  for (const Series& series : table.series)
    for (std::size_t i = (series.first_row + 1) * points; i < (series.first_row + series.n_rows) * points;
         ++i)
      if (std::isnan(values[i])) values[i] = values[i - points];
  column.values = std::move(values);
}

bool is_at_rows(const SignalSpec& signal) {
  return signal.delay == 0 && signal.delay_seconds == 0 &&
         (signal.hold == Hold::linear || signal.hold == Hold::previous);
}

bool tells_series_apart(const DataTable& table) {
  return table.series.size() > 1 || table.series.front().name != kWholeFile;
}

SignalTrack track_of_rows(const DataTable& table, const Series& rows, const Column& values,
                          const SignalSpec& spec, double delay) {
  std::vector<double> time, known;
  for (std::size_t row = rows.first_row; row < rows.first_row + rows.n_rows; ++row) {
    time.push_back(table.time[row]);
    known.push_back(values.at(row));
  }
  return make_track(spec.hold, time, known, delay);
}

std::string instant_text(const DataTable& table, double time) {
  const auto unit = seconds_of(table.time_unit);
  if (table.has_dates && unit) return date_text(time * *unit);
  return fmt::format("{:.6g}", time);
}

// The track of each series of the data among those of the input's own table; boluses may lack one.
std::vector<std::size_t> matched_series(const DataTable& data, const DataTable& own, const Equation& input,
                                        bool is_bolus) {
  if (!tells_series_apart(own) || (own.series.size() == 1 && !tells_series_apart(data)))
    return std::vector<std::size_t>(data.series.size(), 0);
  std::vector<std::string> names;
  for (const Series& series : own.series) names.push_back(series.name);
  std::vector<std::size_t> places;
  bool any = false;
  for (const Series& series : data.series) {
    const auto found = std::ranges::find(names, series.name);
    places.push_back(static_cast<std::size_t>(found - names.begin()));
    any |= found != names.end();
    if (found != names.end() || is_bolus) continue;
    const auto near = nearest_name(series.name, names);
    throw InputError(Diagnostic{
        .file = own.file,
        .message = fmt::format("{} has no values for series `{}`", input.where, series.name),
        .help = near ? fmt::format("did you mean `{}`, as the file calls one of its series?", *near)
                     : "add its rows, or leave out the series column where values are for all series"});
  }
  if (!any)
    throw InputError(
        Diagnostic{.file = own.file,
                   .message = fmt::format("none of its series is one of the data, whose first is `{}`",
                                          data.series.front().name),
                   .help = fmt::format("the file has {}", fmt::join(names, ", "))});
  return places;
}

// Series without rows are gone.
void follow_series(const std::vector<Series>& before, const std::vector<Series>& now,
                   std::vector<InputSignal>& signals) {
  if (before.size() == now.size()) return;
  for (InputSignal& signal : signals) {
    std::vector<std::size_t> track_of;
    for (const Series& series : now) {
      const auto found = std::ranges::find(before, series.name, &Series::name);
      track_of.push_back(signal.track_of[static_cast<std::size_t>(found - before.begin())]);
    }
    signal.track_of = std::move(track_of);
  }
}

// A stretch of a series of the data that an input does not reach over.
struct Uncovered {
  const DataTable& data;
  const std::string& series;
  double from, to;

  [[noreturn]] void refuse(const ModelSpec& spec, const InputSignal& signal, const SignalTrack& track) const {
    const Equation& input = spec.inputs[signal.input];
    const DataTable* own = data.find_input(input.name);
    const std::string window = fmt::format("a window of series `{}` reaches from {} to {}", series,
                                           instant_text(data, from), instant_text(data, to));
    const bool is_late = from < track.first;
    std::string known = track.empty() ? std::string("no values")
                        : signal.hold == Hold::previous
                            ? fmt::format("values from {} on", instant_text(data, track.first))
                            : fmt::format("values from {} to {}", instant_text(data, track.first),
                                          instant_text(data, track.last));
    const SignalSpec& said = spec.signals[signal.input];
    if (said.delay > 0 || said.delay_seconds > 0) known += ", its delay included";
    throw InputError(Diagnostic{
        .file = own != nullptr ? own->file : data.file,
        .message = fmt::format("{} has {}, and {}", input.where, known, window),
        .help = is_late ? "give earlier values, or leave out what is measured before them"
                        : "give later values, or write hold = \"previous\" where the last one stays"});
  }
};

}  // namespace

bool PreparedData::is_own(std::size_t input) const {
  return table_.find_input(model_->spec->inputs[input].name) != nullptr;
}

bool PreparedData::has_repeated_times() const {
  for (const Series& series : table_.series)
    for (std::size_t row = series.first_row + 1; row < series.first_row + series.n_rows; ++row)
      if (table_.time[row] == table_.time[row - 1]) return true;
  return false;
}

// They are steps of inputs, where there are any in the rows.
void PreparedData::check_repeated_times() const {
  for (std::size_t j = 0; j < model_->spec->inputs.size(); ++j)
    if (!is_own(j)) return;
  check_time(table_, table_.time_name.empty() ? "time" : table_.time_name);
}

InputSignal PreparedData::make_signal(std::size_t input, const Column& values) const {
  const ModelSpec& spec = *model_->spec;
  const SignalSpec& said = spec.signals[input];
  if (values.is_field())
    throw InputError(at(*spec.source, spec.inputs[input].name_span,
                        fmt::format("{} is a field, and here it must be a number", spec.inputs[input].where),
                        "only inputs at the rows of the data may be fields"));
  const DataTable* own = table_.find_input(spec.inputs[input].name);
  const DataTable& source = own != nullptr ? *own : table_;
  const double delay =
      said.delay_seconds > 0 ? in_unit_of_time(said.delay_seconds, said.delay_span) : said.delay;
  InputSignal signal{.input = input, .hold = said.hold};
  for (const Series& rows : source.series)
    signal.tracks.push_back(track_of_rows(source, rows, values, said, delay));
  if (own != nullptr) {
    signal.track_of = matched_series(table_, source, spec.inputs[input], said.hold == Hold::bolus);
    signal.tracks.emplace_back();  // of series without a bolus
  } else {
    for (std::size_t s = 0; s < table_.series.size(); ++s) signal.track_of.push_back(s);
  }
  if (said.hold != Hold::bolus) return signal;
  const auto into = std::ranges::find(model_->states, said.into, &BoundState::name);
  signal.into = static_cast<std::size_t>(into - model_->states.begin());
  if (into->shape == Shape::field)
    throw InputError(at(*spec.source, said.into_span,
                        fmt::format("the state `{}` is a field, and a bolus is a number", said.into),
                        "a bolus can act on states that are numbers"));
  return signal;
}

// Of an input that is made of the rows itself, missing where it is not known.
std::vector<double> PreparedData::at_rows(const InputSignal& signal, bool is_bolus) const {
  std::vector<double> values(table_.n_rows(), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t s = 0; s < table_.series.size(); ++s) {
    const Series& series = table_.series[s];
    const SignalTrack& track = signal.track(s);
    const std::size_t end = series.first_row + series.n_rows;
    for (std::size_t row = series.first_row; row < end; ++row) {
      const double time = table_.time[row];
      const double next = row + 1 < end ? table_.time[row + 1] : time;
      const double slack = kCoverSlack * std::max(1.0, std::abs(time));
      const bool is_known = !track.empty() && (is_own(signal.input) ||
                                               (time >= track.first - slack && time <= track.last + slack));
      if (is_bolus)
        values[row] = track.amount(time, next);
      else if (is_known)
        values[row] = track.at(time);
    }
  }
  return values;
}

// Behind the measured columns, none of which they replace.
void PreparedData::add_inputs() {
  const std::size_t first = table_.columns.size();
  const ModelSpec& spec = *model_->spec;
  const bool repeats = has_repeated_times();
  bool has_ends = spec.data.missing == Missing::skip && !spec.inputs.empty();
  for (std::size_t j = 0; j < spec.inputs.size(); ++j) {
    const DataTable* own = table_.find_input(spec.inputs[j].name);
    Column column = evaluate_rows(model_->spec, spec.inputs[j], own != nullptr ? *own : table_);
    if (own != nullptr || repeats || !is_at_rows(spec.signals[j])) {
      if (!signals_) signals_ = std::make_shared<InputSignals>();
      const bool is_bolus = spec.signals[j].hold == Hold::bolus;
      std::vector<InputSignal>& kept = is_bolus ? signals_->boluses : signals_->signals;
      kept.push_back(make_signal(j, column));
      column.values = at_rows(kept.back(), is_bolus);
      has_ends = true;
    } else if (spec.data.missing == Missing::skip && spec.signals[j].hold == Hold::previous) {
      hold_previous(table_, column);
    }
    table_.columns.push_back(std::move(column));
  }
  if (repeats) account_.n_repeated_rows = merge_repeated_rows(table_);
  if (!has_ends) return;
  const std::vector<Series> before = table_.series;
  account_.n_rows_without_inputs = bridge_missing(table_, first);
  if (!signals_) return;
  follow_series(before, table_.series, signals_->signals);
  follow_series(before, table_.series, signals_->boluses);
}

// Every window must have its inputs from its first to its last row.
void PreparedData::check_covered(const std::vector<Window>& windows) const {
  if (!signals_) return;
  for (const InputSignal& signal : signals_->signals)
    for (const Window& window : windows) {
      const SignalTrack& track = signal.track(window.series);
      const double from = table_.time[window.first_row],
                   to = table_.time[window.first_row + window.n_rows - 1];
      const double slack = kCoverSlack * std::max(1.0, std::max(std::abs(from), std::abs(to)));
      if (from >= track.first - slack && to <= track.last + slack) continue;
      Uncovered{table_, table_.series[window.series].name, from, to}.refuse(*model_->spec, signal, track);
    }
}

}  // namespace greybox
