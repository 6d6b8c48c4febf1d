// Products of a fully connected layer: forward, backward, weight gradient; wide and narrow.
#include <numeric>

#include "nn/dense_layer.hpp"
#include "rate.hpp"

namespace greybox::bench {
namespace {

// A layer of range(0) inputs and range(1) outputs on range(2) rows.
struct Dense {
  explicit Dense(const benchmark::State& state, bool is_linear = false)
      : n_inputs(static_cast<std::size_t>(state.range(0))),
        n_outputs(static_cast<std::size_t>(state.range(1))),
        n_rows(static_cast<std::size_t>(state.range(2))),
        layer(n_outputs, n_inputs, columns(n_inputs), is_linear),
        x(n_rows * layer.input().stride),
        y(n_rows * layer.output().stride),
        bias(layer.output().padded),
        sums(layer.n_sums()) {
    AlignedBuffer<float> weights(n_outputs * n_inputs);
    weights.fill(0.1F);
    layer.set_weights(weights.data());
    x.fill(0.5F);
    y.fill(0.5F);
  }

  static std::vector<std::size_t> columns(std::size_t n) {
    std::vector<std::size_t> all(n);
    std::iota(all.begin(), all.end(), std::size_t{0});
    return all;
  }
  double flops() const { return 2.0 * static_cast<double>(n_inputs * n_outputs * n_rows); }

  std::size_t n_inputs, n_outputs, n_rows;
  DenseLayer<float> layer;
  AlignedBuffer<float> x, y, bias, sums;
};

void dense_forward(benchmark::State& state) {
  Dense dense(state);
  measure(state, dense.flops(), [&] {
    dense.layer.forward(
        dense.n_rows, dense.x.data(), dense.y.data(),
        {.start = dense.bias.data(), .start_row = 0, .epilogue = Epilogue::leaky, .slope = 0.01F});
  });
}

void dense_forward_narrow(benchmark::State& state) {
  Dense dense(state, true);
  DenseLayer<float>::Forward around;
  around.start = dense.bias.data();
  measure(state, dense.flops(),
          [&] { dense.layer.forward(dense.n_rows, dense.x.data(), dense.y.data(), around); });
}

void dense_backward(benchmark::State& state) {
  Dense dense(state);
  measure(state, dense.flops(),
          [&] { dense.layer.backward(dense.n_rows, dense.y.data(), dense.x.data(), {}); });
}

void dense_weight_gradient(benchmark::State& state) {
  Dense dense(state);
  measure(state, dense.flops(),
          [&] { dense.layer.add_gradient(dense.n_rows, dense.x.data(), dense.y.data(), dense.sums.data()); });
}

// Rows as in a training step of the pendulum: a block, and the four blocks of a flush.
BENCHMARK(dense_forward)->Args({128, 128, 25})->Args({128, 128, 32})->Args({6, 128, 25})->Args({16, 16, 10});
BENCHMARK(dense_forward_narrow)->Args({128, 2, 25})->Args({16, 1, 10});
BENCHMARK(dense_backward)->Args({128, 128, 25})->Args({128, 128, 32})->Args({6, 128, 25})->Args({16, 16, 10});
BENCHMARK(dense_weight_gradient)->Args({128, 128, 100})->Args({6, 128, 100})->Args({16, 16, 10});

}  // namespace
}  // namespace greybox::bench
