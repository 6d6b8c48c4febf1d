// Loss and regularizer on windows that are not learned from, always at the same draws of θ.
#pragma once

#include <memory>
#include <vector>

#include "model/engine.hpp"
#include "model/loaded_model.hpp"
#include "model/regularizers.hpp"
#include "train/theta_source.hpp"
#include "train/train_state.hpp"

namespace greybox {

struct Validation {
  double loss = 0, regularizer = 0;  // NaN when a window diverges
};

template <class T>
class Validator {
 public:
  Validator(const LoadedModel& loaded, std::shared_ptr<const ThetaSource<T>> theta_source, ThreadPool& pool,
            std::optional<std::size_t> regularizer);

  bool has_windows() const { return !windows_.empty(); }
  Validation validate(const TrainState<T>& state);

 private:
  void add_batch();

  LoadedModel loaded_;
  std::shared_ptr<const ThetaSource<T>> theta_source_;
  std::optional<std::size_t> regularizer_;
  std::vector<std::size_t> windows_;
  std::optional<Engine<T>> engine_;  // none without windows
  Regularizers regularizers_;
  std::vector<T> theta_;  // empty where the model estimates it
  double squared_error_ = 0, n_compared_ = 0;
  std::vector<double> sums_, weights_;  // per term
};

extern template class Validator<float>;
extern template class Validator<double>;

}  // namespace greybox
