// From arrays to answers: a pendulum with friction that the theory does not know.
#include <cmath>
#include <cstdint>
#include <greybox/greybox.hpp>
#include <iostream>

namespace {

constexpr const char* kModel = R"toml(
name = "pendulum"

[data]
window = { length = 6, observed = 1 }
split  = { train = 0.5, validation = 0.25, test = 0.25, by = "series" }

[parameters]
g = { prior = "uniform", low = 8, high = 12 }

[state]
angle    = "angle"
velocity = "velocity"

[theory]
angle    = "velocity"
velocity = "-g * sin(angle)"

[network.fD]
kind    = "mlp"
inputs  = ["sin(angle)", "velocity", "g"]
hidden  = [16]
outputs = ["velocity"]

[observe]
angle    = "angle"
velocity = "velocity"

[solver]
method = "rk4"

[regularizers]
normD = "mean(norm2(network))"
corr  = "abs(mean(dot(theory, network)))"

[train]
regularizer = "normD"
lambda = 1e-3
epochs = 40
batch  = 20
rate   = [1e-2, 1e-3]
)toml";

// Eight swings of a pendulum: g = 9.81, friction 0.5.
struct Swings {
  std::vector<std::int64_t> ids;
  std::vector<double> time, angle, velocity;

  Swings() {
    for (std::int64_t id = 0; id < 8; ++id) {
      double a = 0.3 + 0.2 * static_cast<double>(id), v = 0;
      for (int k = 0; k < 40; ++k) {
        ids.push_back(id);
        time.push_back(0.05 * k);
        angle.push_back(a);
        velocity.push_back(v);
        for (int step = 0; step < 50; ++step) {
          v += 0.001 * (-9.81 * std::sin(a) - 0.5 * v);
          a += 0.001 * v;
        }
      }
    }
  }
};

}  // namespace

int main() {
  const Swings swings;
  const greybox::Model model = greybox::Model::parse(kModel, "pendulum");
  greybox::Table table;
  table.series(swings.ids).time(swings.time);
  table.column("angle", swings.angle).column("velocity", swings.velocity);

  greybox::Run run = greybox::train(model, table, {.mode = greybox::TrainMode::adaptive, .seed = 1});
  const greybox::Landscape map = greybox::landscape(run, {.vary = {{"g", 8, 12, 41}}});
  const greybox::Verdicts verdicts = greybox::judge(run, {.seeds = 2});
  const greybox::Estimate best = greybox::estimate(run, {.regularizer = "normD"});
  const greybox::Prediction p = greybox::predict(run, {.theta = best.theta});
  greybox::Evaluator f = run.evaluator(best.theta);

  std::cout << "normD is lowest at g = " << map.grids[0].maps[0].minima[0].theta[0] << '\n';
  for (const greybox::Verdict& verdict : verdicts) std::cout << verdict.sentence << '\n';
  std::cout << "g = " << best.theta.at("g") << ", RMSE " << p.rmse << " over " << p.n_windows << " windows\n";
  std::vector<double> state = {p.observed("angle")[0], p.observed("velocity")[0]}, rate(f.n_states());
  f.derivative(0, state, rate);
  std::cout << "acceleration there: " << rate[1] << '\n';
  return run.outcome() == greybox::TrainOutcome::finished && p.rmse < 0.2 ? 0 : 1;
}
