#include "analysis/structure/first_cost.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>

#include "core/random.hpp"
#include "core/thread_pool.hpp"
#include "model/objective.hpp"
#include "train/auto_recipe.hpp"
#include "train/prior.hpp"

namespace greybox {
namespace {

constexpr std::size_t kMostSamples = 64, kMostSamplesOfFields = 4;

// Pages that the process has in memory, in MB; 0 where the system does not say.
double resident_megabytes() {
  std::ifstream file("/proc/self/statm");
  double all = 0, resident = 0;
  file >> all >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
}

template <class T>
double seconds_of_step(const LoadedModel& loaded, const std::vector<std::size_t>& windows) {
  ThreadPool pool(0);
  Engine<T> engine(loaded.plan, loaded.data->windows(), pool,
                   {.capacity = windows.size(), .is_differentiable = true});
  const std::vector<T> weights(engine.n_weights(), T{0});
  engine.set_weights(weights);
  std::vector<T> theta;
  const Random random(0, Purpose::analysis);
  for (std::size_t i = 0; i < windows.size(); ++i)
    for (std::size_t p = 0; p < loaded.spec->parameters.size(); ++p) {
      const Prior prior(loaded.spec->parameters[p]);
      theta.push_back(static_cast<T>(prior.draw(prior.start(), 0.25 + 0.5 * random.uniform(i, p))));
    }
  const Samples<T> samples{&loaded.data->windows(), windows, theta};
  Objective<T> objective(loaded.model, {}, windows.size());
  const ObjectiveRanges ranges{windows.size(), windows.size()};
  std::vector<T> grad_weights(engine.n_weights()), grad_theta(theta.size());
  double seconds = 0;
  for (int turn = 0; turn < 2; ++turn) {  // the first one fills caches and pools
    const auto start = std::chrono::steady_clock::now();
    engine.forward(samples);
    objective.evaluate(engine, ranges);
    engine.backward(samples, objective.cotangents(engine, ranges), grad_weights, grad_theta);
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  return seconds;
}

}  // namespace

FirstCost measure_first_cost(const LoadedModel& loaded) {
  const TrainSpec train = with_recipe(loaded.spec->train, loaded);
  std::vector<std::size_t> windows = loaded.data->of_split(Split::train);
  FirstCost cost;
  if (windows.empty()) return cost;
  const std::size_t batch = std::min(train.batch, windows.size());
  const std::size_t n_steps = (windows.size() + train.batch - 1) / train.batch;
  cost.n_epochs = train.epochs;
  cost.n_steps = train.epochs * n_steps;
  const std::size_t most = loaded.spec->grid.is_given ? kMostSamplesOfFields : kMostSamples;
  const double in_step = static_cast<double>(batch) * static_cast<double>(train.draws);
  windows.resize(std::min({windows.size(), batch, most}));
  const double before = resident_megabytes();
  const double seconds = train.precision == Precision::single_ ? seconds_of_step<float>(loaded, windows)
                                                               : seconds_of_step<double>(loaded, windows);
  const double scale = in_step / static_cast<double>(windows.size());
  cost.megabytes = before + scale * std::max(0.0, resident_megabytes() - before);
  cost.seconds = scale * seconds * static_cast<double>(cost.n_steps);
  return cost;
}

}  // namespace greybox
