// Comparisons: trials shared out over the threads, kept as they finish, summed up as means and errors.
#include "greybox/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/compare/compare_store.hpp"
#include "core/checksum.hpp"
#include "core/limits.hpp"
#include "core/packed_values.hpp"
#include "core/refuse.hpp"
#include "core/shared_tasks.hpp"
#include "data/shared_reading.hpp"
#include "data/utf8.hpp"
#include "greybox/version.hpp"
#include "model/loaded_model.hpp"
#include "train/settings.hpp"
#include "train/shard_folder.hpp"

namespace greybox {
namespace {

// More trials than this are a slip of the keyboard.
constexpr std::size_t kMostTrials = 1'000'000;

void check(const CompareOptions& options) {
  if (options.trials == 0)
    refuse_option("trials", "it is 0, and must be 1 or more", "two or more give standard errors");
  if (options.trials > kMostTrials)
    refuse_option("trials", fmt::format("{} trials are more than {}", options.trials, kMostTrials),
                  "the paper has 20");
  if (options.lambdas.empty())
    refuse_option("lambdas", "there is no λ to compare at", "for instance 1e-3, 1e-2 and 1e-1");
  for (double lambda : options.lambdas)
    if (!(lambda >= 0 && std::isfinite(lambda)))
      refuse_option("lambdas", fmt::format("λ is {}, and must be 0 or more", lambda),
                    "0 leaves the regularizer out");
  const auto is_refit = [](TrainMode mode) { return mode == TrainMode::refit; };
  if (options.modes.empty() || std::any_of(options.modes.begin(), options.modes.end(), is_refit))
    refuse_option("modes", "these are no modes to compare",
                  "the modes are adaptive, inductive, transductive, aphynity and tailored");
  check_shard(options.shard);
  if (!options.shard.is_whole() && options.folder.empty())
    refuse_option("shard",
                  "the trials of a shard are to be joined with others, and there is no folder for them",
                  "give a folder (option `folder`), the same to all shards");
}

Json to_json(const PointOptions& estimate) {
  return {{"method", to_string(estimate.method)},
          {"steps", estimate.n_steps},
          {"rate", {estimate.rate_start, estimate.rate_end}}};
}

// With folds, what is not given is as in a training of the model.
CompareOptions with_defaults(const Model& model, CompareOptions options) {
  if (options.folds == Folds::none) return options;
  if (options.lambdas.empty()) options.lambdas = {model.spec()->train.lambda};
  if (options.modes.empty()) options.modes = {TrainMode::adaptive};
  return options;
}

// What the result of a trial depends on beside its key.
Json identity_of(const TrialRunner& runner, const CompareOptions& options) {
  Json trial_options = json_of(recorded_options(runner.options_of({.lambda = 0}), runner.spec()));
  for (const char* in_key : {"mode", "lambda", "theta"}) trial_options.erase(in_key);
  // As long as estimates could not be chosen, they were not recorded: such folders stay valid.
  if (const Json estimate = to_json(runner.estimate()); estimate != to_json(PointOptions{}))
    trial_options["estimate"] = estimate;
  if (runner.estimates_on_test_alone()) trial_options["estimate"]["on"] = "test";
  if (options.folds != Folds::none) {
    trial_options["folds"] = options.folds == Folds::series ? "series" : "time";
    trial_options["trials"] = runner.folds().size();
  }
  const auto absolute = [](const std::filesystem::path& file) {
    return path_text(std::filesystem::absolute(file).lexically_normal());
  };
  const SourceFile& model = *runner.spec().source;
  return {{"version", std::string(version())},
          {"model", {{"file", absolute(model.path)}, {"sha256", sha256(model.text)}}},
          {"data",
           {{"file", runner.table().is_file ? absolute(runner.table().file) : ""},
            {"sha256", runner.table().sha256}}},
          {"options", trial_options}};
}

std::vector<std::optional<double>> lambdas_of(TrainMode mode, const CompareOptions& options) {
  if (mode == TrainMode::aphynity) return {std::nullopt};
  return {options.lambdas.begin(), options.lambdas.end()};
}

// Trial by trial, so that an interrupted comparison has about as many trials of every kind.
std::vector<TrialKey> keys_of(const CompareOptions& options) {
  std::vector<TrialKey> keys;
  for (std::size_t trial = 0; trial < options.trials; ++trial)
    for (TrainMode mode : options.modes)
      for (const std::optional<double>& lambda : lambdas_of(mode, options))
        keys.push_back({mode, lambda, trial});
  return keys;
}

std::size_t n_of_shard(std::size_t n, const Shard& shard) {
  return n / shard.count + (n % shard.count >= shard.index ? 1 : 0);
}

std::vector<std::size_t> places_of_missing(const std::vector<TrialKey>& keys, const Shard& shard,
                                           const CompareStore& store) {
  std::vector<std::size_t> places;
  for (std::size_t k = 0; k < keys.size(); ++k)
    if (shard.has(k) && store.find(keys[k]) == nullptr) places.push_back(k);
  return places;
}

std::string packed(const TrialResult& result) {
  PackedValues values;
  values.put(result.loss).put(result.regularizer).put(result.theta).put(result.outputs.size());
  for (const OutputError& output : result.outputs)
    values.put(output.name).put(output.rmse).put(output.nrmse).put(output.r2);
  return values.put(result.log_likelihood).take();
}

TrialResult unpacked(const std::string& bytes) {
  UnpackedValues values(bytes);
  TrialResult result;
  result.loss = values.get<double>();
  result.regularizer = values.get<double>();
  result.theta = values.get_all<double>();
  result.outputs.resize(values.get<std::size_t>());
  for (OutputError& output : result.outputs) {
    output.name = values.get<std::string>();
    for (double* error : {&output.rmse, &output.nrmse, &output.r2}) *error = values.get<double>();
  }
  result.log_likelihood = values.get<double>();
  return result;
}

// `store` is that of the first process.
void run_trials(const TrialRunner& runner, const std::vector<TrialKey>& keys, const Execution& execution,
                CompareStore* store) {
  std::size_t n_done = 0;
  SharedTasks tasks{.n_tasks = keys.size()};
  tasks.work = [&](std::size_t i, const Execution& own) { return packed(runner.run(keys[i], own)); };
  tasks.keep = [&](std::size_t i, const std::string& bytes) {
    store->add(keys[i], runner.seed_of(keys[i]), unpacked(bytes));
    ++n_done;
    if (execution.progress)
      execution.progress({.stage = "comparison", .unit = "trials", .n_done = n_done, .n_total = keys.size()});
  };
  share_out(tasks, execution);
}

MeanAndError summary_of(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  double sum = 0, squares = 0;
  for (double value : values) sum += value;
  const double mean = values.empty() ? kNaN : sum / n;
  for (double value : values) squares += (value - mean) * (value - mean);
  return {mean, values.size() < 2 ? kNaN : std::sqrt(squares / (n - 1) / n)};
}

// Over the trials that have them.
std::vector<ComparedOutput> outputs_of(const std::vector<const TrialResult*>& trials) {
  std::vector<ComparedOutput> outputs;
  const std::size_t n = trials.empty() ? 0 : trials.front()->outputs.size();
  for (std::size_t o = 0; o < n; ++o) {
    const auto summary = [&](double OutputError::*member) {
      std::vector<double> values;
      for (const TrialResult* trial : trials)
        if (o < trial->outputs.size() && !std::isnan(trial->outputs[o].*member))
          values.push_back(trial->outputs[o].*member);
      return summary_of(values);
    };
    outputs.push_back({trials.front()->outputs[o].name, summary(&OutputError::rmse),
                       summary(&OutputError::nrmse), summary(&OutputError::r2)});
  }
  return outputs;
}

ComparedRow row_of(const CompareStore& store, TrainMode mode, const std::optional<double>& lambda,
                   std::size_t n_trials) {
  std::vector<double> losses, regularizers;
  std::vector<const TrialResult*> finished;
  for (std::size_t trial = 0; trial < n_trials; ++trial) {
    const TrialResult* result = store.find({mode, lambda, trial});
    if (result == nullptr || std::isnan(result->loss)) continue;
    finished.push_back(result);
    losses.push_back(result->loss);
    regularizers.push_back(result->regularizer);
  }
  std::vector<double> likelihoods;
  for (const TrialResult* trial : finished)
    if (!std::isnan(trial->log_likelihood)) likelihoods.push_back(trial->log_likelihood);
  return {to_string(mode),
          lambda,
          losses.size(),
          summary_of(losses),
          summary_of(regularizers),
          outputs_of(finished),
          summary_of(likelihoods)};
}

void add_folds(const CompareStore& store, const TrialRunner& runner, const CompareOptions& options,
               Comparison& report) {
  for (TrainMode mode : options.modes)
    for (const std::optional<double>& lambda : lambdas_of(mode, options))
      for (std::size_t k = 0; k < runner.folds().size(); ++k)
        if (const TrialResult* result = store.find({mode, lambda, k}))
          report.folds.push_back({to_string(mode), lambda, k, runner.folds()[k].tested_on, result->loss,
                                  result->regularizer, result->log_likelihood, result->outputs});
}

void add_warnings(const CompareStore& store, const CompareOptions& options, Comparison& report) {
  const std::vector<TrialKey> keys = keys_of(options);
  for (TrainMode mode : options.modes) {
    const auto has_diverged = [&](const TrialKey& key) {
      const TrialResult* result = store.find(key);
      return key.mode == mode && result != nullptr && std::isnan(result->loss);
    };
    if (const auto n = std::count_if(keys.begin(), keys.end(), has_diverged); n > 0)
      report.warnings.push_back(
          fmt::format("{} {} trial{} diverged and {} not count: try a smaller `rate` in [train]", n,
                      to_string(mode), n == 1 ? "" : "s", n == 1 ? "does" : "do"));
  }
}

}  // namespace

Comparison compare(const Model& model, const Table& table, const CompareOptions& asked) {
  CompareOptions options = with_defaults(model, asked);
  check(options);
  const TrialRunner runner(model, Table(with_own_inputs(*model.spec(), table.data())), options);
  if (!runner.folds().empty()) options.trials = runner.folds().size();
  std::vector<TrialKey> keys = keys_of(options), all = keys;
  std::optional<CompareStore> store;
  const std::string missing = in_all(options.execution, [&] {
    store.emplace(options.shard.is_whole() ? options.folder : shard_folder(options.folder, options.shard),
                  runner.spec(), identity_of(runner, options), runner.outputs(), !runner.folds().empty());
    return PackedValues().put(places_of_missing(keys, options.shard, *store)).take();
  });
  keys.clear();
  for (std::size_t place : UnpackedValues(missing).get_all<std::size_t>()) keys.push_back(all[place]);
  run_trials(runner, keys, options.execution, store ? &*store : nullptr);
  if (!store) return {};

  Comparison report;
  report.folder = store->folder();
  report.model = model.name();
  report.regularizer = runner.regularizer();
  report.n_kept = n_of_shard(all.size(), options.shard) - keys.size();
  report.n_missing = static_cast<std::size_t>(std::count_if(
      keys.begin(), keys.end(), [&](const TrialKey& key) { return store->find(key) == nullptr; }));
  for (TrainMode mode : options.modes)
    for (const std::optional<double>& lambda : lambdas_of(mode, options))
      report.rows.push_back(row_of(*store, mode, lambda, options.trials));
  add_folds(*store, runner, options, report);
  add_warnings(*store, options, report);
  return report;
}

Comparison compare(const Model& model, const CompareOptions& options) {
  return compare(
      model, Table(read_in_first(options.execution, [&] { return read_own_table(*model.spec()); })), options);
}

}  // namespace greybox
