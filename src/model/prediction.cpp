#include "model/prediction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/limits.hpp"
#include "core/require.hpp"
#include "model/engine.hpp"
#include "model/observed_range.hpp"
#include "model/output_errors.hpp"
#include "model/regularizers.hpp"
#include "model/residual_report.hpp"

namespace greybox {

// Sums over all batches.
struct PredictionTotals {
  double squared_error = 0, loss = 0, loss_weight = 0, n_compared = 0;
  std::vector<double> term_sums, term_weights;
  std::size_t n_diverged = 0;
};

namespace {

// Samples per batch where samples do not influence each other; results do not depend on it.
constexpr std::size_t kBatch = 1024;
constexpr std::size_t kMostDivergenceWarnings = 3;

template <class T>
Trajectories<T> room_for(const BoundModel& model, std::size_t n_windows, std::size_t n_steps,
                         bool keeps_states) {
  const std::size_t n_values = n_windows * n_steps;
  Trajectories<T> trajectories;
  for (const Observed& observed : model.observed)
    trajectories.observed.emplace_back(n_values * model.points(model.graph[observed.value].shape));
  for (const Observed& observed : model.observed)
    trajectories.spreads.emplace_back(observed.noise && observed.noise->node
                                          ? n_values * model.points(model.graph[observed.value].shape)
                                          : 0);
  for (const BoundLatent& latent : model.latents)
    trajectories.latents.emplace_back(n_windows * latent.value.size());
  for (const BoundState& state : model.states) {
    trajectories.theory.emplace_back(n_values * model.points(state.shape));
    trajectories.network.emplace_back(n_values * model.points(state.shape));
    if (!keeps_states) continue;
    trajectories.state.emplace_back(n_values * model.points(state.shape));
    trajectories.initial.emplace_back(n_windows * model.points(state.shape));
  }
  return trajectories;
}

// θ of every window, also when all share it.
template <class T>
std::vector<T> theta_rows(const PredictionRequest& request, std::size_t n_parameters) {
  std::vector<T> rows(request.theta.begin(), request.theta.end());
  if (rows.size() != n_parameters) return rows;
  for (std::size_t i = 1; i < request.windows.size(); ++i)
    rows.insert(rows.end(), request.theta.begin(), request.theta.end());
  return rows;
}

template <class T>
void add_batch(const Engine<T>& engine, std::size_t first, PredictionTotals& totals, Prediction& prediction) {
  for (std::size_t i = 0; i < engine.outcomes().size(); ++i) {
    if (engine.outcomes()[i] != Outcome::finished) {
      if (++totals.n_diverged <= kMostDivergenceWarnings)
        prediction.warnings.push_back(
            fmt::format("window {}: the state became non-finite after t = {:.6g}; later values are NaN",
                        first + i, engine.stopped_at()[i]));
      continue;
    }
    totals.squared_error += engine.squared_errors()[i];
    totals.loss += engine.losses()[i];
    totals.loss_weight += engine.loss_weights()[i];
    totals.n_compared += engine.n_compared()[i];
    for (std::size_t m = 0; m < totals.term_sums.size(); ++m) {
      totals.term_sums[m] += engine.term_sums(m)[i];
      totals.term_weights[m] += engine.term_weights(m)[i];
    }
  }
  prediction.theta.insert(prediction.theta.end(), engine.theta().begin(), engine.theta().end());
}

// Where each window stands, and its output times: so many for each interval between its snapshots.
void add_windows(const LoadedModel& loaded, const PredictionRequest& request, std::size_t n_per_interval,
                 Prediction& prediction) {
  const WindowData& data = loaded.data->windows();
  const std::size_t n_given = loaded.model->is_algebraic() ? 0 : 1;
  prediction.time.assign(prediction.n_windows * prediction.n_steps, kNaN);
  for (std::size_t w = 0; w < prediction.n_windows; ++w) {
    const Window& window = data.windows[request.windows[w]];
    const double* time = data.table->time.data() + window.first_row;
    prediction.windows.push_back(
        {data.table->series[window.series].name, time[0], (window.n_rows - n_given) * n_per_interval});
    for (std::size_t k = 0; k < prediction.windows[w].n_steps; ++k) {
      const std::size_t output = k + n_given, row = output / n_per_interval, past = output % n_per_interval;
      const double share = static_cast<double>(past) / static_cast<double>(n_per_interval);
      prediction.time[w * prediction.n_steps + k] =
          past == 0 ? time[row] : time[row] + share * (time[row + 1] - time[row]);
    }
  }
}

// Trajectories stay at their last state beyond the end of a shorter window: that is no prediction.
void clear_beyond_ends(Prediction& prediction) {
  for (PredictedVariable& variable : prediction.variables) {
    const std::size_t points = variable.height * variable.width;
    for (std::size_t w = 0; w < prediction.n_windows; ++w) {
      const auto begin =
          variable.values.begin() + static_cast<std::ptrdiff_t>(w * prediction.n_steps * points);
      std::fill(begin + static_cast<std::ptrdiff_t>(prediction.windows[w].n_steps * points),
                begin + static_cast<std::ptrdiff_t>(prediction.n_steps * points), kNaN);
    }
  }
}

template <class T>
void add_variables(const BoundModel& model, const Trajectories<T>& trajectories, Prediction& prediction) {
  const auto variable = [&](const std::string& name, Shape shape, const std::vector<T>& values) {
    const bool is_field = shape == Shape::field;
    return PredictedVariable{name, is_field ? model.grid().height : 1, is_field ? model.grid().width : 1,
                             std::vector<double>(values.begin(), values.end())};
  };
  const auto add = [&](const std::string& name, Shape shape, const std::vector<T>& values) {
    prediction.variables.push_back(variable(name, shape, values));
  };
  for (std::size_t s = 0; s < trajectories.initial.size(); ++s)
    prediction.initial.push_back(
        variable(model.states[s].name, model.states[s].shape, trajectories.initial[s]));
  for (std::size_t l = 0; l < trajectories.latents.size(); ++l)
    prediction.latents.push_back({model.latents[l].spec->name,
                                  1,
                                  model.latents[l].value.size(),
                                  {trajectories.latents[l].begin(), trajectories.latents[l].end()}});
  for (std::size_t o = 0; o < model.observed.size(); ++o)
    add(model.observed[o].name, model.graph[model.observed[o].value].shape, trajectories.observed[o]);
  for (std::size_t s = 0; s < model.states.size(); ++s) {
    add("theory." + model.states[s].name, model.states[s].shape, trajectories.theory[s]);
    add("network." + model.states[s].name, model.states[s].shape, trajectories.network[s]);
  }
  for (std::size_t s = 0; s < trajectories.state.size(); ++s)
    add("state." + model.states[s].name, model.states[s].shape, trajectories.state[s]);
}

// Measured values beside the predicted ones.
void add_data(const LoadedModel& loaded, const PredictionRequest& request, Prediction& prediction) {
  const WindowData& data = loaded.data->windows();
  const std::size_t n_given = loaded.model->is_algebraic() ? 0 : 1;
  for (const Column* column : data.columns) {
    const std::size_t points = column->points();
    PredictedVariable measured{column->name, column->height, column->width, {}};
    measured.values.assign(prediction.n_windows * prediction.n_steps * points, kNaN);
    for (std::size_t w = 0; w < prediction.n_windows; ++w) {
      const std::size_t row = data.windows[request.windows[w]].first_row + n_given;
      const std::size_t first = w * prediction.n_steps * points;
      double* to = measured.values.data() + first;
      column->for_each(row, prediction.windows[w].n_steps, [&](double value) { *to++ = value; });
    }
    prediction.data.push_back(std::move(measured));
  }
}

// Of what is predicted and measured, whatever counts for L.
double mean_squared_error(const LoadedModel& loaded, const Prediction& prediction) {
  double sum = 0, n = 0;
  for (std::size_t o = 0; o < loaded.model->observed.size(); ++o) {
    const std::vector<double>& predicted = prediction.variables[o].values;
    const std::vector<double>& measured = prediction.data[loaded.model->observed[o].column].values;
    for (std::size_t i = 0; i < predicted.size(); ++i) {
      const double residual = predicted[i] - measured[i];
      if (std::isnan(residual)) continue;
      sum += residual * residual;
      n += 1;
    }
  }
  return sum / n;
}

void add_summary(const LoadedModel& loaded, const PredictionRequest& request, PredictionTotals& totals,
                 Prediction& prediction) {
  const double scaled = totals.squared_error / totals.n_compared, unit = error_unit(*loaded.spec);
  prediction.mse = unit == 1 ? scaled : mean_squared_error(loaded, prediction);
  prediction.rmse = std::sqrt(prediction.mse);
  const double range = observed_range(loaded, request.windows);
  prediction.nrmse = unit * std::sqrt(scaled) / range;
  if (loaded.model->has_noise()) prediction.negative_log_likelihood = totals.loss / totals.loss_weight;
  for (std::size_t m = 0; m < totals.term_sums.size(); ++m) totals.term_sums[m] /= totals.term_weights[m];
  Regularizers regularizers(loaded.model, 1);
  regularizers.evaluate(totals.term_sums.data(), 1, 1, {{&scaled, 1}, range});
  for (std::size_t r = 0; r < loaded.model->regularizers.size(); ++r)
    prediction.regularizers.emplace_back(loaded.model->regularizers[r].name, regularizers.values(r)[0]);
  if (totals.n_diverged > 0)
    prediction.warnings.push_back(
        fmt::format("{} of {} windows diverged; errors and regularizers are those of the others",
                    totals.n_diverged, prediction.n_windows));
}

}  // namespace

// Statistics of a batch are those of all windows together, so a coupled model takes them in one batch.
template <class T>
Predictor<T>::Predictor(const LoadedModel& loaded, std::size_t n_windows, ThreadPool& pool,
                        std::size_t n_per_interval)
    : loaded_(loaded),
      n_per_interval_(n_per_interval),
      engine_(loaded.plan, loaded.data->windows(), pool,
              {.capacity = loaded.plan->is_coupled() ? n_windows : std::min(n_windows, kBatch),
               .n_per_interval = n_per_interval}) {}

// Everything that comes out of the windows one by one.
template <class T>
Trajectories<T> Predictor<T>::run(const PredictionRequest& request, Prediction& prediction,
                                  PredictionTotals* totals) {
  const BoundModel& model = *loaded_.model;
  const std::size_t n = request.windows.size(), n_parameters = model.spec->parameters.size();
  const std::size_t batch = loaded_.plan->is_coupled() ? n : std::min(n, engine_.capacity());
  const std::vector<T> weights(request.weights.begin(), request.weights.end());
  engine_.set_weights(weights);
  prediction.n_windows = n;
  for (const ParameterSpec& parameter : model.spec->parameters)
    prediction.parameters.push_back(parameter.name);
  prediction.n_steps = engine_.n_outputs();
  Trajectories<T> trajectories =
      room_for<T>(model, n, prediction.n_steps, request.keeps_states && !model.is_algebraic());
  const std::vector<T> theta = theta_rows<T>(request, n_parameters),
                       draws(request.draws.begin(), request.draws.end());
  const std::size_t n_draws = draws.empty() ? 0 : model.draws.size();
  for (std::size_t first = 0; first < n; first += batch) {
    const std::size_t size = std::min(batch, n - first);
    trajectories.first = first;
    const auto rows = theta.empty()
                          ? std::span<const T>()
                          : std::span<const T>(theta).subspan(first * n_parameters, size * n_parameters);
    engine_.forward(
        {&loaded_.data->windows(), std::span(request.windows).subspan(first, size), rows,
         std::span<const T>(draws).subspan(first * n_draws, size * n_draws), request.is_generated},
        &trajectories);
    if (totals != nullptr) add_batch(engine_, first, *totals, prediction);
    if (request.progress) request.progress(first + size, n);
  }
  add_variables(model, trajectories, prediction);
  add_windows(loaded_, request, n_per_interval_, prediction);
  clear_beyond_ends(prediction);
  return trajectories;
}

template <class T>
Prediction Predictor<T>::predict(const PredictionRequest& request) {
  require(n_per_interval_ == 1, "a predictor of curves compares nothing with data");
  const BoundModel& model = *loaded_.model;
  Prediction prediction;
  PredictionTotals totals;
  totals.term_sums.resize(model.terms.size());
  totals.term_weights.resize(model.terms.size());
  const Trajectories<T> trajectories = run(request, prediction, &totals);
  add_data(loaded_, request, prediction);
  add_summary(loaded_, request, totals, prediction);
  prediction.outputs = output_errors(model, prediction);
  for (std::size_t o = 0; request.judges_residuals && o < model.observed.size(); ++o)
    prediction.residuals.push_back(
        residual_report(model, o, prediction,
                        std::vector<double>(trajectories.spreads[o].begin(), trajectories.spreads[o].end())));
  return prediction;
}

template <class T>
Prediction Predictor<T>::curves(const PredictionRequest& request) {
  Prediction prediction;
  run(request, prediction, nullptr);
  return prediction;
}

template <class T>
Prediction make_prediction(const LoadedModel& loaded, const PredictionRequest& request, ThreadPool& pool) {
  return Predictor<T>(loaded, request.windows.size(), pool).predict(request);
}

const PredictedVariable& variable_of(const Prediction& prediction, const std::string& name) {
  for (const PredictedVariable& variable : prediction.variables)
    if (variable.name == name) return variable;
  throw std::out_of_range(fmt::format("the prediction has no variable `{}`", name));
}

const std::vector<double>& Prediction::observed(const std::string& name) const {
  return variable_of(*this, name).values;
}

const std::vector<double>& Prediction::theory(const std::string& name) const {
  return variable_of(*this, "theory." + name).values;
}

const std::vector<double>& Prediction::network(const std::string& name) const {
  return variable_of(*this, "network." + name).values;
}

const std::vector<double>& Prediction::state(const std::string& name) const {
  return variable_of(*this, "state." + name).values;
}

template class Predictor<float>;
template class Predictor<double>;
template Prediction make_prediction<float>(const LoadedModel&, const PredictionRequest&, ThreadPool&);
template Prediction make_prediction<double>(const LoadedModel&, const PredictionRequest&, ThreadPool&);

}  // namespace greybox
