// Models in raw units train at the first attempt: a stirred tank reactor, an epidemic, two tanks.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>

#include "data/scratch_folder.hpp"
#include "greybox/train.hpp"

namespace greybox::test {
namespace {

using State = std::vector<double>;
using Derivative = std::function<State(double, const State&)>;

State moved(const State& from, const State& by, double length) {
  State to = from;
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += length * by[i];
  return to;
}

// Twenty steps of the classical method from row to row.
State next_row(const Derivative& f, double time, State state, double interval) {
  constexpr int kSteps = 20;
  const double h = interval / kSteps;
  for (int step = 0; step < kSteps; ++step, time += h) {
    const State a = f(time, state), b = f(time + h / 2, moved(state, a, h / 2)),
                c = f(time + h / 2, moved(state, b, h / 2)), d = f(time + h, moved(state, c, h));
    for (std::size_t i = 0; i < state.size(); ++i) state[i] += h / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]);
  }
  return state;
}

class ScaledTraining : public ScratchFolder {
 protected:
  void write_data(const std::string& header, const Derivative& f, const std::vector<State>& starts,
                  std::size_t n_rows, double interval) const {
    std::string text = "series,time," + header + '\n';
    for (std::size_t s = 0; s < starts.size(); ++s) {
      State state = starts[s];
      for (std::size_t k = 0; k < n_rows; ++k) {
        const double time = interval * static_cast<double>(k);
        text += fmt::format("{},{},{}\n", s, time, fmt::join(state, ","));
        state = next_row(f, time, state, interval);
      }
    }
    write("data.csv", text);
  }

  Run trained(const std::string& model) const {
    const std::string data = R"toml(
[data]
file   = "data.csv"
window = { length = 11, stride = 3 }
split  = { train = 0.7, validation = 0.3, by = "series" }
)toml";
    const std::string train_table = "[train]\nepochs = 60\nbatch = 20\nrate = [1e-2, 1e-3]\n";
    return train(Model::read(write("model.toml", data + model + train_table)),
                 {.seed = 1, .folder = path("run"), .execution = {.n_threads = 1}});
  }

  static void expect_fit(const Run& run) {
    ASSERT_EQ(run.outcome(), TrainOutcome::finished) << run.message();
    const FitJudgement fit = run.record()->fit.value();
    EXPECT_EQ(fit.word, FitWord::fits) << fit.sentence;
    for (const OutputFit& output : fit.outputs) EXPECT_GT(output.r2, 0.9) << output.name;
  }
};

// The theory knows flow and reaction, and nothing of the cooling.
TEST_F(ScaledTraining, StirredTankReactorInKelvin) {
  const Derivative reactor = [](double, const State& s) -> State {
    const double rate = 7.2e10 * std::exp(-8750 / s[1]) * s[0];
    return {1 - s[0] - rate, 350 - s[1] + 209 * rate + 2.09 * (300 - s[1])};
  };
  std::vector<State> starts;
  for (int i = 0; i < 10; ++i) starts.push_back({0.3 + 0.05 * i, 330 + 3.0 * ((7 * i) % 10)});
  write_data("C,T", reactor, starts, 41, 0.05);
  expect_fit(trained(R"toml(
[parameters]
k0 = { prior = "uniform", low = 6e10, high = 8e10 }
[state]
C = "C"
T = "T"
[define]
rate = "k0 * exp(-8750 / T) * C"
[theory]
C = "1 - C - rate"
T = "350 - T + 209 * rate"
[network.fD]
inputs  = ["C", "T", "k0", "theory"]
hidden  = [16, 16]
outputs = ["T"]
[observe]
C = "C"
T = "T"
[solver]
method = "dopri5"
)toml"));
}

// A million people; contacts fall as the epidemic grows, which the theory does not know.
TEST_F(ScaledTraining, EpidemicInPersons) {
  const Derivative epidemic = [](double, const State& s) -> State {
    const double infections = 0.6 / (1 + s[2] / 2e4) * s[0] * s[2] / 1e6;
    return {-infections, infections - s[1] / 4, s[1] / 4 - s[2] / 6, s[2] / 6};
  };
  std::vector<State> starts;
  for (int i = 0; i < 10; ++i) {
    const double exposed = 500.0 + 900 * i, infected = 300.0 + 700 * ((3 * i) % 10);
    starts.push_back({1e6 - exposed - infected, exposed, infected, 0});
  }
  write_data("S,E,I,R", epidemic, starts, 61, 1);
  expect_fit(trained(R"toml(
[parameters]
beta = { prior = "uniform", low = 0.3, high = 0.8 }
[state]
S = "S"
E = "E"
I = "I"
R = "R"
[theory]
S = "-beta * S * I / 1e6"
E = "beta * S * I / 1e6 - E / 4"
I = "E / 4 - I / 6"
R = "I / 6"
[network.fD]
inputs  = ["S", "I", "beta", "theory.S"]
hidden  = [16, 16]
outputs = ["spared"]
[data_driven]
S = "fD.spared"
E = "-fD.spared"
[observe]
S = "S"
E = "E"
I = "I"
R = "R"
)toml"));
}

// Outflow by Torricelli; the upper tank overflows into the lower one.
TEST_F(ScaledTraining, CascadedTanks) {
  const auto pump = [](double time) { return 4 + 2.5 * std::sin(0.02 * time) + std::sin(0.053 * time + 1); };
  const Derivative tanks = [&](double time, const State& s) -> State {
    const double over = 0.05 * std::log1p(std::exp(4 * (s[0] - 8))) / 4;
    const double upper = std::sqrt(std::max(s[0], 0.0)), lower = std::sqrt(std::max(s[1], 0.0));
    return {0.05 * pump(time) - 0.08 * upper - over, 0.08 * upper + over - 0.09 * lower, 0};
  };
  std::vector<State> starts;
  for (int i = 0; i < 10; ++i) starts.push_back({2.0 + 0.8 * i, 1.0 + 0.7 * ((3 * i) % 10), 0});
  const Derivative with_pump = [&](double time, const State& s) -> State {
    State d = tanks(time, s);
    d[2] = 0.02 * 2.5 * std::cos(0.02 * time) + 0.053 * std::cos(0.053 * time + 1);
    return d;
  };
  for (State& start : starts) start[2] = pump(0);
  write_data("h1,h2,u", with_pump, starts, 61, 4);
  expect_fit(trained(R"toml(
[parameters]
k = { prior = "uniform", low = 0.06, high = 0.1 }
[inputs]
pump = "u"
[state]
h1 = "h1"
h2 = "h2"
[theory]
h1 = "0.05 * pump - k * sqrt(max(h1, 0))"
h2 = "k * sqrt(max(h1, 0)) - 0.09 * sqrt(max(h2, 0))"
[network.fD]
inputs  = ["h1", "h2", "k", "theory"]
hidden  = [16, 16]
outputs = ["h1", "h2"]
[observe]
h1 = "h1"
h2 = "h2"
)toml"));
}

TEST_F(ScaledTraining, RunsKeepTheirScales) {
  std::string text = "x,y\n";
  for (int i = 0; i < 40; ++i) text += fmt::format("{},{}\n", 1000 + i, 5e6 + 1e5 * std::sin(0.3 * i));
  write("data.csv", text);
  const std::string model = R"toml([data]
file = "data.csv"
[parameters]
a = { prior = "uniform", low = 4e6, high = 6e6 }
[theory]
y = "a"
[network.fD]
inputs  = ["x", "a"]
hidden  = [8]
outputs = ["y"]
[regularizers]
size = "mean(norm2(network))"
[train]
epochs = 3
)toml";
  const Run run =
      train(Model::read(write("model.toml", model)), {.folder = path("run"), .execution = {.n_threads = 1}});
  const Scales scales = run.record()->scales;
  EXPECT_NEAR(scales.observed.at("y"), 1e5 / std::sqrt(2.0), 5e3);
  const Run opened = Run::open(path("run"));
  EXPECT_EQ(opened.record()->scales, scales);
  const auto network_at = [](const Run& of) {
    Evaluator evaluator = of.evaluator({{"a", 5e6}});
    const std::array<double, 1> point = {1010};
    std::array<double, 1> value{};
    evaluator.network(0, point, value);
    return value[0];
  };
  EXPECT_GT(std::abs(network_at(run)), 1e3);
  EXPECT_EQ(network_at(run), network_at(opened));

  // A folder of weights alone is of no scales.
  std::filesystem::create_directory(path("bare"));
  for (const char* file : {"model.toml", "weights.npz"})
    std::filesystem::copy(path("run") / file, path("bare") / file);
  EXPECT_NE(network_at(Run::open(path("bare"))), network_at(run));
}

}  // namespace
}  // namespace greybox::test
