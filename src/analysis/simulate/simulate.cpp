// Simulations as their users ask for them.
#include "greybox/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "analysis/run/theta_choice.hpp"
#include "analysis/run/window_choice.hpp"
#include "analysis/simulate/predictive_bands.hpp"
#include "analysis/simulate/simulated_table.hpp"
#include "core/median.hpp"
#include "core/refuse.hpp"
#include "core/stage_progress.hpp"
#include "model/point_evaluator.hpp"
#include "model/theta.hpp"

namespace greybox {
namespace {

// Of each variable, over all members of the ensemble: more windows would not tell more.
constexpr std::size_t kMostCheckedValues = 4'000'000;
constexpr std::size_t kMostCheckedWindows = 300;

void check(const SimulateOptions& options) {
  if (!(options.level > 0 && options.level < 1))
    refuse_option("level", fmt::format("{} is no share of values", options.level),
                  "give a number between 0 and 1, such as 0.9");
  if (options.draws == 0) refuse_option("draws", "there are no draws to make bands of", "give at least 1");
  if (options.conformal && !options.bands)
    refuse_option("conformal", "there are no bands to correct", "ask for bands too");
}

// Data are needed to start in, to measure noise on, or to see how far apart outputs should be.
OpenedRun open_for(const Run& handle, const SimulateOptions& options) {
  const bool has_start = !std::holds_alternative<std::monostate>(options.start.at) && !options.data;
  if (options.bands || has_start || !options.step) return open_run(handle);
  RunState& state = handle.state();
  require_finished(state);
  OpenedRun run{.handle = handle,
                .loaded = assemble(state.model.spec(), nullptr, std::vector<std::string>{})};
  run.record = handle.record();
  run.weights = state.weights;
  return run;
}

double usual_step(const DataTable& table) {
  std::vector<double> steps;
  for (const Series& series : table.series)
    for (std::size_t row = series.first_row + 1; row < series.first_row + series.n_rows; ++row)
      steps.push_back(table.time[row] - table.time[row - 1]);
  return median_of(std::move(steps));
}

// Whether every input has a file of its own: those tell what the inputs are wherever it starts.
bool has_own_inputs(const ModelSpec& spec) {
  return std::ranges::none_of(spec.signals, [](const SignalSpec& one) { return one.file.empty(); });
}

InputSeries find_inputs(const Run& handle, const OpenedRun& source, const SimulateOptions& options,
                        const std::optional<StartRow>& row) {
  const std::shared_ptr<const ModelSpec>& spec = source.loaded.spec;
  if (spec->inputs.empty()) return {};
  const std::string series = row ? row->loaded->data->table().series[row->series].name : "";
  const bool has_files =
      std::ranges::any_of(spec->signals, [](const SignalSpec& one) { return !one.file.empty(); });
  std::shared_ptr<const DataTable> others;
  if (row || has_files)
    others = options.data ? with_run_inputs(handle.state(), options.data->data()) : own_table(handle.state());
  if (options.inputs) return inputs_of_table(spec, *options.inputs->data(), others.get(), series);
  if (row) return inputs_of_table(spec, *others, nullptr, series);
  if (!has_own_inputs(*spec)) return {};
  return inputs_of_table(spec, *others->inputs.front().table, others.get(), series);
}

SimulatedSpan find_span(const OpenedRun& own, const SimulateOptions& options,
                        const std::optional<StartRow>& row, const InputSeries& inputs) {
  SimulatedSpan span;
  if (row)
    span.start = row->loaded->data->table().time[row->row];
  else
    span.start = options.start.time.value_or(inputs.empty() ? 0 : inputs.time.front());
  std::optional<double> end;
  if (row) {
    const Series& series = row->loaded->data->table().series[row->series];
    end = row->loaded->data->table().time[series.first_row + series.n_rows - 1];
  }
  if (options.inputs && !inputs.empty()) end = inputs.time.back();
  if (!options.horizon && !end)
    refuse_option("horizon", "nothing says how long the simulation lasts", "give a length of time");
  span.horizon = options.horizon ? *options.horizon : *end - span.start;
  span.step = options.step ? *options.step : std::min(usual_step(own.loaded.data->table()), span.horizon);
  return span;
}

std::vector<MeasuredPoints> measured_points(const StartRow& row, double end) {
  std::vector<MeasuredPoints> points;
  const PreparedData& data = *row.loaded->data;
  const Series& series = data.table().series[row.series];
  for (const Observed& observed : row.loaded->model->observed) {
    const Column& column = *data.windows().columns[observed.column];
    if (column.is_field()) continue;
    MeasuredPoints& one = points.emplace_back(MeasuredPoints{observed.name, {}, {}});
    for (std::size_t k = row.row; k < series.first_row + series.n_rows && data.table().time[k] <= end; ++k) {
      if (std::isnan(column.at(k))) continue;
      one.time.push_back(data.table().time[k]);
      one.values.push_back(column.at(k));
    }
  }
  return points;
}

// Starts are those of the window that begins in the row, or fitted to the rows that the model sees.
std::vector<double> simulated_weights(const OpenedRun& own, const OpenedRun& source,
                                      const LoadedModel& loaded, const std::optional<StartRow>& row) {
  std::vector<double> weights = weights_for(own, loaded, own.weights, own.record);
  if (loaded.model->starts.empty() || !row) return weights;
  const WindowData& data = source.loaded.data->windows();
  const auto window = std::ranges::find(data.windows, row->row, &Window::first_row);
  if (window == data.windows.end()) return weights;
  const NetworkSet<double> from(*source.loaded.model), to(*loaded.model);
  for (std::size_t k = 0; k < loaded.model->starts.size(); ++k) {
    const std::string& state = loaded.model->states[loaded.model->starts[k].state].name;
    for (std::size_t j = 0; j < source.loaded.model->starts.size(); ++j) {
      if (source.loaded.model->states[source.loaded.model->starts[j].state].name != state) continue;
      const std::size_t slot = data.start_slots[j][static_cast<std::size_t>(window - data.windows.begin())];
      std::copy_n(source.weights.begin() + static_cast<std::ptrdiff_t>(from.start_offset(j, slot)),
                  loaded.model->start_width(),
                  weights.begin() + static_cast<std::ptrdiff_t>(to.start_offset(k, 0)));
    }
  }
  return weights;
}

// Values of the variables of a prediction at the start itself, in the same order.
std::vector<std::vector<double>> start_values(const SimulatedTable& table, const Prediction& prediction,
                                              std::span<const double> weights) {
  Evaluator evaluator = make_evaluator(table.loaded, weights, prediction.theta, 0);
  std::vector<double> state(evaluator.n_states());
  evaluator.initial_state(state);
  const auto all_of = [&](Evaluator::Quantity quantity) {
    std::vector<double> values(evaluator.size(quantity));
    evaluator.evaluate(quantity, 0, state, values);
    return values;
  };
  const auto part = [](const std::vector<double>& values, std::size_t& first, std::size_t n) {
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(first);
    first += n;
    return std::vector<double>(begin, begin + static_cast<std::ptrdiff_t>(n));
  };
  const std::vector<double> observed = all_of(Evaluator::Quantity::observed),
                            theory = all_of(Evaluator::Quantity::theory),
                            network = all_of(Evaluator::Quantity::network);
  std::vector<std::vector<double>> values;
  std::size_t at_observed = 0, at_theory = 0, at_network = 0, at_state = 0;
  for (const Evaluator::Variable& one : evaluator.outputs())
    values.push_back(part(observed, at_observed, one.points()));
  for (const Evaluator::Variable& one : evaluator.states()) {
    values.push_back(part(theory, at_theory, one.points()));
    values.push_back(part(network, at_network, one.points()));
  }
  for (const Evaluator::Variable& one : evaluator.states())
    values.push_back(part(state, at_state, one.points()));
  return values;
}

// One simulated start: what is behind it, in one place.
struct Simulating {
  const SimulateOptions& options;
  const OpenedRun& own;
  SimulatedTable table;
  std::vector<double> theta;
  // The run's, with the starts of the simulation.
  std::vector<double> weights;
  ThreadPool& pool;
  StageProgress stage;

  void add_variables(Simulation& simulation) const;
  void add_inputs(Simulation& simulation) const;
  void add_bands(Simulation& simulation) const;

 private:
  Ensemble ensemble(Simulation& simulation) const;
  BandSettings settings(const Ensemble& ensemble, Simulation& simulation) const;
  EnsemblePrediction on(const LoadedModel& loaded, const Ensemble& ensemble,
                        std::vector<std::size_t> windows) const {
    return {loaded, ensemble, std::move(windows), pool, [&] { stage.stop_if_cancelled(); }};
  }
  // Of the run's own data, no more than tell enough.
  std::vector<std::size_t> some_windows(Split split, const Ensemble& ensemble) const;
};

void Simulating::add_variables(Simulation& simulation) const {
  const Prediction prediction = make_prediction<double>(table.loaded, {weights, {0}, theta, {}, true}, pool);
  const std::vector<std::vector<double>> at_start = start_values(table, prediction, weights);
  simulation.theta = theta_by_name(*table.loaded.spec, prediction.theta);
  simulation.parameters = prediction.parameters;
  for (const std::string& warning : prediction.warnings)
    if (warning.starts_with("window 0: ")) simulation.warnings.push_back(warning.substr(10));
  simulation.time = {table.start};
  for (const std::size_t row : table.output_rows) simulation.time.push_back(prediction.time[row - 1]);
  for (std::size_t v = 0; v < prediction.variables.size(); ++v) {
    const PredictedVariable& from = prediction.variables[v];
    SimulatedVariable variable{from.name, from.height, from.width, at_start[v]};
    const std::size_t points = from.height * from.width;
    for (const std::size_t row : table.output_rows)
      for (std::size_t p = 0; p < points; ++p) variable.values.push_back(from.values[(row - 1) * points + p]);
    simulation.variables.push_back(std::move(variable));
  }
}

void Simulating::add_inputs(Simulation& simulation) const {
  const BoundModel& model = *table.loaded.model;
  for (std::size_t i = 0; i < model.input_columns.size(); ++i) {
    const Column& column = *table.loaded.data->windows().columns[model.input_columns[i]];
    SimulatedVariable variable{
        "input." + model.columns[model.input_columns[i]].name, column.height, column.width, {}};
    const auto add = [&](std::size_t row) {
      for (std::size_t p = 0; p < column.points(); ++p) variable.values.push_back(column.at(row, p));
    };
    add(0);
    for (const std::size_t row : table.output_rows) add(row);
    simulation.variables.push_back(std::move(variable));
  }
}

Ensemble Simulating::ensemble(Simulation& simulation) const {
  Ensemble ensemble{gather_networks(own, {options.seeds, options.with}, options.execution), {}};
  for (const std::string& warning : ensemble.networks.warnings) simulation.warnings.push_back(warning);
  const bool has_values = !options.theta.empty();
  const bool is_drawn = !has_values && options.theta_from == ThetaFrom::posterior;
  const bool is_own =
      !has_values && (options.theta_from == ThetaFrom::run ||
                      (options.theta_from == ThetaFrom::automatic && own.loaded.model->estimator.empty()));
  for (const Theta& learned : ensemble.networks.theta) {
    if (is_drawn)
      ensemble.theta.push_back(posterior_draws(own, options.draws));
    else if (is_own && !learned.empty())
      ensemble.theta.push_back({theta_from(*own.loaded.spec, learned)});
    else
      ensemble.theta.push_back({theta});
  }
  simulation.n_networks = ensemble.networks.size();
  simulation.n_draws = ensemble.n_draws();
  return ensemble;
}

std::vector<std::size_t> Simulating::some_windows(Split split, const Ensemble& ensemble) const {
  const std::vector<std::size_t> windows = own.loaded.data->of_split(split);
  const std::size_t values = std::max<std::size_t>(
      own.loaded.data->windows().longest() * own.loaded.model->points(Shape::field) * ensemble.size(), 1);
  return stratified_draw(windows,
                         std::clamp<std::size_t>(kMostCheckedValues / values, 1, kMostCheckedWindows), 0);
}

BandSettings Simulating::settings(const Ensemble& ensemble, Simulation& simulation) const {
  const BoundModel& model = *own.loaded.model;
  BandSettings settings{options.level, {}, std::vector<double>(model.observed.size(), 1)};
  const bool has_validation = !own.loaded.data->of_split(Split::validation).empty();
  if (options.conformal && !has_validation)
    refuse_option("conformal", "there are no validation windows to correct the bands on",
                  "give `split` of [data] a part for validation");
  // Conformal prediction judges the bands on the validation windows, which must not have made them.
  const Split noise = has_validation && !options.conformal ? Split::validation : Split::train;
  if (!has_validation)
    simulation.warnings.push_back(
        "there are no validation windows: the noise is that of the training windows, and may be too small");
  settings.noise = measured_noise(model, on(own.loaded, ensemble, some_windows(noise, ensemble)));
  simulation.noise_on = to_string(noise);
  if (!options.conformal) return settings;
  settings.factor =
      conformal_factors(model, on(own.loaded, ensemble, some_windows(Split::validation, ensemble)), settings);
  return settings;
}

void Simulating::add_bands(Simulation& simulation) const {
  const BoundModel& model = *table.loaded.model;
  const Ensemble members = ensemble(simulation);
  const BandSettings settings = this->settings(members, simulation);
  simulation.level = settings.level;
  Split checked = Split::test;
  if (own.loaded.data->of_split(checked).empty()) checked = Split::validation;
  const std::vector<std::size_t> windows = some_windows(checked, members);
  if (!windows.empty()) {
    simulation.checks = check_bands(model, on(own.loaded, members, windows), settings);
    simulation.checked_on = to_string(checked);
    simulation.n_checked_windows = windows.size();
    if (checked == Split::validation)
      simulation.warnings.push_back(
          "there are no test windows: the bands were checked on the windows that they were made from");
  } else {
    for (std::size_t o = 0; o < model.observed.size(); ++o)
      simulation.checks.push_back({.name = model.observed[o].name, .noise = settings.noise[o]});
  }
  Ensemble started = members;
  for (std::vector<double>& of_network : started.networks.weights)
    of_network = weights_for(own, table.loaded, of_network, own.record);
  if (!started.networks.weights.empty()) started.networks.weights.front() = weights;
  const EnsemblePrediction predictions = on(table.loaded, started, {0});
  std::vector<double> scratch;
  for (std::size_t v = 0; v < predictions.variables().size(); ++v) {
    const bool is_observed = v < model.observed.size();
    if (!is_observed && members.size() == 1) continue;
    SimulatedVariable& variable = simulation.variables[v];
    const std::size_t points = variable.height * variable.width;
    const auto add = [&](const BandInterval& band) {
      variable.low.push_back(band.low);
      variable.high.push_back(band.high);
    };
    for (std::size_t p = 0; p < points; ++p)
      add(mixture_interval(std::span(variable.values).subspan(p, 1),
                           is_observed ? settings.factor[v] * settings.noise[v] : 0, settings.level));
    for (const std::size_t row : table.output_rows)
      for (std::size_t place = (row - 1) * points; place < row * points; ++place) {
        if (is_observed) {
          add(band_at(predictions, settings, v, place, scratch));
          continue;
        }
        predictions.members_at(v, place, scratch);
        add(mixture_interval(scratch, 0, settings.level));
      }
  }
}

}  // namespace

const SimulatedVariable& Simulation::variable(const std::string& name) const {
  for (const SimulatedVariable& one : variables)
    if (one.name == name) return one;
  throw std::out_of_range(fmt::format("the simulation has no variable `{}`", name));
}

Simulation simulate(const Run& handle, const SimulateOptions& options) {
  check(options);
  if (handle.model().is_algebraic())
    refuse(handle.model().spec()->source->path, "there is no [state] to simulate",
           "a model without states is asked with `predict`");
  const OpenedRun own = open_for(handle, options);
  const std::optional<OpenedRun> other =
      options.data ? std::optional(open_run(handle, {options.data->data()})) : std::nullopt;
  const OpenedRun& source = other ? *other : own;
  const std::optional<StartRow> row = find_start(source, options.start);
  if (row && options.start.time)
    refuse_option("start_time", "a row of the data has a time of its own", "leave it out");
  const InputSeries inputs = find_inputs(handle, source, options, row);
  const SimulatedSpan span = find_span(own, options, row, inputs);
  const std::vector<double> theta = chosen_theta(own, options.theta, options.theta_from);
  const bool reads_estimator = theta.empty() && !own.loaded.spec->parameters.empty();
  ThreadPool pool(options.execution.n_threads);
  SimulatedTable table = simulated_table(source, options.start, row, inputs, span, reads_estimator);
  std::vector<double> weights = simulated_weights(own, source, table.loaded, row);
  const Simulating simulating{options,
                              own,
                              std::move(table),
                              theta,
                              std::move(weights),
                              pool,
                              StageProgress(options.execution, "simulation", "networks")};
  simulating.stage.stop_if_cancelled();
  Simulation simulation;
  simulation.model = own.loaded.spec->name;
  if (own.record && own.record->fit && own.record->fit->word != FitWord::fits)
    simulation.warnings.push_back("the run " + own.record->fit->sentence);
  if (own.loaded.data) {
    simulation.time_name = own.loaded.data->table().time_name;
    simulation.time_unit = own.loaded.data->table().time_unit;
  }
  simulating.add_variables(simulation);
  // Half a step later, as sums of times are not exact.
  if (row) simulation.measured = measured_points(*row, span.start + span.horizon + span.step / 2);
  if (options.bands) simulating.add_bands(simulation);
  simulating.add_inputs(simulation);
  return simulation;
}

}  // namespace greybox
