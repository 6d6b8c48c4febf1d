#include "analysis/run/networks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/refuse.hpp"

namespace greybox {
namespace {

// More networks than this are a slip of the keyboard.
constexpr std::size_t kMostNetworks = 10'000;

PlannedTraining seed_training(const OpenedRun& run, std::size_t k) {
  const std::uint64_t seed = run.seed() + k;
  return {fmt::format("seeds/{}", seed), seed, {}};
}

void add_seeds(const OpenedRun& run, std::size_t n_seeds, const Execution& execution, Networks& networks) {
  const std::vector<PlannedTraining> plan = seed_trainings(run, n_seeds);
  const std::vector<PlannedNetwork> trained = trained_networks(run, plan, execution);
  for (std::size_t k = 0; k < plan.size(); ++k) {
    if (trained[k].weights.empty()) {
      networks.warnings.push_back(
          fmt::format("the training with seed {} diverged, and its network is left out", plan[k].seed));
      continue;
    }
    networks.weights.push_back(weights_for(run, run.trained, trained[k].weights, run.record));
    networks.seeds.push_back(plan[k].seed);
    networks.theta.push_back(trained[k].theta);
  }
}

[[noreturn]] void refuse_run(const Run& run, const std::string& message, std::string help) {
  const std::filesystem::path folder = run.folder();
  refuse_option("with", fmt::format("{} {}", folder.empty() ? "a run" : folder.string(), message),
                std::move(help));
}

// Other options are no mistake, but the bands then show more than the chance of a training.
std::vector<std::string> differences(const RunRecord& run, const RunRecord& other) {
  std::vector<std::string> found;
  const RecordedOptions &own = run.options, &its = other.options;
  if (other.data.sha256 != run.data.sha256) found.emplace_back("learned from other data");
  // Mode aphynity has no λ, and NaN is not equal to itself.
  if (its.lambda != own.lambda && !(std::isnan(its.lambda) && std::isnan(own.lambda)))
    found.push_back(fmt::format("was trained with λ = {}", its.lambda));
  if (its.regularizer != own.regularizer)
    found.push_back(fmt::format("was trained with the regularizer {}", its.regularizer));
  if (its.mode != own.mode) found.push_back(fmt::format("was trained in mode {}", to_string(its.mode)));
  return found;
}

void add_run(const OpenedRun& run, const Run& other, Networks& networks) {
  require_finished(other.state());
  if (other.model().text() != run.handle.model().text())
    refuse_run(other, "is a run of another model", "join runs that were trained from the same model file");
  if (std::find(networks.weights.begin(), networks.weights.end(), other.weights()) != networks.weights.end())
    refuse_run(other, "has the weights of a network that is there already",
               "a band needs different trainings: leave it out, or train it with another option `seed`");
  const std::optional<RunRecord> record = other.record();
  if (record && run.record)
    for (const std::string& difference : differences(*run.record, *record))
      networks.warnings.push_back(
          fmt::format("{} {}: the bands hold this difference too", other.folder().string(), difference));
  networks.weights.push_back(weights_for(run, run.trained, other.weights(), record));
  networks.seeds.push_back(record ? record->options.seed : 0);
  networks.theta.push_back(record ? record->theta : Theta{});
}

}  // namespace

std::vector<PlannedTraining> seed_trainings(const OpenedRun& run, std::size_t n_seeds) {
  if (n_seeds == 0)
    refuse_option("seeds", "there is no network to look at",
                  "1 is the run's own network; 5 trains four more");
  if (n_seeds > kMostNetworks)
    refuse_option("seeds", fmt::format("{} networks are more than {}", n_seeds, kMostNetworks),
                  "five networks give a good idea of the spread");
  std::vector<PlannedTraining> plan;
  for (std::size_t k = 1; k < n_seeds; ++k) plan.push_back(seed_training(run, k));
  return plan;
}

Networks gather_networks(const OpenedRun& run, const NetworkOptions& options, const Execution& execution) {
  Networks networks{{run.weights}, {run.seed()}, {run.record ? run.record->theta : Theta{}}};
  add_seeds(run, options.seeds, execution, networks);
  for (const Run& other : options.with) add_run(run, other, networks);
  return networks;
}

std::size_t n_trained_networks(const OpenedRun& run) {
  std::size_t n = 1;
  while (is_trained(run, seed_training(run, n))) ++n;
  return n;
}

}  // namespace greybox
