// One regularizer over fixed windows as a function of a common θ, with its gradient, the weights frozen:
// equation (5).
#pragma once

#include <cassert>
#include <limits>
#include <span>
#include <vector>

#include "core/thread_pool.hpp"
#include "model/loaded_model.hpp"
#include "model/objective.hpp"
#include "model/observed_range.hpp"

namespace greybox {

// The windows make up one batch, whose statistics are those of the set.
template <class T>
class ThetaObjective {
 public:
  // `regularizer` is the index of R among the model's; `n_windows` the most that will be asked for at once.
  ThetaObjective(const LoadedModel& loaded, std::span<const double> weights, std::size_t regularizer,
                 std::size_t n_windows, ThreadPool& pool);

  std::size_t n_parameters() const { return loaded_.spec->parameters.size(); }
  // Refers to the caller's memory.
  void set_windows(std::span<const std::size_t> windows) {
    assert(windows.size() <= engine_.capacity());
    windows_ = windows;
    objective_.set_range(range_for(loaded_, windows));
  }

  // From now on θ with a larger L than the limit cost something beyond R: `price` at twice the limit.
  void keep_to(double loss_limit, double price) {
    loss_limit_ = loss_limit;
    price_ = price;
  }

  struct Value {
    // NaN when the trajectory of some window became non-finite.
    double regularizer = 0, loss = 0;
    // R, and what L beyond the limit costs.
    double total = 0;
  };
  // θ is one value per parameter, or windows × parameters; latents are windows × draws, or at their means.
  Value evaluate(std::span<const double> theta, std::span<const double> draws = {});
  // Of the total, at the θ of the last `evaluate`, which all windows shared.
  void gradient(std::span<double> grad_theta);

 private:
  Samples<T> samples() const;

  LoadedModel loaded_;
  Engine<T> engine_;
  Objective<T> objective_;
  std::span<const std::size_t> windows_;
  double loss_limit_ = std::numeric_limits<double>::infinity(), price_ = 0, excess_ = 0;
  std::vector<T> theta_, grad_theta_;  // θ and its gradient per window
  std::vector<T> draws_;               // those of the last `evaluate`
};

extern template class ThetaObjective<float>;
extern template class ThetaObjective<double>;

}  // namespace greybox
