// A trained model in a control loop: the evaluator at fixed θ, a thousand steps, nothing allocated on the
// way.
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <greybox/greybox.hpp>
#include <iostream>
#include <new>

namespace {

std::size_t n_allocations = 0;

constexpr const char* kModel = R"toml(
name = "joint"
[parameters]
k = { prior = "uniform", low = 1, high = 9 }
[inputs]
u = "u"
[state]
angle    = "angle"
velocity = "velocity"
[theory]
angle    = "velocity"
velocity = "u - k * angle"
[network.friction]
kind    = "mlp"
inputs  = ["velocity", "k"]
hidden  = [64, 64]
outputs = ["velocity"]
[observe]
angle    = "angle"
velocity = "velocity"
[regularizers]
normD = "mean(norm2(network))"
[train]
epochs = 2
)toml";

greybox::Run trained() {
  std::vector<double> time, angle, velocity, u;
  for (int k = 0; k < 60; ++k) {
    time.push_back(0.1 * k);
    angle.push_back(std::sin(0.2 * k));
    velocity.push_back(2 * std::cos(0.2 * k));
    u.push_back(0);
  }
  greybox::Table table;
  table.time(time).column("angle", angle).column("velocity", velocity).column("u", u);
  return greybox::train(greybox::Model::parse(kModel, "joint"), table);
}

}  // namespace

void* operator new(std::size_t size) {
  ++n_allocations;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

int main() {
  greybox::Evaluator f = trained().evaluator({{"k", 4.0}});
  std::vector<double> state = {0.5, 0.0}, rate(f.n_states()), torque(f.n_inputs());
  const std::size_t n_before = n_allocations;
  const auto start = std::chrono::steady_clock::now();
  for (int step = 0; step < 1000; ++step) {  // 1 kHz: one second of control
    torque[0] = -2.0 * state[0] - 1.0 * state[1];
    f.set_inputs(torque);
    f.derivative(0.001 * step, state, rate);
    for (std::size_t i = 0; i < state.size(); ++i) state[i] += 0.001 * rate[i];
  }
  const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - start;
  const std::size_t n_new = n_allocations - n_before;
  std::cout << "angle " << state[0] << " after one second; " << took.count() / 1000 << " µs a step, " << n_new
            << " allocations\n";
  return n_new == 0 && took.count() / 1000 < 20 ? 0 : 1;
}
