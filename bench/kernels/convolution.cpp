// Convolutions on a 32 × 32 image: values, adjoint and filter gradient, for the layers of reaction–diffusion.
#include "nn/conv_filter.hpp"
#include "rate.hpp"

namespace greybox::bench {
namespace {

constexpr std::size_t kSize = 32, kKernel = 3;

// A filter from range(0) to range(1) channels.
struct Convolution {
  explicit Convolution(const benchmark::State& state)
      : shape{.n_inputs = static_cast<std::size_t>(state.range(0)),
              .n_outputs = static_cast<std::size_t>(state.range(1)),
              .kernel = kKernel},
        image_shape{.height = kSize, .width = kSize, .border = 1, .stride = shape.n_inputs},
        delta_shape{.height = kSize, .width = kSize, .border = 2, .stride = shape.n_outputs},
        filter(shape, {.height = kSize, .width = kSize, .image_pitch = kSize + 2, .result_pitch = kSize},
               ResultLayout::compact),
        gradient(shape, image_shape, delta_shape),
        image(image_shape.size() + kSlack),
        delta(delta_shape.size() + kSlack),
        result(kSize * kSize * filter.stride() + kSlack),
        sums(gradient.size()),
        scratch(std::max(filter.scratch_size(), gradient.scratch_size())) {
    AlignedBuffer<float> weights(shape.n_inputs * shape.n_outputs * kKernel * kKernel);
    weights.fill(0.1F);
    filter.pack(weights.data(), weights.data());
    image.fill(0.5F);
    delta.fill(0.5F);
  }

  double flops() const {
    return 2.0 * static_cast<double>(kSize * kSize * kKernel * kKernel * shape.n_inputs * shape.n_outputs);
  }

  static constexpr std::size_t kSlack = 64;
  FilterShape shape;
  ImageShape image_shape, delta_shape;
  ConvFilter<float> filter;
  ConvFilterGradient<float> gradient;
  AlignedBuffer<float> image, delta, result, sums, scratch;
};

void convolution_forward(benchmark::State& state) {
  Convolution c(state);
  measure(state, c.flops(),
          [&] { c.filter.apply(kSize, c.image.data(), c.result.data(), c.scratch.data()); });
}

void convolution_filter_gradient(benchmark::State& state) {
  Convolution c(state);
  measure(state, c.flops(), [&] {
    c.gradient.add({.first = 0, .n_rows = kSize}, c.image.data(), c.delta.data(), c.sums.data(),
                   c.scratch.data());
  });
}

// The adjoint of a layer is a convolution from its outputs to its inputs.
BENCHMARK(convolution_forward)->Args({2, 16})->Args({16, 16})->Args({16, 2});
BENCHMARK(convolution_filter_gradient)->Args({2, 16})->Args({16, 16})->Args({16, 2});

}  // namespace
}  // namespace greybox::bench
