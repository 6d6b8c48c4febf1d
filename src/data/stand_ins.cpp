#include "data/stand_ins.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "core/random.hpp"
#include "data/mistakes.hpp"

namespace greybox {
namespace {

using State = std::array<double, 2>;

// Classic Runge–Kutta of fourth order, n steps over `duration`.
template <class Derivative>
State advance(const Derivative& derivative, State state, double duration, int n) {
  const double h = duration / n;
  const auto moved = [&](const State& k, double by) {
    return State{state[0] + by * k[0], state[1] + by * k[1]};
  };
  for (int i = 0; i < n; ++i) {
    const State k1 = derivative(state), k2 = derivative(moved(k1, h / 2)), k3 = derivative(moved(k2, h / 2)),
                k4 = derivative(moved(k3, h));
    for (std::size_t s = 0; s < 2; ++s) state[s] += h / 6 * (k1[s] + 2 * k2[s] + 2 * k3[s] + k4[s]);
  }
  return state;
}

// Appends series to a table of scalar columns.
class SeriesWriter {
 public:
  SeriesWriter(std::string name, const std::vector<std::string>& columns) : values_(columns.size()) {
    table_.file = std::move(name);
    for (const std::string& column : columns) table_.columns.push_back({.name = column, .values = {}});
  }

  void begin(std::string series) {
    table_.series.push_back({.name = std::move(series), .first_row = table_.time.size(), .n_rows = 0});
  }
  void add(double time, std::initializer_list<double> row) {
    table_.time.push_back(time);
    ++table_.series.back().n_rows;
    std::size_t k = 0;
    for (double value : row) values_[k++].push_back(value);
  }
  DataTable finish() {
    for (std::size_t k = 0; k < values_.size(); ++k) table_.columns[k].values = std::move(values_[k]);
    table_.lines.assign(table_.time.size(), 0);
    return std::move(table_);
  }

 private:
  DataTable table_;
  std::vector<std::vector<double>> values_;
};

constexpr std::size_t kEpisodes = 100, kStandInSteps = 100;
constexpr int kStandInStepsPerSecond = 20;
constexpr double kControllersGravity = 10, kMostTorque = 2;
constexpr double kLargestGravity = 100;  // up to here a swing is seen in at least ten snapshots

// Energy shaping far from upright, a spring and a damper near it. The angle is 0 when upright.
double torque(double angle, double velocity) {
  const double turn = std::remainder(angle, 2 * std::numbers::pi);
  const double energy = velocity * velocity / 2 + 1.5 * kControllersGravity * (std::cos(turn) - 1);
  const bool is_near = std::abs(turn) < 0.35 && std::abs(velocity) < 3;
  const double wanted = is_near ? -12 * turn - 2.5 * velocity : -0.4 * energy * velocity;
  return std::clamp(wanted, -kMostTorque, kMostTorque);
}

void check(const GravityRange& gravity) {
  if (gravity.low > 0 && gravity.low <= gravity.high && gravity.high <= kLargestGravity) return;
  Place{}.refuse(
      fmt::format("gravities from {} to {} are not those of a pendulum here", gravity.low, gravity.high),
      fmt::format("give one number, or two in rising order, from above 0 to {}", kLargestGravity));
}

constexpr std::size_t kPlanktonSeries = 10, kDays = 195;
constexpr double kPlanktonNoise = 0.04, kWander = 0.15;

// Rates of one day: the laboratory is never quite the same.
struct PlanktonRates {
  double growth, death;
  State operator()(const State& s) const {
    const double eaten = 2.6 * s[0] * s[1] / (1 + 0.9 * s[0]);
    return {growth * s[0] * (1 - s[0] / 3) - eaten, 0.75 * eaten - death * s[1]};
  }
};

}  // namespace

DataTable make_steered_pendulum(std::uint64_t seed, const std::optional<GravityRange>& gravity) {
  const GravityRange range = gravity.value_or(GravityRange{});
  check(range);
  const Random random(seed, Purpose::generator);
  SeriesWriter writer("pendulum", {"cos_angle", "sin_angle", "velocity"});
  std::vector<double> gravities;
  for (std::size_t episode = 0; episode < kEpisodes; ++episode) {
    writer.begin(fmt::format("{}", episode));
    const double g = range.low + (range.high - range.low) * random.uniform(episode, 2);
    gravities.insert(gravities.end(), kStandInSteps, g);
    const auto derivative = [g](const State& s) {
      return State{s[1], 1.5 * g * std::sin(s[0]) + 3 * torque(s[0], s[1])};
    };
    State state = {std::numbers::pi * (2 * random.uniform(episode, 0) - 1),
                   2 * random.uniform(episode, 1) - 1};
    for (std::size_t k = 0; k < kStandInSteps; ++k) {
      writer.add(static_cast<double>(k) / kStandInStepsPerSecond,
                 {std::cos(state[0]), std::sin(state[0]), state[1]});
      state = advance(derivative, state, 1.0 / kStandInStepsPerSecond, 10);
    }
  }
  DataTable table = writer.finish();
  if (gravity) table.columns.push_back({.name = "true_gravity", .values = std::move(gravities)});
  return table;
}

DataTable make_plankton(std::uint64_t seed) {
  const Random random(seed, Purpose::generator);
  SeriesWriter writer("predator-prey", {"prey", "predator"});
  for (std::size_t series = 0; series < kPlanktonSeries; ++series) {
    writer.begin(fmt::format("C{}", series + 1));
    State state = {0.3 + random.uniform(series, 0), 0.2 + 0.4 * random.uniform(series, 1)};
    double wander = 0;
    for (std::size_t day = 0; day < kDays; ++day) {
      const auto noise = [&](std::uint64_t k) { return random.normal(series, 4 * (day + 1) + k); };
      writer.add(static_cast<double>(day), {state[0] * std::exp(kPlanktonNoise * noise(0)),
                                            state[1] * std::exp(kPlanktonNoise * noise(1))});
      wander = 0.9 * wander + kWander * noise(2);
      state = advance(PlanktonRates{1.4 * std::exp(wander / 2), 0.75 * std::exp(-wander / 2)}, state, 1, 40);
    }
  }
  return writer.finish();
}

}  // namespace greybox
