// Texts of models for `MadeModel`: each uses much of what equations, networks and solvers can do.
#pragma once

#include <fmt/format.h>

#include <string>

namespace greybox::test {

// A text with the first `from` in it replaced.
inline std::string with(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

inline const std::string kParameters = R"toml(
[parameters]
k = { prior = "uniform", low = 0.1, high = 2 }
d = { prior = "uniform", low = 0, high = 1 }
)toml";

// Needs both parameters, a theory and a network.
inline const std::string kRegularizers = R"toml(
[regularizers]
all = "mean(norm2(network)) + 0.3*abs(mean(dot(theory, network))) + log(1 + mean(norm2(theory - network))) + k^2*d"
[train]
regularizer = "all"
)toml";

inline const std::string kRungeKutta = R"toml(
[solver]
method = "rk4"
step = 0.1
)toml";

// Inputs, definitions and time; without network, observations and solver.
inline const std::string kDrivenTheory = kParameters + R"toml(
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
)toml";

// Reads the observed window.
inline const std::string kEncoder = R"toml(
[network.enc]
kind = "mlp"
inputs = "window"
hidden = [5]
activation = "tanh"
outputs = ["z[3]", "w"]
)toml";

// Reads θ alone.
inline const std::string kHypernetwork = R"toml(
[network.hyper]
kind = "mlp"
inputs = ["k", "d"]
hidden = [4]
activation = "gelu"
outputs = ["a"]
)toml";

// A composition, and a network with static inputs.
inline std::string driven_oscillator(const std::string& more_inputs = "",
                                     const std::string& more_tables = "") {
  return kDrivenTheory + R"toml(
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
)toml" + kRungeKutta +
         more_tables;
}

inline std::string with_encoder() {
  return driven_oscillator(R"(, "enc.z", "enc.w")", kEncoder);
}

inline std::string with_hypernetwork() {
  return driven_oscillator(R"(, "hyper.a * x")", kHypernetwork);
}

// Whose network and observations read the window.
inline std::string encoded_oscillator(const std::string& solver = kRungeKutta) {
  return kDrivenTheory + kEncoder + R"toml(
[network.fD]
kind = "mlp"
inputs = ["x", "v", "k", "enc.z", "theory", "cos(t)"]
hidden = [7, 6]
activation = "silu"
outputs = ["x", "v"]
[observe]
x = "x + 0.1*enc.w"
v = "v*exp(-0.1*d)"
)toml" + solver;
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
  return kParameters + "[state]\n" + state + "[theory]\n" + theory +
         "[network.fD]\nkind = \"mlp\"\nhidden = [5]\nactivation = \"tanh\"\ninputs = [" + inputs +
         "]\noutputs = [" + outputs + "]\n[observe]\nx = \"s0 + s1\"\n" + kRungeKutta;
}

struct ReactionChoices {
  std::string norm = "none", padding = "replicate", boundary = "no_flux";
};

// A field and a scalar, a convolution and a hypernetwork.
inline std::string reaction_model(const ReactionChoices& choices = {}) {
  return kParameters + R"toml(
[grid]
height = 4
width = 5
spacing = [0.5, 0.7]
fields = ["u"]
boundary = ")toml" +
         choices.boundary + (choices.boundary == "fixed" ? "\"\noutside = 0.3" : "\"") + R"toml(
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
padding = ")toml" +
         choices.padding + R"toml("
norm = ")toml" +
         choices.norm + R"toml("
outputs = ["u"]
)toml" + kHypernetwork +
         R"toml(
[data_driven]
u = "conv.u + 0.1*tanh(hyper.a)*laplacian(u)"
w = "hyper.a * where(w > 0, w, 0.5*w)"
[observe]
u = "u*w"
w = "w*k"
[solver]
method = "rk4_38"
step = 0.3
)toml";
}

inline std::string algebraic_model() {
  return kParameters + R"toml(
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

}  // namespace greybox::test
