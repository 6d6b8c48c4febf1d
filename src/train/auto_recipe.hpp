// Recipe "auto": what it adds to the training loop, piece by piece.
#pragma once

#include <memory>

#include "greybox/recipe.hpp"
#include "train/schedule.hpp"
#include "train/settling.hpp"

namespace greybox {

// How often the epochs of a training may be doubled.
inline constexpr std::size_t kMostDoublings = 2;

// Fills in what recipe "auto" is left to choose: batch and epochs by the number of training windows, the rate
// by the width of the networks.
TrainSpec with_recipe(TrainSpec train, const LoadedModel& loaded);

// How often the epochs of such a training may be doubled, as long as its errors are large and fall: not where
// somebody else chose them, and not in units in which nobody knows what is large.
std::size_t most_doublings(const TrainSpec& train, const LoadedModel& loaded);

template <class T>
class AutoRecipe {
 public:
  // `train` has its epochs, batch and rate.
  AutoRecipe(const TrainSpec& train, Settling<T> settling, std::size_t steps_per_epoch,
             std::size_t n_doublings = 0);

  // Room for what the recipe keeps.
  void prepare(TrainState<T>& state) const;
  // After a divergence: back to the best average that was validated, or to the last one, at a lower rate.
  // False after too many of these.
  bool retreat(TrainState<T>& state) const;
  double rate(const Counters& counters) const { return schedule_.rate(counters); }
  // After an update.
  void take_in(TrainState<T>& state) const;
  // After an epoch; while windows grow, nothing has settled.
  void look(TrainState<T>& state, bool is_growing);
  bool is_over(const Counters& counters) const;
  // Epochs at most, as it stands.
  std::size_t most_epochs(const Counters& counters) const { return schedule_.most_epochs(counters); }
  RecipeRecord record(const Counters& counters) const;

 private:
  bool has_settled(Counters& counters, std::span<const double> before) const;
  bool has_blown_up(std::span<const double> before) const;
  bool needs_more(const TrainState<T>& state) const;
  // Of a training whose epochs may be doubled.
  bool has_large_errors(std::span<const double> landscape) const;

  TrainSpec train_;
  Schedule schedule_;
  Settling<T> settling_;
  std::size_t n_doublings_;
  std::vector<double> landscape_;
};

extern template class AutoRecipe<float>;
extern template class AutoRecipe<double>;

}  // namespace greybox
