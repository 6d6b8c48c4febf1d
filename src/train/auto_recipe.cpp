#include "train/auto_recipe.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "model/network_set.hpp"
#include "train/averaging.hpp"

namespace greybox {
namespace {

// Batches per epoch at least, as far as the sizes allow.
constexpr std::size_t kStepsPerEpoch = 40;
constexpr std::size_t kSmallestBatch = 8, kSmallestCoupledBatch = 16, kLargestBatch = 32;
// Updates of the longest training.
constexpr std::size_t kMostUpdates = 2000;
constexpr std::size_t kFewestEpochs = 15, kMostEpochs = 1000;
// The highest rate falls with the root of the widest layer's inputs.
constexpr double kRateOfWidth = 0.02, kLowestPeak = 1e-3, kHighestPeak = 1e-2;
// Each look at the landscape comes after so many times the epochs of the one before.
constexpr double kLookFactor = 1.25;
constexpr double kFirstLookPart = 0.1;
// From one look to the next: of the means' ranges, and what errors have to fall by to count; and where the
// landscape stays as it is and errors are small.
constexpr double kSettledChange = 0.03, kSettledErrors = 0.02, kSettledErrorsAlone = 0.1;
// Looks in a row at which errors have not fallen: so many are needed, and so many are enough by themselves,
// since where R says nothing its landscape is noise.
constexpr double kNeededCalm = 2, kEnoughCalm = 3;
constexpr double kRetreat = 0.3, kLowestRetreat = 0.005;
// Errors that grow so much from one look to the next have blown up: the rate is too high.
constexpr double kBlownUp = 2;
// Where more than half of the prior leaves so much of the variance unexplained, and errors still fall, a
// training goes on.
constexpr double kUnlearned = 0.05, kMostUnlearned = 0.5;

bool is_time_to_look(std::size_t epoch, std::size_t n_epochs) {
  double next = std::max(1.0, std::ceil(kFirstLookPart * static_cast<double>(n_epochs)));
  while (next < static_cast<double>(epoch)) next = std::ceil(kLookFactor * next);
  return next == static_cast<double>(epoch);
}

// Inputs of the widest layer that has any weights.
double widest(const LoadedModel& loaded) {
  const NetworkSet<float> networks(*loaded.model);
  std::size_t most = 1;
  for (const ModelTensor& item : networks.tensors())
    if (item.tensor.shape.size() > 1) most = std::max(most, item.tensor.size() / item.tensor.shape[0]);
  return static_cast<double>(most);
}

std::size_t batch_for(std::size_t n_windows, const LoadedModel& loaded) {
  const std::size_t smallest = loaded.plan->is_coupled() ? kSmallestCoupledBatch : kSmallestBatch;
  return std::clamp(n_windows / kStepsPerEpoch, smallest, kLargestBatch);
}

std::size_t epochs_for(std::size_t n_windows, std::size_t batch) {
  const std::size_t steps = std::max<std::size_t>(1, (n_windows + batch - 1) / batch);
  return std::clamp(kMostUpdates / steps, kFewestEpochs, kMostEpochs);
}

}  // namespace

TrainSpec with_recipe(TrainSpec train, const LoadedModel& loaded) {
  if (train.recipe == Recipe::paper) return train;
  const std::size_t n = loaded.data->of_split(Split::train).size();
  if (!train.is_batch_given) train.batch = batch_for(n, loaded);
  if (!train.is_epochs_given) train.epochs = epochs_for(n, train.batch);
  if (!train.is_rate_given) {
    train.rate_start = std::clamp(kRateOfWidth / std::sqrt(widest(loaded)), kLowestPeak, kHighestPeak);
    train.rate_end = kLastOverPeak * train.rate_start;
  }
  train.is_batch_given = train.is_epochs_given = true;
  return train;
}

std::size_t most_doublings(const TrainSpec& train, const LoadedModel& loaded) {
  const std::size_t n = loaded.data->of_split(Split::train).size();
  const bool is_own_choice = train.recipe == Recipe::automatic && train.epochs == epochs_for(n, train.batch);
  return is_own_choice && loaded.spec->scale == Scaling::automatic ? kMostDoublings : 0;
}

template <class T>
AutoRecipe<T>::AutoRecipe(const TrainSpec& train, Settling<T> settling, std::size_t steps_per_epoch,
                          std::size_t n_doublings)
    : train_(train),
      schedule_(train, steps_per_epoch),
      settling_(std::move(settling)),
      n_doublings_(n_doublings),
      landscape_(settling_.size()) {}

template <class T>
void AutoRecipe<T>::prepare(TrainState<T>& state) const {
  state.average = AlignedBuffer<T>(state.parameters.size());
  state.landscape.assign(settling_.size(), 0);
  state.counters.peak_rate = train_.rate_start;
}

template <class T>
bool AutoRecipe<T>::retreat(TrainState<T>& state) const {
  Counters& counters = state.counters;
  if (counters.n_updates == 0 || counters.peak_rate < kLowestRetreat * train_.rate_start) return false;
  counters.peak_rate *= kRetreat;
  const bool has_best = std::isfinite(counters.best_validation);
  if (has_best) std::copy_n(state.best.data(), state.best.size(), state.average.data());
  std::copy_n(state.average.data(), state.average.size(), state.parameters.data());
  state.first_moments.fill(0);
  state.second_moments.fill(0);
  counters.moments_from = counters.n_updates;
  return true;
}

template <class T>
void AutoRecipe<T>::take_in(TrainState<T>& state) const {
  take_into_average(state.parameters, static_cast<std::uint64_t>(state.counters.n_updates), state.average);
}

template <class T>
void AutoRecipe<T>::look(TrainState<T>& state, bool is_growing) {
  Counters& counters = state.counters;
  const auto epoch = static_cast<std::size_t>(counters.epoch);
  if (!std::isnan(counters.falls_from)) return;
  if (!is_growing && is_time_to_look(epoch, train_.epochs)) {
    settling_.measure(std::as_const(state.average).span(), state.layout, landscape_);
    const bool is_first = counters.n_looks == 0;
    counters.n_looks += 1;
    if (!is_first && has_blown_up(state.landscape) && retreat(state)) {
      counters.n_calm = 0;
    } else {
      counters.has_settled = !is_first && has_settled(counters, state.landscape) ? 1 : 0;
      std::copy(landscape_.begin(), landscape_.end(), state.landscape.begin());
    }
  }
  const bool is_late = epoch >= schedule_.latest_fall(counters);
  if (is_late && counters.has_settled == 0 && needs_more(state) &&
      counters.n_doublings < static_cast<double>(n_doublings_))
    counters.n_doublings += 1;
  else if (is_late || counters.has_settled > 0)
    counters.falls_from = counters.epoch;
}

// Errors fell from the last look but one to the last.
template <class T>
bool AutoRecipe<T>::needs_more(const TrainState<T>& state) const {
  return state.counters.n_looks > 1 && state.counters.n_calm == 0 && has_large_errors(state.landscape);
}

template <class T>
bool AutoRecipe<T>::has_large_errors(std::span<const double> landscape) const {
  return n_doublings_ > 0 && settling_.share_above(landscape, kUnlearned) > kMostUnlearned;
}

template <class T>
bool AutoRecipe<T>::has_blown_up(std::span<const double> before) const {
  return !(settling_.error(landscape_) <= kBlownUp * settling_.error(before));
}

template <class T>
bool AutoRecipe<T>::has_settled(Counters& counters, std::span<const double> before) const {
  counters.landscape_change = settling_.change(before, landscape_);
  const bool is_learned = counters.landscape_change <= kSettledChange && !has_large_errors(landscape_);
  const double least_fall = is_learned ? kSettledErrorsAlone : kSettledErrors;
  const bool is_calm = settling_.error(landscape_) >= (1 - least_fall) * settling_.error(before);
  counters.n_calm = is_calm ? counters.n_calm + 1 : 0;
  return counters.n_calm >= kEnoughCalm ||
         (counters.n_calm >= kNeededCalm && counters.landscape_change <= kSettledChange);
}

template <class T>
bool AutoRecipe<T>::is_over(const Counters& counters) const {
  return !std::isnan(counters.falls_from) &&
         counters.epoch >= static_cast<double>(schedule_.n_epochs(counters));
}

template <class T>
RecipeRecord AutoRecipe<T>::record(const Counters& counters) const {
  return {.rate = counters.peak_rate,
          .is_rate_found = !train_.is_rate_given,
          .level_epochs = std::isnan(counters.falls_from) ? 0 : static_cast<std::size_t>(counters.falls_from),
          .change = counters.landscape_change,
          .tolerance = kSettledChange,
          .has_settled = counters.has_settled > 0};
}

template class AutoRecipe<float>;
template class AutoRecipe<double>;

}  // namespace greybox
