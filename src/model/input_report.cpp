// Inputs explained to their author.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "data/date.hpp"
#include "greybox/counted.hpp"
#include "model/data_report.hpp"

namespace greybox {
namespace {

std::string hold_text(const SignalSpec& signal) {
  std::string text;
  switch (signal.hold) {
    case Hold::linear:
      text = "linear between its values";
      break;
    case Hold::previous:
      text = "held from value to value";
      break;
    case Hold::cubic:
      text = "on a monotone cubic through its values";
      break;
    case Hold::bolus:
      text = fmt::format("amounts that `{}` jumps by", signal.into);
      break;
  }
  if (signal.delay_seconds > 0)
    text += fmt::format(", {:g} s later", signal.delay_seconds);
  else if (signal.delay > 0)
    text += fmt::format(", {:g} later", signal.delay);
  return text;
}

std::string moment(const DataTable& table, double time) {
  const auto unit = seconds_of(table.time_unit);
  if (table.has_dates && unit) return date_text(time * *unit);
  return fmt::format("{:.6g}", time);
}

// Of an input with a table of its own.
std::string table_text(const DataTable& own, const InputSignal& signal) {
  double low = INFINITY, high = -INFINITY;
  std::size_t n = 0;
  for (const SignalTrack& track : signal.tracks) {
    n += track.n_values;
    low = std::min(low, track.low);
    high = std::max(high, track.high);
  }
  const TimeSummary time = time_summary(own);
  std::string text = fmt::format("{} of {} at times of their own, {} to {}", counted(n, "value"), own.file,
                                 moment(own, time.first), moment(own, time.last));
  if (time.n_steps > 0)
    text += time.least_step == time.greatest_step
                ? fmt::format(", steps of {:.4g}", time.median_step)
                : fmt::format(", steps {:.4g} to {:.4g}", time.least_step, time.greatest_step);
  if (n > 0) text += fmt::format("; {:.4g} to {:.4g}", low, high);
  const bool has_series = own.series.size() > 1 || own.series.front().name != kWholeFile;
  return text + (has_series ? fmt::format("; for {} series", own.series.size()) : "; for all series");
}

std::string rows_text(const Column& column) {
  double low = INFINITY, high = -INFINITY;
  column.for_each([&](double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  });
  return fmt::format("at the rows of the data; {:.4g} to {:.4g}", low, high);
}

const InputSignal* signal_of(const WindowData& data, std::size_t input) {
  if (!data.signals) return nullptr;
  for (const auto* group : {&data.signals->signals, &data.signals->boluses})
    for (const InputSignal& signal : *group)
      if (signal.input == input) return &signal;
  return nullptr;
}

}  // namespace

std::string describe_inputs(const LoadedModel& loaded) {
  const ModelSpec& spec = *loaded.spec;
  std::string text;
  for (std::size_t j = 0; j < spec.inputs.size(); ++j) {
    std::string source = spec.signals[j].file.empty() ? "at the rows of the data" : spec.signals[j].file;
    if (loaded.data) {
      const WindowData& data = loaded.data->windows();
      const DataTable* own = data.table->find_input(spec.inputs[j].name);
      source = own != nullptr ? table_text(*own, *signal_of(data, j))
                              : rows_text(*data.columns[loaded.model->input_columns[j]]);
    }
    text += fmt::format("  {}: {}; {}\n", spec.inputs[j].name, source, hold_text(spec.signals[j]));
  }
  return text;
}

}  // namespace greybox
