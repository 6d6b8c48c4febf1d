// Times a landscape: L and all terms of R for many θ over all inputs, as one long batch of pairs (θ, input).
// Prints pairs per second as JSON.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <numeric>
#include <span>

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

// As many whole θ as make about this many pairs go into one batch: enough to share out over cores, few enough
// to stay in the cache.
constexpr std::size_t kPairs = 2048;

class Landscape {
 public:
  Landscape(const Options& options, const LoadedModel& loaded)
      : loaded_(loaded),
        inputs_(loaded.data->all()),
        thetas_per_batch_(std::max<std::size_t>(1, kPairs / inputs_.size())),
        pool_(options.n_threads),
        engine_(loaded.plan, loaded.data->windows(), pool_, {.capacity = thetas_per_batch_ * inputs_.size()}),
        n_theta_(options.n_theta) {
    const std::vector<double> weights = read_weights(options.weights, engine_.networks().tensors());
    engine_.set_weights(std::vector<float>(weights.begin(), weights.end()));
    for (std::size_t t = 0; t < thetas_per_batch_; ++t)
      windows_.insert(windows_.end(), inputs_.begin(), inputs_.end());
    theta_.resize(windows_.size() * loaded.spec->parameters.size());
    sums_.resize(n_theta_ * (1 + loaded.model->terms.size()));
  }

  std::size_t n_pairs() const { return n_theta_ * inputs_.size(); }

  void run() {
    for (std::size_t first = 0; first < n_theta_; first += thetas_per_batch_)
      run_batch(first, std::min(thetas_per_batch_, n_theta_ - first));
  }

 private:
  void run_batch(std::size_t first, std::size_t n_theta) {
    for (std::size_t t = 0; t < n_theta; ++t) fill_theta(first + t, t);
    const std::size_t n = n_theta * inputs_.size();
    engine_.forward({&loaded_.data->windows(), std::span(windows_).first(n),
                     std::span(theta_).first(n * loaded_.spec->parameters.size())});
    for (std::size_t t = 0; t < n_theta; ++t) add_up(first + t, t);
  }

  // Evenly spread between the bounds; which values they are does not matter for the time.
  void fill_theta(std::size_t index, std::size_t place) {
    const std::vector<ParameterSpec>& parameters = loaded_.spec->parameters;
    const double share = static_cast<double>(index + 1) / static_cast<double>(n_theta_ + 1);
    float* rows = theta_.data() + place * inputs_.size() * parameters.size();
    for (std::size_t p = 0; p < parameters.size(); ++p) {
      const auto value =
          static_cast<float>(parameters[p].low + share * (parameters[p].high - parameters[p].low));
      for (std::size_t i = 0; i < inputs_.size(); ++i) rows[i * parameters.size() + p] = value;
    }
  }

  void add_up(std::size_t index, std::size_t place) {
    const auto sum = [&](std::span<const double> values) {
      const auto own = values.subspan(place * inputs_.size(), inputs_.size());
      return std::reduce(own.begin(), own.end());
    };
    const std::size_t n_terms = loaded_.model->terms.size();
    double* sums = sums_.data() + index * (1 + n_terms);
    sums[0] = sum(engine_.squared_errors());
    for (std::size_t m = 0; m < n_terms; ++m) sums[1 + m] = sum(engine_.term_sums(m));
  }

  LoadedModel loaded_;
  std::vector<std::size_t> inputs_;
  std::size_t thetas_per_batch_;
  ThreadPool pool_;
  Engine<float> engine_;
  std::size_t n_theta_;
  std::vector<std::size_t> windows_;  // of a batch: the inputs, once per θ
  std::vector<float> theta_;
  std::vector<double> sums_;  // per θ: squared error, then the terms
};

void report(const Options& options) {
  LoadOptions load;
  load.data = options.data;
  Landscape landscape(options, load_model(options.model, load));
  const double cpu_start = cpu_seconds();
  const double seconds = time_once(1, [&] { landscape.run(); });
  const double cpu = cpu_seconds() - cpu_start;
  const auto n_pairs = static_cast<double>(landscape.n_pairs());
  fmt::print(
      "{{\"pairs\": {}, \"threads\": {}, \"seconds\": {:.4g}, \"pairs_per_second\": {:.6g}, "
      "\"pairs_per_cpu_second\": {:.6g}}}\n",
      n_pairs, options.n_threads, seconds, n_pairs / seconds, n_pairs / cpu);
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
