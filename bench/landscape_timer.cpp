// Times a landscape as `greybox landscape` computes it: L and R for many θ over all inputs. Prints pairs (θ,
// input) per second as JSON.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <exception>

#include "analysis/theta/theta_scan.hpp"
#include "greybox/model.hpp"
#include "memory_use.hpp"
#include "model/weights.hpp"
#include "stopwatch.hpp"

namespace greybox::bench {
namespace {

struct Options {
  std::string model, data, weights;
  std::size_t n_theta = 400;
  std::size_t n_threads = 1;
};

// Evenly spread between the bounds; which values they are does not matter for the time.
std::vector<double> spread_theta(const std::vector<ParameterSpec>& parameters, std::size_t n_theta) {
  std::vector<double> theta;
  for (std::size_t t = 0; t < n_theta; ++t)
    for (const ParameterSpec& parameter : parameters)
      theta.push_back(std::lerp(parameter.low, parameter.high,
                                static_cast<double>(t + 1) / static_cast<double>(n_theta + 1)));
  return theta;
}

void report(const Options& options) {
  const Model model = Model::read(options.model);
  const LoadedModel loaded = assemble(model.spec(), model.read_table(options.data).data());
  const std::vector<ModelTensor> tensors = NetworkSet<double>(*loaded.model).tensors();
  const std::vector<double> weights =
      options.weights.empty() ? initial_weights(tensors, 0) : read_weights(options.weights, tensors);
  const std::vector<std::size_t> inputs = loaded.data->all();
  const std::vector<double> theta = spread_theta(loaded.spec->parameters, options.n_theta);
  ThreadPool pool(options.n_threads);
  ThetaScan<float> scan(loaded, weights, inputs.size(), pool);
  scan.evaluate(inputs, spread_theta(loaded.spec->parameters, 1));  // warms up
  const double cpu_start = cpu_seconds();
  const double seconds = time_once(1, [&] { scan.evaluate(inputs, theta); });
  const double cpu = cpu_seconds() - cpu_start;
  const auto n_pairs = static_cast<double>(options.n_theta * inputs.size());
  fmt::print(
      "{{\"pairs\": {}, \"threads\": {}, \"seconds\": {:.4g}, \"pairs_per_second\": {:.6g}, "
      "\"pairs_per_cpu_second\": {:.6g}, \"memory_mb\": {:.0f}}}\n",
      n_pairs, options.n_threads, seconds, n_pairs / seconds, n_pairs / cpu, memory_high_water_megabytes());
}

}  // namespace
}  // namespace greybox::bench

int main(int argc, char** argv) {
  using namespace greybox::bench;
  Options options;
  CLI::App app("Times a landscape: many θ over all inputs of a data file.");
  app.add_option("model", options.model, "model file")->required();
  app.add_option("--data", options.data, "data file; all its windows are the inputs")->required();
  app.add_option("--weights", options.weights, "weights.npz; default: drawn anew");
  app.add_option("--thetas", options.n_theta, "how many θ; default: 400");
  app.add_option("--threads", options.n_threads, "default: 1");
  CLI11_PARSE(app, argc, argv);
  try {
    report(options);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
