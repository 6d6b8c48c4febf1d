#include "analysis/run/networks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/run/planned_training.hpp"
#include "core/checksum.hpp"
#include "core/refuse.hpp"
#include "model/weights.hpp"
#include "train/run_record.hpp"

namespace greybox {
namespace {

std::vector<PlannedTraining> plan_seeds(const OpenedRun& run, std::size_t n_seeds) {
  std::vector<PlannedTraining> plan;
  for (std::size_t k = 1; k < n_seeds; ++k) {
    const std::uint64_t seed = (run.info ? run.info->seed : 0) + k;
    plan.push_back({run.folder / "seeds" / fmt::format("{}", seed), seed, {}});
  }
  return plan;
}

void add_seeds(const OpenedRun& run, const NetworkOptions& options, Networks& networks) {
  const std::vector<PlannedTraining> plan = plan_seeds(run, options.n_seeds);
  train_missing(run, plan, options);
  for (const PlannedTraining& training : plan) {
    std::vector<double> weights = trained_weights(run, training);
    if (weights.empty()) {
      networks.warnings.push_back(
          fmt::format("the training with seed {} diverged, and its network is left out", training.seed));
      continue;
    }
    networks.weights.push_back(std::move(weights));
    networks.seeds.push_back(training.seed);
  }
}

[[noreturn]] void refuse_folder(const std::filesystem::path& folder, std::string message, std::string help) {
  refuse("--with", fmt::format("{} {}", folder.string(), message), std::move(help));
}

// Other options are no mistake, but the bands then show more than the chance of a training.
std::vector<std::string> differences(const RunInfo& run, const RunInfo& other) {
  std::vector<std::string> found;
  if (other.data_sha256 != run.data_sha256) found.emplace_back("learned from other data");
  // Mode aphynity has no λ, and NaN is not equal to itself.
  if (other.lambda != run.lambda && !(std::isnan(other.lambda) && std::isnan(run.lambda)))
    found.push_back(fmt::format("was trained with λ = {}", other.lambda));
  if (other.regularizer != run.regularizer)
    found.push_back(fmt::format("was trained with the regularizer {}", other.regularizer));
  if (other.mode != run.mode) found.push_back(fmt::format("was trained in mode {}", to_string(other.mode)));
  return found;
}

void add_run(const OpenedRun& run, const std::filesystem::path& folder, Networks& networks) {
  check_run_folder(folder);
  if (sha256_of_file(folder / "model.toml") != sha256_of_file(run.folder / "model.toml"))
    refuse_folder(folder, "is a run of another model",
                  "join runs that were trained from the same model file");
  std::vector<double> weights =
      read_weights(folder / "weights.npz", NetworkSet<double>(*run.loaded.model).tensors());
  if (std::find(networks.weights.begin(), networks.weights.end(), weights) != networks.weights.end())
    refuse_folder(folder, "has the weights of a network that is there already",
                  "a band needs different trainings: leave it out, or train it with another --seed");
  const bool has_record = std::filesystem::exists(folder / kRecordName);
  const RunInfo other = has_record ? read_run(folder) : RunInfo{};
  if (has_record && run.info)
    for (const std::string& difference : differences(*run.info, other))
      networks.warnings.push_back(
          fmt::format("{} {}: the bands hold this difference too", folder.string(), difference));
  networks.weights.push_back(std::move(weights));
  networks.seeds.push_back(other.seed);
}

}  // namespace

Networks gather_networks(const OpenedRun& run, const NetworkOptions& options) {
  if (options.n_seeds == 0)
    throw InputError(Diagnostic{.file = "--seeds",
                                .message = "there is no network to look at",
                                .help = "1 is the run's own network; 5 trains four more"});
  Networks networks{{run.weights}, {run.info ? run.info->seed : 0}, {}};
  add_seeds(run, options, networks);
  for (const std::filesystem::path& folder : options.with) add_run(run, folder, networks);
  return networks;
}

}  // namespace greybox
