#include "analysis/augment/augmented_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/refuse.hpp"
#include "model/held_network.hpp"
#include "model/prediction.hpp"

namespace greybox {
namespace {

// Rows of the run's own table that one made window starts from, and what the model makes of them.
class WindowWriter {
 public:
  WindowWriter(const LoadedModel& loaded, const Prediction& prediction)
      : loaded_(loaded), prediction_(prediction) {
    const DataTable& table = loaded.data->table();
    table_.file = table.file;
    for (const ModelColumn& column : loaded.model->columns) {
      const Column& source = *table.find(column.name);
      table_.columns.push_back({source.name, source.height, source.width, {}});
    }
    n_copied_ = table_.columns.size();
    for (const ParameterSpec& parameter : loaded.spec->parameters)
      table_.columns.push_back({truth_name(parameter.name), 1, 1, {}});
    values_.resize(table_.columns.size());
  }

  bool is_finite(std::size_t made) const {
    for (const Observed& observed : loaded_.model->observed)
      for (double value : values_of(observed.name, made))
        if (!std::isfinite(value)) return false;
    return true;
  }

  void add(std::size_t made, const Window& window, std::span<const double> theta) {
    const std::size_t first = table_.time.size();
    table_.series.push_back({fmt::format("{}", table_.series.size()), first, window.n_rows});
    for (std::size_t k = 0; k < window.n_rows; ++k) {
      table_.time.push_back(loaded_.data->table().time[window.first_row + k]);
      table_.lines.push_back(0);
    }
    for (std::size_t c = 0; c < n_copied_; ++c) copy(c, window);
    for (const Observed& observed : loaded_.model->observed) overwrite(observed, made, first);
    for (std::size_t p = 0; p < theta.size(); ++p) {
      std::vector<double>& truths = values_[n_copied_ + p];
      truths.insert(truths.end(), window.n_rows, theta[p]);
    }
  }

  DataTable take() {
    for (std::size_t c = 0; c < values_.size(); ++c) table_.columns[c].values = std::move(values_[c]);
    return std::move(table_);
  }

 private:
  std::span<const double> values_of(const std::string& name, std::size_t made) const {
    const PredictedVariable& found = variable_of(prediction_, name);
    const std::size_t points = found.height * found.width;
    return std::span(found.values)
        .subspan(made * prediction_.n_steps * points, prediction_.windows[made].n_steps * points);
  }

  void copy(std::size_t column, const Window& window) {
    const Column& source = *loaded_.data->table().find(table_.columns[column].name);
    source.for_each(window.first_row, window.n_rows, [&](double value) { values_[column].push_back(value); });
  }

  // The first snapshot of a trajectory is where it starts; an algebraic model has but one.
  void overwrite(const Observed& observed, std::size_t made, std::size_t first) {
    const std::size_t n_given = loaded_.model->is_algebraic() ? 0 : 1;
    const std::size_t n_points = table_.columns[observed.column].points();
    const std::span<const double> predicted = values_of(observed.name, made);
    std::copy(predicted.begin(), predicted.end(), &values_[observed.column][(first + n_given) * n_points]);
  }

  const LoadedModel& loaded_;
  const Prediction& prediction_;
  DataTable table_;
  // Of its columns.
  std::vector<std::vector<double>> values_;
  std::size_t n_copied_ = 0;
};

Equation itself(const std::string& name) {
  Equation equation;
  equation.name = equation.text = name;
  equation.syntax = std::shared_ptr<const Syntax>(parse_equation(name));
  return equation;
}

}  // namespace

std::string truth_name(const std::string& parameter) {
  return "augmented_" + parameter;
}

AugmentedData make_augmented_data(const OpenedRun& run, const AugmentRequest& request, ThreadPool& pool) {
  const ModelSpec& spec = *run.loaded.spec;
  const LoadedModel held = assemble(std::make_shared<const ModelSpec>(with_held_network(spec, request.held)),
                                    own_table(run.handle.state()));
  if (held.data->windows().signals)
    refuse(
        run.name(),
        "windows that are made anew have inputs at their rows alone, and the model has others: inputs with "
        "a file of their own, a delay, a cubic curve or boluses",
        "train the estimator on the run's own windows, with estimate and option `amortised`");
  const std::size_t n_parameters = spec.parameters.size(), n = request.theta.size() / n_parameters;
  const std::vector<std::size_t> train = held.data->of_split(Split::train);
  PredictionRequest prediction_request{run.weights, {}, request.theta};
  for (std::size_t i = 0; i < n; ++i) prediction_request.windows.push_back(train[i % train.size()]);
  const Prediction prediction = make_prediction<double>(held, prediction_request, pool);

  AugmentedData result;
  WindowWriter writer(held, prediction);
  for (std::size_t i = 0; i < n; ++i)
    if (writer.is_finite(i))
      writer.add(i, held.data->windows().windows[prediction_request.windows[i]],
                 std::span(request.theta).subspan(i * n_parameters, n_parameters));
    else
      ++result.n_diverged;
  DataTable table = writer.take();
  table.sha256 = content_digest(table);
  result.table = std::make_shared<const DataTable>(std::move(table));
  return result;
}

LoadedModel load_augmented(const OpenedRun& run, std::shared_ptr<const DataTable> table,
                           const std::vector<double>& scales) {
  ModelSpec spec = *run.loaded.spec;
  spec.data.columns.clear();  // they have been made
  spec.data.drop.reset();
  spec.data.split = {.train = 0.8, .validation = 0, .test = 0.2, .by = SplitBy::window, .held_out = {}};
  const std::size_t n_read = spec.is_algebraic() ? 1 : std::max<std::size_t>(2, spec.data.window.observed);
  // No second window fits into a series of less than two lengths.
  spec.data.window.length = n_read;
  spec.data.window.stride = table->n_rows();
  for (Equation& input : spec.inputs) input = itself(input.name);
  std::string error;
  for (std::size_t p = 0; p < spec.parameters.size(); ++p) {
    const std::string& name = spec.parameters[p].name;
    if (!spec.is_algebraic()) {
      spec.inputs.push_back(itself(truth_name(name)));
      spec.signals.emplace_back();
    }
    error += fmt::format("{}mean((({} - {}) / {})^2)", p > 0 ? " + " : "", name, truth_name(name), scales[p]);
  }
  return assemble(std::make_shared<const ModelSpec>(std::move(spec)), std::move(table),
                  std::vector<ExtraRegularizer>{{truth_name("error"), error}});
}

}  // namespace greybox
