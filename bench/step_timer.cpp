// Times the training step of a model file on one batch. Prints, as JSON, the objective at the given weights,
// the time per step and the share of the processor's limit that this is.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <exception>

#include "fma_peak.hpp"
#include "memory_use.hpp"
#include "stopwatch.hpp"
#include "training.hpp"

namespace greybox::bench {
namespace {

struct Options {
  TrainingOptions training;
  double seconds = 2;
  std::size_t n_steps = 0;
};

void add_to(CLI::App& app, Options& options) {
  app.add_option("model", options.training.model, "model file")->required();
  app.add_option("--data", options.training.data, "data file; all its windows are the batch")->required();
  app.add_option("--weights", options.training.weights, "weights.npz; default: drawn anew");
  app.add_option("--theta", options.training.theta, "for the printed loss; default: middle of the bounds");
  app.add_option("--lambda", options.training.lambda, "default: the model file's");
  app.add_option("--threads", options.training.n_threads, "default: 1");
  app.add_option("--seconds", options.seconds, "how long to measure; default: 2");
  app.add_option("--steps", options.n_steps, "do exactly so many steps and measure nothing");
}

void report(const Options& options) {
  Training training(options.training);
  const Training::Check check = training.check();
  training.start();
  const Seconds step = time_repeatedly(options.seconds, [&] { training.step(); });
  const double peak = fma_peak_gflops();
  const double gflops = 1e-9 * check.step_flops / step.median;
  fmt::print(
      "{{\"batch\": {}, \"threads\": {}, \"theta\": [{}], \"L\": {}, \"R\": {}, \"seconds_per_step\": "
      "{:.6g}, "
      "\"quartiles\": [{:.6g}, {:.6g}], \"cpu_seconds_per_step\": {:.6g}, \"gflops\": {:.4g}, "
      "\"peak_gflops\": {:.4g}, \"share_of_peak\": {:.3f}, "
      "\"memory_mb\": {:.0f}}}\n",
      training.n_samples(), options.training.n_threads, fmt::join(check.theta, ", "), check.loss,
      check.regularizer, step.median, step.lower_quartile, step.upper_quartile, step.cpu, gflops, peak,
      gflops / (peak * static_cast<double>(options.training.n_threads)), memory_high_water_megabytes());
}

void run_steps(const Options& options) {
  Training training(options.training);
  training.start();
  for (std::size_t i = 0; i < options.n_steps; ++i) training.step();
}

}  // namespace
}  // namespace greybox::bench

int main(int argc, char** argv) {
  using namespace greybox::bench;
  Options options;
  CLI::App app("Times the training step of a model file on one batch.");
  add_to(app, options);
  CLI11_PARSE(app, argc, argv);
  try {
    options.n_steps > 0 ? run_steps(options) : report(options);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
