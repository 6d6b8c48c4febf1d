// Theories side by side.
#include "greybox/theories.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "analysis/compare/held_out.hpp"
#include "analysis/compare/held_out_likelihood.hpp"
#include "analysis/run/opened_run.hpp"
#include "core/limits.hpp"
#include "core/refuse.hpp"
#include "greybox/estimate.hpp"
#include "greybox/predict.hpp"
#include "greybox/train.hpp"

namespace greybox {
namespace {

constexpr const char *kNetworkSize = "mean(norm2(network))", *kTheorySize = "mean(norm2(theory))";

std::string name_of_run(const Run& run) {
  return run.folder().empty() ? run.model().name() : run.folder().string();
}

void check_same_data(const std::vector<Run>& runs) {
  if (runs.size() < 2)
    refuse_option("runs", "one theory has nothing to be compared with", "give at least two");
  const auto digest = [](const Run& run) { return run.dataset().table().data()->sha256; };
  for (const Run& run : runs)
    if (digest(run) != digest(runs.front()))
      refuse(run.folder(),
             fmt::format("{} learned from other data than {}", name_of_run(run), name_of_run(runs.front())),
             "compare theories that were trained on the same file");
}

std::string regularizer_of(const Run& run, const TheoriesOptions& options) {
  if (options.regularizer) return *options.regularizer;
  const auto record = run.record();
  return record && !record->options.regularizer.empty() ? record->options.regularizer : kNetworkSize;
}

// The run's own θ, or an estimate on windows that neither trained nor test.
Theta theta_of(const Run& run, const std::string& regularizer, const Execution& execution,
               std::vector<std::string>& warnings) {
  const auto record = run.record();
  if (record && !record->theta.empty()) return record->theta;
  if (run.model().parameters().empty()) return {};
  EstimateOptions options;
  options.regularizer = regularizer;
  const bool has_validation = run.dataset().n_windows(Split::validation) > 0;
  options.on = Splits{{has_validation ? Split::validation : Split::train}};
  options.execution = execution;
  const Estimate best = estimate(run, options);
  for (const std::string& parameter : best.at_bounds)
    warnings.push_back(fmt::format("{}: {} ended at a bound", run.model().name(), parameter));
  return best.theta;
}

// Mean over values, with its standard error over windows.
std::pair<double, double> difference_of(const WindowScores& best, const WindowScores& other) {
  double n = 0, sum = 0;
  for (std::size_t w = 0; w < best.sums.size(); ++w) {
    sum += best.sums[w] - other.sums[w];
    n += best.counts[w];
  }
  const double mean = sum / n;
  double squares = 0;
  const auto n_windows = static_cast<double>(best.sums.size());
  for (std::size_t w = 0; w < best.sums.size(); ++w) {
    const double away = best.sums[w] - other.sums[w] - mean * best.counts[w];
    squares += away * away;
  }
  const double error = n_windows > 1 ? std::sqrt(squares * n_windows / (n_windows - 1)) / n : kNaN;
  return {mean, error};
}

struct Judged {
  ComparedTheory theory;
  WindowScores scores;
};

Judged judge_theory(const Run& run, const HeldOut& held_out, std::size_t which,
                    const TheoriesOptions& options, std::vector<std::string>& warnings) {
  Judged judged;
  ComparedTheory& theory = judged.theory;
  theory.name = run.model().name();
  theory.run = run.folder();
  theory.regularizer = regularizer_of(run, options);
  theory.theta = theta_of(run, theory.regularizer, options.execution, warnings);
  const Prediction calibration =
      predict_windows(run, held_out.calibration[which], theory.theta, {}, options.execution);
  const Prediction test = predict_windows(run, held_out.test[which], theory.theta,
                                          {kNetworkSize, kTheorySize}, options.execution);
  judged.scores = scores_of(test, held_out.outputs, residual_sd(calibration, held_out.outputs));
  theory.log_likelihood = judged.scores.mean();
  for (const OutputError& output : test.outputs)
    if (std::ranges::find(held_out.outputs, output.name) != held_out.outputs.end())
      theory.outputs.push_back(output);
  std::map<std::string, double> sizes(test.regularizers.begin(), test.regularizers.end());
  theory.network_share = sizes[kNetworkSize] / (sizes[kNetworkSize] + sizes[kTheorySize]);
  for (const std::string& warning : test.warnings) warnings.push_back(theory.name + ": " + warning);
  if (run.model().parameters().empty()) return judged;
  theory.verdicts = judge(
      run, {.regularizers = {theory.regularizer}, .seeds = options.seeds, .execution = options.execution});
  std::erase_if(theory.verdicts.verdicts,
                [&](const Verdict& verdict) { return verdict.regularizer != theory.regularizer; });
  for (const std::string& warning : theory.verdicts.warnings)
    warnings.push_back(theory.name + ": " + warning);
  return judged;
}

// Models of one name would share a folder.
std::vector<std::string> distinct_names(const std::vector<Model>& models) {
  std::vector<std::string> names;
  for (const Model& model : models) {
    std::string name = model.name();
    for (int k = 2; std::ranges::find(names, name) != names.end(); ++k)
      name = fmt::format("{}-{}", model.name(), k);
    names.push_back(std::move(name));
  }
  return names;
}

}  // namespace

TheoryComparison compare_theories(const std::vector<Run>& runs, const TheoriesOptions& options) {
  check_same_data(runs);
  const HeldOut held_out = held_out_by_all(runs);
  TheoryComparison comparison;
  comparison.split = held_out.split;
  comparison.n_windows = held_out.test.front().size();
  comparison.warnings = held_out.warnings;
  std::vector<Judged> judged;
  for (std::size_t k = 0; k < runs.size(); ++k)
    judged.push_back(judge_theory(runs[k], held_out, k, options, comparison.warnings));
  const auto better = [](const Judged& a, const Judged& b) {
    return a.theory.log_likelihood < b.theory.log_likelihood ||
           (std::isnan(a.theory.log_likelihood) && !std::isnan(b.theory.log_likelihood));
  };
  const Judged best = *std::ranges::max_element(judged, better);
  for (Judged& one : judged) {
    std::tie(one.theory.behind_best, one.theory.behind_best_error) = difference_of(best.scores, one.scores);
    comparison.theories.push_back(std::move(one.theory));
  }
  return comparison;
}

std::vector<Run> train_theories(const std::vector<Model>& models, const std::optional<Table>& table,
                                const TheoryTraining& training, const Execution& execution) {
  const std::vector<std::string> names = distinct_names(models);
  std::vector<Run> runs;
  for (std::size_t k = 0; k < models.size(); ++k) {
    TrainOptions options;
    options.mode = training.mode;
    options.epochs = training.epochs;
    options.seed = training.seed;
    options.resume = !training.folder.empty();
    if (options.resume) options.folder = training.folder / names[k];
    options.execution = execution;
    runs.push_back(table ? train(models[k], *table, options) : train(models[k], options));
    const Run& run = runs.back();
    if (run.outcome() == TrainOutcome::interrupted)
      throw Interruption(
          fmt::format("interrupted in training {} of {}; the same call continues", k + 1, models.size()));
    if (run.outcome() == TrainOutcome::diverged)
      refuse(models[k].spec()->source->path,
             fmt::format("the training of {} diverged: {}", names[k], run.message()),
             "leave the model out, or mend it");
  }
  return runs;
}

}  // namespace greybox
