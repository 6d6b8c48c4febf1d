// Loss and regularizer on windows that are not learned from, always at the same draws of θ.
#pragma once

#include <memory>
#include <vector>

#include "model/engine.hpp"
#include "model/loaded_model.hpp"
#include "model/regularizers.hpp"
#include "train/noise_source.hpp"
#include "train/start_fit.hpp"
#include "train/tailoring.hpp"
#include "train/theta_source.hpp"
#include "train/train_state.hpp"

namespace greybox {

struct Validation {
  double loss = 0, regularizer = 0;  // NaN when a window diverges
};

struct ValidatorOptions {
  // Of the objective; which of the model's.
  std::optional<std::size_t> regularizer{};
  // θ of each window follows it from the source's.
  bool is_tailored = false;
  std::uint64_t seed = 0;
};

template <class T>
class Validator {
 public:
  Validator(const LoadedModel& loaded, std::shared_ptr<const ThetaSource<T>> theta_source, ThreadPool& pool,
            const ValidatorOptions& options);

  bool has_windows() const { return !windows_.empty(); }
  // Of parameters in the order of the layout; `last_loss` is that of the training windows.
  Validation validate(std::span<const T> parameters, const FlatLayout& layout, double last_loss);
  Validation validate(const TrainState<T>& state) {
    return validate(state.parameters.span(), state.layout, state.counters.last_loss);
  }

 private:
  void add_batch();
  // Of n windows from `first` on.
  std::span<T> draws_of(std::size_t first, std::size_t n);
  // The weights, with starts for the validation windows at their θ.
  std::span<const T> weights_of(std::span<const T> weights, std::span<const T> noise, double last_loss);

  LoadedModel loaded_;
  std::shared_ptr<const ThetaSource<T>> theta_source_;
  std::optional<std::size_t> regularizer_;
  std::vector<std::size_t> windows_;
  std::optional<Engine<T>> engine_;  // none without windows
  Regularizers regularizers_;
  NoiseSource noise_;
  // None but in mode tailored.
  std::optional<Tailoring<T>> tailoring_;
  // None where no start is learned.
  std::unique_ptr<StartFit> start_fit_;
  std::vector<double> fitted_;
  std::vector<T> completed_;
  std::vector<T> draws_;  // the same in every validation, but those that adapt
  std::vector<T> theta_;  // empty where the model estimates it
  double loss_ = 0, loss_weight_ = 0;
  std::vector<double> sums_, weights_;  // per term
};

extern template class Validator<float>;
extern template class Validator<double>;

}  // namespace greybox
