// Predictions beside data for the report page: a few windows of a trajectory, all points of an algebraic
// model, or fields.
#include <algorithm>
#include <numeric>

#include "analysis/page/report_parts.hpp"
#include "analysis/run/theta_choice.hpp"
#include "analysis/simulate/curve_bands.hpp"
#include "greybox/error.hpp"
#include "model/prediction.hpp"
#include "model/residual_report.hpp"
#include "model/theta.hpp"

namespace greybox {
namespace {

// Draws of θ behind a band, and the share of them that it holds.
constexpr std::size_t kBandDraws = 50;
constexpr double kBandLevel = 0.9;
constexpr std::size_t kWindowsShown = 6, kFieldsShown = 2, kPointsShown = 2000;

// A prediction with the windows it is of.
struct Shown {
  const LoadedModel& loaded;
  std::vector<std::size_t> windows;
  Prediction prediction;
  // Between the snapshots, where something lies there.
  std::optional<Prediction> curves{};
  // What is drawn, by the run's other networks and at draws of its distribution of θ.
  std::vector<Prediction> of_networks{}, of_draws{};

  const Prediction& drawn() const { return curves ? *curves : prediction; }

  const Window& window(std::size_t w) const { return loaded.data->windows().windows[windows[w]]; }
  // Rows of the data at the output times, which are the last ones of the window.
  std::vector<std::size_t> rows(std::size_t w) const {
    const std::size_t n_steps = prediction.windows[w].n_steps;
    std::vector<std::size_t> rows(n_steps);
    std::iota(rows.begin(), rows.end(), window(w).first_row + window(w).n_rows - n_steps);
    return rows;
  }
  std::span<const double> values(const std::string& name, std::size_t w) const {
    return values_of(prediction, name, w);
  }
  static std::span<const double> values_of(const Prediction& prediction, const std::string& name,
                                           std::size_t w) {
    const PredictedVariable& variable = variable_of(prediction, name);
    const std::size_t points = variable.height * variable.width;
    return std::span(variable.values)
        .subspan(w * prediction.n_steps * points, prediction.windows[w].n_steps * points);
  }
  std::vector<double> observed(const Observed& what, std::size_t w) const {
    const Column& column = *loaded.data->windows().columns[what.column];
    std::vector<double> values;
    for (std::size_t row : rows(w))
      for (std::size_t point = 0; point < column.points(); ++point) values.push_back(column.at(row, point));
    return values;
  }
};

std::vector<std::size_t> some_of(const std::vector<std::size_t>& windows, std::size_t n_most) {
  const std::size_t n = std::min(windows.size(), n_most);
  std::vector<std::size_t> some;
  for (std::size_t i = 0; i < n; ++i) some.push_back(windows[i * windows.size() / n]);
  return some;
}

Json band_json(const CurveBand& band) {
  return {{"low", packed_numbers(band.low)}, {"high", packed_numbers(band.high)}};
}

std::vector<const Prediction*> pointers_to(const std::vector<Prediction>& members) {
  std::vector<const Prediction*> all;
  for (const Prediction& member : members) all.push_back(&member);
  return all;
}

// At these places of what is drawn.
void add_bands(const Shown& shown, std::size_t output, const std::vector<std::size_t>& places, Json& json) {
  std::vector<const Prediction*> networks = pointers_to(shown.of_networks);
  if (!networks.empty()) {
    networks.push_back(&shown.drawn());
    json["networks"] = band_json(band_over(networks, output, places));
  }
  if (!shown.of_draws.empty())
    json["draws"] = band_json(band_over(pointers_to(shown.of_draws), output, places, kBandLevel));
}

std::vector<std::size_t> places_of(const Prediction& prediction, std::size_t w) {
  std::vector<std::size_t> places(prediction.windows[w].n_steps);
  std::iota(places.begin(), places.end(), w * prediction.n_steps);
  return places;
}

Json curve_json(const BoundModel& model, const Prediction& curves, std::size_t w) {
  const auto values = [&](const std::string& name) {
    return packed_numbers(Shown::values_of(curves, name, w));
  };
  Json json{
      {"time", packed_numbers(std::span(curves.time).subspan(w * curves.n_steps, curves.windows[w].n_steps))},
      {"outputs", Json::array()},
      {"parts", Json::array()}};
  for (const Observed& observed : model.observed)
    json["outputs"].push_back({{"name", observed.name}, {"predicted", values(observed.name)}});
  for (const BoundState& state : model.states)
    json["parts"].push_back({{"name", state.name},
                             {"theory", values("theory." + state.name)},
                             {"network", values("network." + state.name)}});
  return json;
}

Json window_json(const Shown& shown, std::size_t w, bool is_field) {
  const DataTable& table = shown.loaded.data->table();
  const BoundModel& model = *shown.loaded.model;
  std::vector<double> time;
  for (std::size_t row : shown.rows(w)) time.push_back(table.time[row]);
  Json json{{"series", table.series[shown.window(w).series].name},
            {"start", table.time[shown.window(w).first_row]},
            {"time", time},
            {"outputs", Json::array()}};
  for (const Observed& observed : model.observed)
    json["outputs"].push_back({{"name", observed.name},
                               {"observed", packed_numbers(shown.observed(observed, w))},
                               {"predicted", packed_numbers(shown.values(observed.name, w))}});
  if (is_field) return json;
  json["parts"] = Json::array();
  for (const BoundState& state : model.states)
    json["parts"].push_back({{"name", state.name},
                             {"theory", packed_numbers(shown.values("theory." + state.name, w))},
                             {"network", packed_numbers(shown.values("network." + state.name, w))}});
  if (shown.curves) json["curve"] = curve_json(model, *shown.curves, w);
  Json& drawn = shown.curves ? json["curve"]["outputs"] : json["outputs"];
  for (std::size_t o = 0; o < model.observed.size(); ++o)
    add_bands(shown, o, places_of(shown.drawn(), w), drawn[o]);
  return json;
}

void add_windows(const Shown& shown, bool is_field, Json& json) {
  json["kind"] = is_field ? "fields" : "series";
  if (is_field) {
    json["height"] = shown.loaded.model->grid().height;
    json["width"] = shown.loaded.model->grid().width;
  }
  json["windows"] = Json::array();
  for (std::size_t w = 0; w < shown.windows.size(); ++w)
    json["windows"].push_back(window_json(shown, w, is_field));
}

// Every sample is a point over the first input, in its order.
void add_points(Shown& shown, Json& json) {
  const BoundModel& model = *shown.loaded.model;
  const std::optional<std::size_t> input = first_input(model);
  const Column* column = input ? shown.loaded.data->windows().columns[*input] : nullptr;
  std::vector<std::size_t> order(shown.windows.size());
  std::iota(order.begin(), order.end(), 0);
  const auto x_of = [&](std::size_t w) {
    const std::size_t row = shown.window(w).first_row;
    return column != nullptr ? column->at(row) : static_cast<double>(row);
  };
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return x_of(a) < x_of(b); });
  const auto in_order = [&](const auto& value) {
    std::vector<double> values;
    for (std::size_t w : order) values.push_back(value(w));
    return packed_numbers(values);
  };
  json["kind"] = "points";
  json["input"] = {{"name", column != nullptr ? column->name : "row"}, {"values", in_order(x_of)}};
  json["outputs"] = Json::array();
  for (const Observed& observed : model.observed) {
    const auto part = [&](const std::string& name) {
      return in_order([&](std::size_t w) { return shown.values(name, w)[0]; });
    };
    json["outputs"].push_back(
        {{"name", observed.name},
         {"observed", in_order([&](std::size_t w) { return shown.observed(observed, w)[0]; })},
         {"predicted", part(observed.name)},
         {"theory", part("theory." + observed.name)},
         {"network", part("network." + observed.name)}});
    add_bands(shown, static_cast<std::size_t>(&observed - model.observed.data()), order,
              json["outputs"].back());
  }
}

// The same windows once more.
Prediction drawn_again(Shown& shown, Predictor<double>& predictor, const PredictionRequest& request) {
  return shown.curves ? predictor.curves(request) : predictor.predict(request);
}

void add_others(const OpenedRun& run, Predictor<double>& predictor, PredictionRequest request, Shown& shown) {
  const Networks networks = gather_networks(run, {.seeds = n_trained_networks(run)}, {});
  for (std::size_t k = 1; k < networks.size(); ++k) {
    PredictionRequest other = request;
    other.weights = networks.weights[k];
    shown.of_networks.push_back(drawn_again(shown, predictor, other));
  }
  try {
    for (std::vector<double>& draw : posterior_draws(run, kBandDraws)) {
      request.theta = std::move(draw);
      shown.of_draws.push_back(drawn_again(shown, predictor, request));
    }
  } catch (const InputError&) {
    // There is no distribution of this model's parameters.
  }
}

}  // namespace

Json report_predictions(const OpenedRun& run, const ChosenTheta& chosen, ThreadPool& pool) {
  const LoadedModel& loaded = run.trained;
  const bool is_field = loaded.spec->grid.is_given, is_algebraic = loaded.spec->is_algebraic();
  const PreparedData& data = *loaded.data;
  const std::vector<std::size_t> test = data.of_split(Split::test);
  const std::size_t n_most = is_algebraic ? kPointsShown : is_field ? kFieldsShown : kWindowsShown;
  const std::vector<std::size_t> windows = some_of(test.empty() ? data.all() : test, n_most);
  const PredictionRequest request{run.weights, windows, theta_from(*loaded.spec, chosen.theta)};
  Shown shown{loaded, windows, make_prediction<double>(loaded, request, pool)};
  const std::size_t n_fine = outputs_of_curves(loaded);
  Predictor<double> predictor(loaded, windows.size(), pool, n_fine);
  if (n_fine > 1) shown.curves = predictor.curves(request);
  if (!is_field) add_others(run, predictor, request, shown);
  Json json{{"theta", chosen.theta},
            {"why", chosen.why},
            {"split", test.empty() ? "all" : "test"},
            {"rmse", shown.prediction.rmse},
            {"nrmse", shown.prediction.nrmse},
            {"residuals", json_of(shown.prediction.residuals)},
            {"networks", shown.of_networks.empty() ? 1 : shown.of_networks.size() + 1},
            {"draws", shown.of_draws.size()},
            {"level", kBandLevel}};
  if (is_algebraic)
    add_points(shown, json);
  else
    add_windows(shown, is_field, json);
  return json;
}

}  // namespace greybox
