// Rates that benchmarks report beside their times.
#pragma once

#include <benchmark/benchmark.h>

#include "fma_peak.hpp"
#include "stopwatch.hpp"

namespace greybox::bench {

// Measured once, in the same run as the kernels.
inline double peak_gflops() {
  static const double peak = fma_peak_gflops();
  return peak;
}

// Runs the benchmark's loop; `flops` is what one call does. Says how fast that was, and how near to the peak.
template <class Work>
void measure(benchmark::State& state, double flops, Work&& work) {
  const double start = cpu_seconds();
  for (auto _ : state) {
    work();
    benchmark::ClobberMemory();
  }
  const double gflops = 1e-9 * flops * static_cast<double>(state.iterations()) / (cpu_seconds() - start);
  state.counters["GFLOP/s"] = gflops;
  state.counters["%peak"] = 100 * gflops / peak_gflops();
}

}  // namespace greybox::bench
