#include "analysis/augment/augmented_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/checksum.hpp"
#include "model/held_network.hpp"
#include "model/prediction.hpp"

namespace greybox {
namespace {

LoadedModel join(ModelSpec spec, Table table, const std::vector<ExtraRegularizer>& extra) {
  LoadedModel loaded;
  const auto shared = std::make_shared<const ModelSpec>(std::move(spec));
  const std::vector<std::string> columns = column_names(*shared, table);
  loaded.spec = shared;
  loaded.model = bind_model(shared, &columns, extra);
  loaded.plan = std::make_shared<const ExecutionPlan>(loaded.model);
  loaded.data = std::make_shared<const Dataset>(loaded.model, std::move(table));
  return loaded;
}

// Rows of the run's own table that one made window starts from, and what the model makes of them.
class WindowWriter {
 public:
  WindowWriter(const LoadedModel& loaded, const Prediction& prediction)
      : loaded_(loaded), prediction_(prediction) {
    const Table& table = loaded.data->table();
    table_.file = table.file;
    for (const ModelColumn& column : loaded.model->columns) {
      const Column& source = *table.find(column.name);
      table_.columns.push_back({source.name, source.height, source.width, std::vector<double>()});
    }
    n_copied_ = table_.columns.size();
    for (const ParameterSpec& parameter : loaded.spec->parameters)
      table_.columns.push_back({truth_name(parameter.name), 1, 1, std::vector<double>()});
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
    for (const Observed& observed : loaded_.model->observed) overwrite(observed, made, first, window.n_rows);
    for (std::size_t p = 0; p < theta.size(); ++p) {
      std::vector<double>& truths = values(n_copied_ + p);
      truths.insert(truths.end(), window.n_rows, theta[p]);
    }
  }

  Table take() { return std::move(table_); }

 private:
  std::vector<double>& values(std::size_t column) {
    return std::get<std::vector<double>>(table_.columns[column].values);
  }

  std::span<const double> values_of(const std::string& name, std::size_t made) const {
    const auto found = std::find_if(prediction_.variables.begin(), prediction_.variables.end(),
                                    [&](const PredictedVariable& variable) { return variable.name == name; });
    const std::size_t size = prediction_.n_outputs * found->height * found->width;
    return std::span(found->values).subspan(made * size, size);
  }

  void copy(std::size_t column, const Window& window) {
    const Column& source = *loaded_.data->table().find(table_.columns[column].name);
    for (std::size_t k = 0; k < window.n_rows; ++k)
      for (std::size_t point = 0; point < source.points(); ++point)
        values(column).push_back(source.at(window.first_row + k, point));
  }

  // The first snapshot of a trajectory is where it starts; an algebraic model has but one.
  void overwrite(const Observed& observed, std::size_t made, std::size_t first, std::size_t n_rows) {
    const std::size_t n_given = loaded_.model->is_algebraic() ? 0 : 1;
    const std::size_t n_points = table_.columns[observed.column].points();
    const std::span<const double> predicted =
        values_of(observed.name, made).first((n_rows - n_given) * n_points);
    std::copy(predicted.begin(), predicted.end(), &values(observed.column)[(first + n_given) * n_points]);
  }

  const LoadedModel& loaded_;
  const Prediction& prediction_;
  Table table_;
  std::size_t n_copied_ = 0;
};

Equation itself(const std::string& name) {
  Equation equation;
  equation.name = equation.text = name;
  equation.syntax = std::shared_ptr<const Syntax>(parse_equation(name));
  return equation;
}

}  // namespace

std::string checksum_of(const Table& table) {
  std::string digests = sha256_of_numbers(table.time);
  for (const Series& series : table.series)
    digests += fmt::format("{},{},{};", series.name, series.first_row, series.n_rows);
  for (const Column& column : table.columns) {
    std::vector<double> values(table.n_rows() * column.points());
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = column.at(i / column.points(), i % column.points());
    digests +=
        fmt::format("{},{},{},{};", column.name, column.height, column.width, sha256_of_numbers(values));
  }
  return sha256(digests);
}

std::string truth_name(const std::string& parameter) {
  return "augmented_" + parameter;
}

AugmentedData make_augmented_data(const OpenedRun& run, const AugmentRequest& request, ThreadPool& pool) {
  const ModelSpec& spec = *run.loaded.spec;
  const LoadedModel held = join(with_held_network(spec, request.held),
                                read_table(run.loaded.data->table().file, spec.data.table), {});
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
  result.table = writer.take();
  return result;
}

LoadedModel load_augmented(const OpenedRun& run, Table table, const std::vector<double>& scales) {
  ModelSpec spec = *run.loaded.spec;
  spec.data.columns.clear();  // they have been made
  spec.data.drop.reset();
  spec.data.split = {.train = 0.8, .validation = 0, .test = 0.2, .by = SplitBy::window, .held_out = {}};
  const std::size_t n_read = spec.is_algebraic() ? 1 : std::max<std::size_t>(2, spec.data.window.observed);
  // No second window fits into a series of less than two lengths.
  spec.data.window.length = n_read;
  spec.data.window.stride = table.n_rows();
  for (Equation& input : spec.inputs) input = itself(input.name);
  std::string error;
  for (std::size_t p = 0; p < spec.parameters.size(); ++p) {
    const std::string& name = spec.parameters[p].name;
    if (!spec.is_algebraic()) spec.inputs.push_back(itself(truth_name(name)));
    error += fmt::format("{}mean((({} - {}) / {})^2)", p > 0 ? " + " : "", name, truth_name(name), scales[p]);
  }
  return join(std::move(spec), std::move(table), {{truth_name("error"), error}});
}

}  // namespace greybox
