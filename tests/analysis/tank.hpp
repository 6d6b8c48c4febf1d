// A tank that drains by two laws, one of which the theory knows: level' = pump - k level - 0.3 level². The
// correction is written out in the model, so that what an analysis should find is known whatever was trained.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "greybox/train.hpp"

namespace greybox::test {

inline constexpr double kTankRate = 0.7;
inline constexpr const char* kTankCorrection = "-0.3 * level^2 + 1e-9 * fD.level";

struct TankModel {
  std::string name = "tank";
  std::string theory = "u - k * level";
  std::string correction = kTankCorrection;
  std::string state = "level";
};

inline Model tank_model(const TankModel& model = {}) {
  return Model::parse("name = \"" + model.name + R"toml("
scale = "none"
[data]
window = { length = 6, stride = 5 }
split = { train = 0.5, validation = 0.25, test = 0.25, by = "series" }
[inputs]
u = "pump"
[parameters]
k = { prior = "uniform", low = 0.1, high = 2 }
[state]
level = ")toml" + model.state +
                          R"toml("
[theory]
level = ")toml" + model.theory +
                          R"toml("
[network.fD]
inputs = ["level"]
hidden = [4]
outputs = ["level"]
[data_driven]
level = ")toml" + model.correction +
                          R"toml("
[observe]
level = "level"
[solver]
method = "rk4"
step = 0.05
[regularizers]
normD = "mean(norm2(network))"
[train]
regularizer = "normD"
lambda = 1e-3
epochs = 1
batch = 16
rate = 3e-2
)toml",
                      model.name);
}

// Linear between points, constant beyond them.
inline double linear(const std::vector<double>& x, const std::vector<double>& y, double at) {
  for (std::size_t i = 1; i < x.size(); ++i)
    if (at <= x[i]) return std::lerp(y[i - 1], y[i], (at - x[i - 1]) / (x[i] - x[i - 1]));
  return y.back();
}

// The true level, by the midpoint rule with steps so small that its error does not matter.
template <class Pump>
double tank_level(double level, double from, double to, Pump&& pump) {
  constexpr double step = 1e-4;
  const auto slope = [&](double t, double y) { return pump(t) - kTankRate * y - 0.3 * y * y; };
  const auto n = static_cast<int>(std::ceil((to - from) / step - 1e-9));
  const double h = n > 0 ? (to - from) / n : 0;
  for (int i = 0; i < n; ++i) {
    const double t = from + i * h;
    level += h * slope(t + h / 2, level + h / 2 * slope(t, level));
  }
  return level;
}

inline Table tank_table(double noise = 0, int n_series = 16) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  std::vector<std::string> series;
  std::vector<double> time, level, pump;
  for (int s = 0; s < n_series; ++s) {
    const auto pumped = [&](double t) { return 0.5 + 0.4 * std::sin(2 * t + s); };
    std::vector<double> times, pumps;
    for (int i = 0; i <= 25; ++i) {
      times.push_back(0.1 * i);
      pumps.push_back(pumped(0.1 * i));
    }
    double y = 0.3 + 0.1 * s;
    for (std::size_t i = 0; i < times.size(); ++i) {
      if (i > 0) y = tank_level(y, times[i - 1], times[i], [&](double t) { return linear(times, pumps, t); });
      series.push_back("s" + std::to_string(s));
      time.push_back(times[i]);
      pump.push_back(pumps[i]);
      level.push_back(y + noise * normal(random));
    }
  }
  Table table;
  table.series(series).time(time).column("level", level).column("pump", pump).named("tank");
  return table;
}

}  // namespace greybox::test
