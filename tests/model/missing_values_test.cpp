// Missing cells, variable by variable: what L leaves out, what inputs are bridged over, which windows cannot
// start.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "model/engine.hpp"
#include "model/loaded_model.hpp"
#include "model/objective.hpp"
#include "support/gradient_check.hpp"

namespace greybox::test {
namespace {

constexpr double kMissingCell = std::numeric_limits<double>::quiet_NaN();

constexpr const char* kTwoVariables = R"toml(
[parameters]
k = { prior = "uniform", low = 0.1, high = 2 }
[inputs]
u = "u"
[state]
x = "x"
y = "y"
[theory]
x = "-k * x + u"
y = "-0.5 * y"
[network.fD]
inputs  = ["x", "y", "k"]
hidden  = [3]
activation = "tanh"
outputs = ["x", "y"]
[observe]
x = "x"
y = "y"
)toml";

struct Rows {
  std::vector<double> x = {1.0, 0.8, 0.7, 0.5, 0.4, 0.3}, y = {2.0, 1.5, 1.2, 1.0, 0.7, 0.5};
  std::vector<double> u = {0, 0, 1, 1, 0, 0}, time = {0, 1, 2, 3, 4, 5};
};

LoadedModel load(const Rows& rows, const std::string& data = "window = { length = 3, stride = 3 }\n",
                 const std::string& model = kTwoVariables) {
  const auto table =
      Table().time(rows.time).column("x", rows.x).column("y", rows.y).column("u", rows.u).data();
  return assemble(std::make_shared<const ModelSpec>(parse_model_spec(
                      "scale = \"none\"\n[data]\nfile = \"d.csv\"\n" + data + model, "d.toml")),
                  table);
}

// L of all windows at one θ, and its gradient with respect to θ.
struct Loss {
  explicit Loss(const LoadedModel& loaded)
      : loaded_(loaded),
        engine_(loaded.plan, loaded.data->windows(), pool_, {.capacity = 8, .is_differentiable = true}),
        objective_(loaded.model, {}, 8),
        windows_(loaded.data->all()) {
    engine_.set_weights(std::vector<double>(engine_.n_weights(), 0.1));
  }

  double operator()(double k) {
    theta_.assign(windows_.size(), k);
    engine_.forward(samples());
    return objective_.evaluate(engine_, ranges()).loss;
  }
  double gradient(double k) {
    (*this)(k);
    std::vector<double> weights(engine_.n_weights()), theta(windows_.size());
    engine_.backward(samples(), objective_.cotangents(engine_, ranges()), weights, theta);
    double sum = 0;
    for (double one : theta) sum += one;
    return sum;
  }
  double n_compared() const {
    double n = 0;
    for (double one : engine_.n_compared()) n += one;
    return n;
  }

 private:
  Samples<double> samples() const { return {&loaded_.data->windows(), windows_, theta_}; }
  ObjectiveRanges ranges() const { return {windows_.size(), windows_.size()}; }

  const LoadedModel& loaded_;
  ThreadPool pool_{1};
  Engine<double> engine_;
  Objective<double> objective_;
  std::vector<std::size_t> windows_;
  std::vector<double> theta_;
};

TEST(MissingCells, AreLeftOutOfTheLossOneByOne) {
  Rows rows;
  const LoadedModel whole = load(rows);
  Loss all(whole);
  const double loss = all(0.7), n = all.n_compared();
  EXPECT_EQ(n, 8);
  rows.y[2] = kMissingCell;
  const LoadedModel holed = load(rows);
  Loss some(holed);
  const double partial = some(0.7);
  EXPECT_EQ(some.n_compared(), 7);
  EXPECT_EQ(holed.data->table().n_rows(), 6U);
  EXPECT_EQ(holed.data->n_dropped_rows(), 0U);
  // Whatever stands in the missing cell adds its square and nothing else.
  rows.y[2] = 50;
  const LoadedModel filled = load(rows);
  Loss other(filled);
  EXPECT_GT(n * other(0.7), 7 * partial + 2000);
  EXPECT_LT(7 * partial, n * loss + 1e-12);
  EXPECT_TRUE(std::isfinite(partial));
}

TEST(MissingCells, AreLeftOutOfTheGradient) {
  Rows rows;
  rows.x[1] = rows.y[2] = rows.y[5] = kMissingCell;
  const LoadedModel loaded = load(rows);
  Loss loss(loaded);
  constexpr double step = 1e-5;
  EXPECT_NEAR(loss.gradient(0.7), (loss(0.7 + step) - loss(0.7 - step)) / (2 * step), 1e-8);
}

TEST(MissingCells, OfInputsAreBridgedWithoutTouchingWhatIsMeasured) {
  Rows rows;
  rows.u = {0, kMissingCell, 4, 1, kMissingCell, 0};
  const LoadedModel loaded = load(rows);
  const Column& input = *loaded.data->windows().columns[loaded.model->input_columns[0]];
  EXPECT_EQ(input.at(1), 2);
  EXPECT_EQ(input.at(4), 0.5);
  EXPECT_TRUE(std::isnan(loaded.data->table().find("u")->at(1)));
  EXPECT_EQ(loaded.data->account().n_rows_without_inputs, 0U);
  rows.u = {kMissingCell, 0, 1, 1, 1, kMissingCell};
  EXPECT_EQ(load(rows, "").data->account().n_rows_without_inputs, 2U);
}

TEST(MissingCells, KeepWindowsFromStarting) {
  Rows rows;
  rows.x[3] = kMissingCell;
  const LoadedModel loaded = load(rows);
  EXPECT_EQ(loaded.data->all().size(), 1U);
  EXPECT_EQ(loaded.data->account().n_without_start, 1U);
  EXPECT_EQ(loaded.data->account().missing.at(0).column, "x");
  rows = Rows();
  for (std::size_t row : {1U, 2U}) rows.x[row] = rows.y[row] = kMissingCell;
  EXPECT_EQ(load(rows).data->account().n_without_values, 1U);
}

TEST(MissingCells, MayNotLeaveNothing) {
  Rows rows;
  rows.x[0] = rows.x[3] = kMissingCell;
  try {
    load(rows);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("no window is left: 2 because what they start from is missing"),
              std::string::npos)
        << error.what();
  }
}

TEST(MissingCells, DroppedRowsThatHadInputsAreCounted) {
  Rows rows;
  rows.x[2] = kMissingCell;
  const LoadedModel loaded = load(rows, "missing = \"drop\"\n");
  EXPECT_EQ(loaded.data->account().n_incomplete_rows, 1U);
  EXPECT_EQ(loaded.data->account().n_rows_with_inputs, 1U);
  EXPECT_EQ(load(rows, "missing = \"interpolate\"\n").data->n_dropped_rows(), 0U);
  EXPECT_THROW(load(rows, "missing = \"error\"\n"), InputError);
}

TEST(MissingCells, MakeMissingColumns) {
  Rows rows;
  rows.x[2] = kMissingCell;
  const LoadedModel loaded = load(
      rows, "window = { length = 3, stride = 3 }\ndrop = \"x > 100\"\n[data.columns]\nlarge = \"x > 5\"\n");
  EXPECT_TRUE(std::isnan(loaded.data->table().find("large")->at(2)));
  EXPECT_EQ(loaded.data->table().find("large")->at(1), 0);
  EXPECT_EQ(loaded.data->n_dropped_windows(), 0U);
}

}  // namespace
}  // namespace greybox::test
