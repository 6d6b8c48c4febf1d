// A trained model at one point at a time: what a control loop or an ODE solver pays per call.
#include "greybox/evaluator.hpp"

#include <fmt/format.h>

#include "model/point_evaluator.hpp"
#include "model/weights.hpp"
#include "rate.hpp"

namespace greybox::bench {
namespace {

// The pendulum of the examples with two hidden layers of `width`.
std::string pendulum(std::int64_t width) {
  return fmt::format(R"toml(
[data]
file = "none.csv"
[parameters]
g = {{ prior = "uniform", low = 8, high = 12 }}
[state]
angle = "angle"
velocity = "velocity"
[theory]
angle = "velocity"
velocity = "1.5 * g * sin(angle)"
[network.fD]
kind = "mlp"
inputs = ["cos(angle)", "sin(angle)", "velocity", "g", "theory.angle", "theory.velocity"]
hidden = [{0}, {0}]
outputs = ["angle", "velocity"]
[observe]
angle = "angle"
velocity = "velocity"
[solver]
method = "rk4"
step = 0.05
)toml",
                     width);
}

// Two fields on a 32 × 32 grid, with the network of the reaction-diffusion example.
std::string reaction() {
  return R"toml(
[data]
file = "none.npz"
[grid]
height = 32
width = 32
[parameters]
a = { prior = "uniform", low = 0, high = 20 }
[state]
u = "u"
v = "v"
[theory]
u = "a * laplacian(u)"
v = "a * laplacian(v)"
[network.conv]
kind = "conv2d"
inputs = ["u", "v"]
channels = [16, 16]
outputs = ["u", "v"]
[observe]
u = "u"
v = "v"
[solver]
method = "rk4"
step = 0.05
)toml";
}

Evaluator evaluator_of(const std::string& text) {
  LoadedModel loaded;
  loaded.spec = std::make_shared<const ModelSpec>(parse_model_spec(text, "bench.toml"));
  loaded.model = bind_model(loaded.spec, nullptr);
  loaded.plan = std::make_shared<const ExecutionPlan>(loaded.model);
  const std::vector<double> weights = initial_weights(NetworkSet<double>(*loaded.model).tensors(), 1);
  return make_evaluator(loaded, weights, std::vector<double>{10});
}

// An evaluator, a point, and room for what is computed there.
struct Point {
  explicit Point(const std::string& text)
      : f(evaluator_of(text)), state(f.n_states(), 0.3), out(f.n_states()), theta(1, 10) {}

  Evaluator f;
  std::vector<double> state, out, theta;
};

void run_derivative(benchmark::State& state, const std::string& text) {
  Point at(text);
  for (auto _ : state) {
    at.f.derivative(0, at.state, at.out);
    benchmark::DoNotOptimize(at.out.data());
  }
}

void run_vector_jacobian(benchmark::State& state, const std::string& text) {
  Point at(text);
  std::vector<double> gradient(at.f.n_states());
  for (auto _ : state) {
    at.f.vector_jacobian(0, at.state, at.out, {.state = gradient, .theta = at.theta});
    benchmark::DoNotOptimize(gradient.data());
  }
}

void evaluator_derivative(benchmark::State& state) {
  run_derivative(state, pendulum(state.range(0)));
}
void evaluator_vector_jacobian(benchmark::State& state) {
  run_vector_jacobian(state, pendulum(state.range(0)));
}
void evaluator_theory(benchmark::State& state) {
  Point at(pendulum(state.range(0)));
  for (auto _ : state) {
    at.f.theory(0, at.state, at.out);
    benchmark::DoNotOptimize(at.out.data());
  }
}
void evaluator_jacobian(benchmark::State& state) {
  Point at(pendulum(state.range(0)));
  std::vector<double> jacobian(at.f.n_states() * at.f.n_states());
  for (auto _ : state) {
    at.f.jacobian(0, at.state, jacobian);
    benchmark::DoNotOptimize(jacobian.data());
  }
}
void evaluator_jacobian_vector(benchmark::State& state) {
  Point at(pendulum(state.range(0)));
  for (auto _ : state) {
    at.f.jacobian_vector(0, at.state, at.state, at.out);
    benchmark::DoNotOptimize(at.out.data());
  }
}
void evaluator_set_theta(benchmark::State& state) {
  Point at(pendulum(state.range(0)));
  for (auto _ : state) at.f.set_theta(at.theta);
}
void evaluator_field_derivative(benchmark::State& state) {
  run_derivative(state, reaction());
}
void evaluator_field_vector_jacobian(benchmark::State& state) {
  run_vector_jacobian(state, reaction());
}

BENCHMARK(evaluator_derivative)->Arg(64)->Arg(128);
BENCHMARK(evaluator_theory)->Arg(64);
BENCHMARK(evaluator_jacobian)->Arg(64);
BENCHMARK(evaluator_jacobian_vector)->Arg(64);
BENCHMARK(evaluator_vector_jacobian)->Arg(64);
BENCHMARK(evaluator_set_theta)->Arg(64);
BENCHMARK(evaluator_field_derivative);
BENCHMARK(evaluator_field_vector_jacobian);

}  // namespace
}  // namespace greybox::bench
