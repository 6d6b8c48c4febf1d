// Curves of predictions: what the model says between the snapshots is what it says at snapshots that stand
// there.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "data/scratch_folder.hpp"
#include "model/prediction.hpp"

namespace greybox::test {
namespace {

constexpr std::size_t kPerInterval = 4;

class Curves : public ScratchFolder {
 protected:
  LoadedModel load(const std::string& data, const std::string& equations, const std::string& solver) const {
    write("data.csv", data);
    return load_model(write(
        "model.toml", "scale = \"none\"\n[data]\nfile = \"data.csv\"\n" + equations + "[solver]\n" + solver));
  }

  Prediction curves(const LoadedModel& loaded, const std::vector<double>& weights) {
    PredictionRequest request{weights, loaded.data->all(), {0.8}};
    request.keeps_states = true;
    return Predictor<double>(loaded, request.windows.size(), pool_, kPerInterval).curves(request);
  }

  Prediction prediction(const LoadedModel& loaded, const std::vector<double>& weights) {
    PredictionRequest request{weights, loaded.data->all(), {0.8}};
    request.keeps_states = true;
    return make_prediction<double>(loaded, request, pool_);
  }

  ThreadPool pool_{1};
};

const std::string kDriven = R"toml(
[parameters]
k = { prior = "uniform", low = 0, high = 2 }
[inputs]
u = "u"
pump = { file = "pump.csv", hold = "previous" }
dose = { file = "dose.csv", hold = "bolus", into = "x" }
[state]
x = "x"
[theory]
x = "u + pump - k * x"
[observe]
x = "x + 0.1 * u"
)toml";

// Rows of two series, the coarse ones or all, with an input that is linear between the coarse ones.
std::string rows(std::size_t n_per_interval) {
  std::string text = "series,time,x,u\n";
  const auto add = [&](const std::string& series, const std::vector<double>& times) {
    const auto u = [](double t) { return std::sin(t); };
    for (std::size_t i = 0; i < times.size(); ++i)
      for (std::size_t j = 0; j < (i + 1 < times.size() ? n_per_interval : 1); ++j) {
        const double share = static_cast<double>(j) / static_cast<double>(n_per_interval);
        const double next = times[std::min(i + 1, times.size() - 1)];
        text += fmt::format("{},{},0.3,{}\n", series, times[i] + share * (next - times[i]),
                            (1 - share) * u(times[i]) + share * u(next));
      }
  };
  add("a", {0, 1, 2.5, 3});
  add("b", {0, 2});
  return text;
}

TEST_F(Curves, AreThePredictionAtTimesBetween) {
  write("pump.csv", "time,pump\n0,0\n0.6,1\n2.6,0\n");
  write("dose.csv", "time,dose\n1.3,2\n");
  const std::string exact = "method = \"tsit5\"\nrelative_tolerance = 1e-10\nabsolute_tolerance = 1e-12\n";
  const Prediction found = curves(load(rows(1), kDriven, exact), {});
  const Prediction expected = prediction(load(rows(kPerInterval), kDriven, exact), {});
  ASSERT_EQ(found.n_steps, 3 * kPerInterval);
  EXPECT_EQ(found.windows[0].n_steps, 3 * kPerInterval);
  EXPECT_EQ(found.windows[1].n_steps, kPerInterval);
  ASSERT_EQ(found.variables.size(), expected.variables.size());
  for (std::size_t v = 0; v < found.variables.size(); ++v) {
    const PredictedVariable &one = found.variables[v], &other = expected.variables[v];
    EXPECT_EQ(one.name, other.name);
    for (std::size_t i = 0; i < one.values.size(); ++i) {
      EXPECT_EQ(std::isnan(one.values[i]), std::isnan(other.values[i])) << one.name << " " << i;
      if (std::isnan(other.values[i])) continue;
      EXPECT_NEAR(one.values[i], other.values[i], 1e-8) << one.name << " " << i;
    }
  }
  for (std::size_t i = 0; i < found.time.size(); ++i) {
    if (std::isnan(found.time[i])) continue;
    EXPECT_NEAR(found.time[i], expected.time[i], 1e-12);
  }
}

// A network that reads the window reads its snapshots, however many times lie between them.
TEST_F(Curves, MeetThePredictionAtTheSnapshots) {
  const std::string reading = R"toml(
window = { length = 4, observed = 4 }
[parameters]
k = { prior = "uniform", low = 0, high = 2 }
[state]
x = "x"
[theory]
x = "-k * x"
[network.encoder]
kind = "mlp"
inputs = "window"
hidden = [4]
outputs = ["z"]
[network.f]
kind = "mlp"
inputs = ["x", "encoder.z"]
hidden = [4]
outputs = ["x"]
[observe]
x = "x"
)toml";
  const LoadedModel loaded =
      load("time,x\n0,1\n1,0.6\n2,0.5\n3,0.1\n4,0.3\n", reading, "method = \"rk4\"\nstep = 0.05\n");
  const NetworkSet<double> networks(*loaded.model);
  std::vector<double> weights(networks.n_weights());
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = 0.4 * std::sin(1.7 * static_cast<double>(i));
  const Prediction found = curves(loaded, weights), expected = prediction(loaded, weights);
  ASSERT_EQ(found.n_steps, kPerInterval * expected.n_steps);
  for (std::size_t v = 0; v < found.variables.size(); ++v)
    for (std::size_t w = 0; w < expected.n_windows; ++w)
      for (std::size_t k = 0; k < expected.n_steps; ++k)
        EXPECT_NEAR(found.variables[v].values[w * found.n_steps + (k + 1) * kPerInterval - 1],
                    expected.variables[v].values[w * expected.n_steps + k], 1e-7)
            << found.variables[v].name;
}

TEST_F(Curves, AreFineWhereSomethingLiesBetween) {
  write("pump.csv", "time,pump\n0,0\n");
  write("dose.csv", "time,dose\n1.3,2\n");
  EXPECT_GT(outputs_of_curves(load(rows(1), kDriven, "method = \"rk4\"\nstep = 0.1\n")), 4U);
  EXPECT_EQ(outputs_of_curves(load(rows(1), kDriven, "method = \"euler\"\nstep = 0.1\n")), 1U);
}

}  // namespace
}  // namespace greybox::test
