// A trained model inside somebody else's solver: implicit Euler with the exact Jacobian, and the gradient of
// what comes out by vector-Jacobian products.
#include <array>
#include <cmath>
#include <greybox/greybox.hpp>
#include <iostream>

namespace {

constexpr const char* kModel = R"toml(
name = "decay"
[parameters]
k = { prior = "uniform", low = 1, high = 9 }
[state]
x = "x"
y = "y"
[theory]
x = "-k * x"
y = "k * x - y"
[network.fD]
kind    = "mlp"
inputs  = ["x", "y", "k"]
hidden  = [8]
outputs = ["x", "y"]
[observe]
x = "x"
y = "y"
[regularizers]
normD = "mean(norm2(network))"
[train]
epochs = 2
)toml";

using State = std::array<double, 2>;

greybox::Run trained() {
  std::vector<double> time, x, y;
  for (int k = 0; k < 30; ++k) {
    time.push_back(0.1 * k);
    x.push_back(std::exp(-0.4 * k));
    y.push_back(4.0 / 3 * (std::exp(-0.1 * k) - std::exp(-0.4 * k)));
  }
  greybox::Table table;
  table.time(time).column("x", x).column("y", y);
  return greybox::train(greybox::Model::parse(kModel, "decay"), table);
}

// (I - h J) z = r, and its transpose.
State solve(const std::array<double, 4>& j, double h, const State& r, bool transposed) {
  const double a = 1 - h * j[0], d = 1 - h * j[3];
  const double b = -h * (transposed ? j[2] : j[1]), c = -h * (transposed ? j[1] : j[2]);
  return {(d * r[0] - b * r[1]) / (a * d - b * c), (a * r[1] - c * r[0]) / (a * d - b * c)};
}

// One step of size h by Newton's method.
State step(greybox::Evaluator& f, const State& from, double h) {
  State to = from, rate{}, rest{};
  std::array<double, 4> jacobian{};
  for (int iteration = 0; iteration < 20; ++iteration) {
    f.derivative(0, to, rate);
    f.jacobian(0, to, jacobian);
    for (int i = 0; i < 2; ++i) rest[i] = from[i] + h * rate[i] - to[i];
    const State change = solve(jacobian, h, rest, false);
    for (int i = 0; i < 2; ++i) to[i] += change[i];
  }
  return to;
}

}  // namespace

int main() {
  greybox::Evaluator f = trained().evaluator({{"k", 4.0}});
  const double h = 0.2;
  const State from = {1, 0}, to = step(f, from, h);

  // d x(h) / dk by the adjoint: (I - hJ)ᵀ λ = e_x, then h λᵀ ∂f/∂k.
  std::array<double, 4> jacobian{};
  std::array<double, 1> slope{};
  f.jacobian(0, to, jacobian);
  const State lambda = solve(jacobian, h, {1, 0}, true);
  f.vector_jacobian(0, to, lambda, {.state = {}, .theta = slope, .inputs = {}});

  // The product with a direction agrees with the Jacobian, the gradient with a difference quotient.
  State product{};
  f.jacobian_vector(0, to, lambda, product);
  const double expected = jacobian[0] * lambda[0] + jacobian[1] * lambda[1];
  const double small = 1e-6;
  f.set_theta(std::array{4.0 + small});
  const double above = step(f, from, h)[0];
  f.set_theta(std::array{4.0 - small});
  const double difference = (above - step(f, from, h)[0]) / (2 * small);
  std::cout << "dx/dk = " << h * slope[0] << ", by differences " << difference << '\n';
  return std::abs(product[0] - expected) < 1e-12 && std::abs(h * slope[0] - difference) < 1e-8 ? 0 : 1;
}
