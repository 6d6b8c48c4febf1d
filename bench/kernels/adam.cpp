// One AdamW step, clipping included, per parameter.
#include "train/adam.hpp"

#include "rate.hpp"

namespace greybox::bench {
namespace {

void adam(benchmark::State& state) {
  const auto n = static_cast<std::size_t>(state.range(0));
  AlignedBuffer<float> parameters(n), gradient(n), first(n), second(n);
  parameters.fill(0.1F);
  gradient.fill(0.01F);
  const AdamOptions options{.clip_value = 1, .clip_norm = 10};
  std::uint64_t n_updates = 0;
  for (auto _ : state)
    adam_step<float>(options, 1e-3, n_updates++, {&parameters, &gradient, &first, &second, padded<float>(n)});
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

// The toy's network and the pendulum's.
BENCHMARK(adam)->Arg(384)->Arg(34560);

}  // namespace
}  // namespace greybox::bench

BENCHMARK_MAIN();
