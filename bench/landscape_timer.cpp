// Times a landscape: L and all terms of R for many θ over all inputs, as one long batch of pairs (θ, input). Prints
// pairs per second as JSON.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <exception>

#include "model/loaded_model.hpp"
#include "model/objective.hpp"
#include "model/weights.hpp"
#include "stopwatch.hpp"

namespace greybox::bench {
namespace {

struct Options {
  std::string model, data, weights;
  std::size_t n_theta = 400;
  std::size_t n_threads = 1;
};

// Pairs are worked on this many at a time: enough to share out, few enough to stay in the cache.
constexpr std::size_t kPairs = 2048;

class Landscape {
 public:
  Landscape(const Options& options, const LoadedModel& loaded)
      : loaded_(loaded),
        pool_(options.n_threads),
        engine_(loaded.plan, loaded.data->windows(), pool_, {.capacity = kPairs}),
        inputs_(loaded.data->all()),
        sums_(options.n_theta * (1 + loaded.model->terms.size())) {
    const std::vector<double> weights = read_weights(options.weights, engine_.networks().tensors());
    engine_.set_weights(std::vector<float>(weights.begin(), weights.end()));
  }

  std::size_t n_pairs() const { return n_theta() * inputs_.size(); }

  void run() {
    for (std::size_t first = 0; first < n_pairs(); first += kPairs) run_chunk(first, std::min(kPairs, n_pairs() - first));
  }

 private:
  std::size_t n_theta() const { return sums_.size() / (1 + loaded_.model->terms.size()); }

  // Evenly spread between the bounds; which values they are does not matter for the time.
  float theta(std::size_t parameter, std::size_t index) const {
    const ParameterSpec& p = loaded_.spec->parameters[parameter];
    return static_cast<float>(p.low + (p.high - p.low) * static_cast<double>(index + 1) / static_cast<double>(n_theta() + 1));
  }

  void run_chunk(std::size_t first, std::size_t n) {
    windows_.clear();
    theta_.clear();
    for (std::size_t pair = first; pair < first + n; ++pair) {
      windows_.push_back(inputs_[pair % inputs_.size()]);
      for (std::size_t p = 0; p < loaded_.spec->parameters.size(); ++p)
        theta_.push_back(theta(p, pair / inputs_.size()));
    }
    engine_.forward({&loaded_.data->windows(), windows_, theta_});
    const std::size_t n_terms = loaded_.model->terms.size();
    for (std::size_t i = 0; i < n; ++i) {
      double* sums = sums_.data() + (first + i) / inputs_.size() * (1 + n_terms);
      sums[0] += engine_.squared_errors()[i];
      for (std::size_t m = 0; m < n_terms; ++m) sums[1 + m] += engine_.term_sums(m)[i];
    }
  }

  LoadedModel loaded_;
  ThreadPool pool_;
  Engine<float> engine_;
  std::vector<std::size_t> inputs_, windows_;
  std::vector<float> theta_;
  std::vector<double> sums_;  // per θ: squared error, then the terms
};

void report(const Options& options) {
  LoadOptions load;
  load.data = options.data;
  Landscape landscape(options, load_model(options.model, load));
  const double seconds = time_once(1, [&] { landscape.run(); });
  const auto n_pairs = static_cast<double>(landscape.n_pairs());
  fmt::print("{{\"pairs\": {}, \"threads\": {}, \"seconds\": {:.4g}, \"pairs_per_second\": {:.6g}}}\n", n_pairs,
             options.n_threads, seconds, n_pairs / seconds);
}

}  // namespace
}  // namespace greybox::bench

int main(int argc, char** argv) {
  using namespace greybox::bench;
  Options options;
  CLI::App app("Times a landscape: many θ over all inputs of a data file.");
  app.add_option("model", options.model, "model file")->required();
  app.add_option("--data", options.data, "data file; all its windows are the inputs")->required();
  app.add_option("--weights", options.weights, "weights.npz")->required();
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
