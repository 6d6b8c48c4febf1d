// Recipe "auto": what it adds to the training loop, piece by piece.
#pragma once

#include <memory>

#include "greybox/recipe.hpp"
#include "train/schedule.hpp"
#include "train/settling.hpp"

namespace greybox {

// Fills in what recipe "auto" is left to choose: batch and epochs by the number of training windows, the rate
// by the width of the networks.
TrainSpec with_recipe(TrainSpec train, const LoadedModel& loaded);

template <class T>
class AutoRecipe {
 public:
  // `train` has its epochs, batch and rate.
  AutoRecipe(const TrainSpec& train, Settling<T> settling, std::size_t steps_per_epoch);

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
  RecipeRecord record(const Counters& counters) const;

 private:
  bool has_settled(Counters& counters, std::span<const double> before) const;
  bool has_blown_up(std::span<const double> before) const;

  TrainSpec train_;
  Schedule schedule_;
  Settling<T> settling_;
  std::vector<double> landscape_;
};

extern template class AutoRecipe<float>;
extern template class AutoRecipe<double>;

}  // namespace greybox
