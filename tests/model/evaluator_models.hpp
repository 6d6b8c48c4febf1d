// Models that an evaluator must be able to differentiate, made on the spot.
#pragma once

#include <string>
#include <vector>

#include "model/made_model.hpp"
#include "model/point_evaluator.hpp"

namespace greybox::test {

using Quantity = Evaluator::Quantity;

inline const std::string kTwoParameters = R"toml(
[parameters]
k = { prior = "uniform", low = 0.1, high = 2 }
d = { prior = "uniform", low = 0, high = 1 }
)toml";

// Inputs, definitions, time, a composition, and a network with static inputs.
inline std::string driven_oscillator(const std::string& more_inputs = "",
                                     const std::string& more_tables = "") {
  return kTwoParameters + R"toml(
[inputs]
push = "u"
pull = "w"
[state]
x = "x"
v = "v + 0.1*k"
[define]
drag = "d * v * abs(v)"
[theory]
x = "v"
v = "-k*x - drag + 0.2*push*pull + 0.1*sin(t + t0)"
[network.fD]
kind = "mlp"
inputs = ["x", "v", "k", "sqrt(d + 1)", "theory", "cos(t)", "pull")toml" +
         more_inputs + R"toml(]
hidden = [7, 6]
activation = "silu"
outputs = ["x", "v"]
[composition]
x = "theory.x + 0.3*network.x"
v = "theory.v * (1 + 0.5*tanh(network.v)) + 0.1*network.x"
[observe]
x = "x*v + 0.1*k*t"
v = "v*exp(-0.1*d)"
[solver]
method = "rk4"
step = 0.1
)toml" + more_tables;
}

inline std::string with_encoder() {
  return driven_oscillator(R"(, "enc.z")", R"toml(
[network.enc]
kind = "mlp"
inputs = "window"
hidden = [5]
activation = "tanh"
outputs = ["z[3]"]
)toml");
}

inline std::string with_hypernetwork() {
  return driven_oscillator(R"(, "hyper.a * x")", R"toml(
[network.hyper]
kind = "mlp"
inputs = ["k", "d"]
hidden = [4]
activation = "gelu"
outputs = ["a"]
)toml");
}

// More states than rows of a Jacobian are made at a time.
inline std::string chain(std::size_t n) {
  std::string state, theory, inputs, outputs;
  for (std::size_t i = 0; i < n; ++i) {
    state += fmt::format("s{} = \"{}*x\"\n", i, 0.1 + 0.05 * static_cast<double>(i));
    theory += fmt::format("s{0} = \"k*(s{1} - s{0}) - d*s{0}^2\"\n", i, (i + 1) % n);
    inputs += fmt::format("\"s{}\", ", i);
    outputs += fmt::format("\"s{}\", ", i);
  }
  return kTwoParameters + "[state]\n" + state + "[theory]\n" + theory +
         "[network.fD]\nkind = \"mlp\"\nhidden = [5]\nactivation = \"tanh\"\ninputs = [" + inputs +
         "]\noutputs = [" + outputs + "]\n[observe]\nx = \"s0 + s1\"\n" +
         "[solver]\nmethod = \"rk4\"\nstep = 0.1\n";
}

inline std::string reaction_model(const std::string& norm) {
  return kTwoParameters + R"toml(
[grid]
height = 4
width = 5
spacing = [0.5, 0.7]
fields = ["u"]
boundary = "no_flux"
[state]
u = "u"
w = "w"
[theory]
u = "k*laplacian(u) + 0.1*dx(u)*dy(u) - d*u + 0.1*w"
w = "0.01*norm2(u) - w"
[network.conv]
kind = "conv2d"
inputs = ["u", "w"]
channels = [3]
activation = "tanh"
norm = ")toml" +
         norm + R"toml("
outputs = ["u"]
[network.hyper]
kind = "mlp"
inputs = ["k", "d"]
hidden = [4]
activation = "gelu"
outputs = ["a"]
[data_driven]
u = "conv.u + 0.1*tanh(hyper.a)*laplacian(u)"
w = "hyper.a * w"
[observe]
u = "u*w"
w = "w*k"
[solver]
method = "rk4_38"
step = 0.3
)toml";
}

inline std::string algebraic_model() {
  return kTwoParameters + R"toml(
[theory]
y = "k * sin(x + d) + 0.1*v"
[network.fD]
kind = "mlp"
inputs = ["x", "w", "k", "d", "theory.y"]
hidden = [6, 5]
activation = "softplus"
outputs = ["y"]
[composition]
y = "theory.y * (1 + 0.5*network.y) + 0.1*network.y"
[observe]
y = "y^2 + d*y"
)toml";
}

// A model with weights, and a LoadedModel of it, with its data or without.
struct EvaluatedModel {
  explicit EvaluatedModel(const std::string& text, bool has_data = true) : made(text, 3) {
    weights = initial_weights(NetworkSet<double>(*made.model).tensors(), 7);
    loaded = {made.spec, made.model, made.plan, has_data ? made.data : nullptr};
  }

  Evaluator evaluator(std::optional<std::size_t> window = {}) const {
    return make_evaluator(loaded, weights, theta, window);
  }

  MadeModel made;
  LoadedModel loaded;
  std::vector<double> weights, theta = {0.7, 0.3};
};

inline std::vector<double> at_point(Evaluator& f, Quantity of, double t, std::span<const double> state) {
  std::vector<double> out(f.size(of));
  f.evaluate(of, t, state, out);
  return out;
}

}  // namespace greybox::test
