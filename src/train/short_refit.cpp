#include "train/short_refit.hpp"

#include <algorithm>
#include <cmath>

#include "train/session.hpp"

namespace greybox {
namespace {

constexpr std::size_t kPartOfEpochs = 20, kFewestRefitEpochs = 5;

}  // namespace

std::vector<double> short_refit(const LoadedModel& loaded, const ShortRefit& refit, ThreadPool& pool) {
  TrainerOptions options = refit.trainer;
  options.mode = TrainMode::refit;
  options.theta = refit.theta;
  options.start_weights.clear();
  if (!refit.from_scratch) options.start_weights.assign(refit.weights.begin(), refit.weights.end());
  TrainSpec& train = options.train;
  train.regularizer.clear();
  train.lambda = 0;
  const bool was_short = train.epochs < kPartOfEpochs * kFewestRefitEpochs;
  train.epochs = std::max(train.epochs / kPartOfEpochs, kFewestRefitEpochs);
  train.recipe = Recipe::paper;
  // A short training has not had its high rates for long.
  if (!was_short && !refit.from_scratch) train.rate_start = std::sqrt(train.rate_start * train.rate_end);
  train.validate_every = train.patience = 0;
  train.keep_best = false;
  MemoryStore store;
  TrainingResult result =
      make_session(loaded, {.trainer = options, .cancel = refit.cancel}, pool)->run(store);
  return result.outcome == TrainOutcome::finished ? std::move(result.weights) : std::vector<double>{};
}

}  // namespace greybox
