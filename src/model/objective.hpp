// Loss and regularizer of a batch, from the engine's sums, and the cotangents that backward starts from.
#pragma once

#include <optional>

#include "model/engine.hpp"
#include "model/regularizers.hpp"

namespace greybox {

// What the two parts of an objective count for.
struct ObjectiveWeights {
  double loss = 1, regularizer = 0;
};

struct ObjectiveOptions {
  double loss_weight = 1;  // 0 when only R counts (estimates of θ)
  double lambda = 0;
  std::optional<std::size_t> regularizer;  // which of the model's
  // Of the data, for a regularizer that is made of nrmse.
  double range = std::numeric_limits<double>::quiet_NaN();
};

// Samples of a batch that enter each part. Loss and R may run over different inputs: in transductive
// learning, inputs without known answers stand in the batch for R alone.
struct ObjectiveRanges {
  std::size_t n_loss = 0;         // samples [0, n_loss) count for L
  std::size_t n_regularizer = 0;  // samples [0, n_regularizer) count for R
};

// objective = loss_weight · w · L + λ · R, where w is what [train] loss_weight says, with L the mean over
// samples, times and variables of squared errors, or of negative log-likelihoods where the model has noise;
// where windows weigh alike, the mean over samples of their own means.
template <class T>
class Objective {
 public:
  Objective(std::shared_ptr<const BoundModel> model, const ObjectiveOptions& options, std::size_t capacity);

  void weigh(const ObjectiveWeights& weights) {
    options_.loss_weight = weights.loss;
    options_.lambda = weights.regularizer;
  }

  void set_range(double range) { options_.range = range; }

  struct Values {
    double loss = 0;
    double regularizer = 0;  // 0 when there is none
    double total = 0;
    bool is_finite() const;
  };
  Values evaluate(const Engine<T>& engine, const ObjectiveRanges& ranges);
  std::span<const double> means() const { return means_; }

  // After evaluate: what backward starts from. Valid until the next call.
  const Cotangents<T>& cotangents(const Engine<T>& engine, const ObjectiveRanges& ranges);

 private:
  void add_loss_weight_gradient();

  std::shared_ptr<const BoundModel> model_;
  ObjectiveOptions options_;
  Regularizers regularizers_;
  std::vector<double> means_, weights_, grad_means_, grad_loss_weight_;
  // What the losses weigh together; w, and L itself.
  double loss_weight_ = 0, weight_of_loss_ = 1, loss_ = 0;
  std::vector<T> loss_cotangents_;
  std::vector<std::vector<T>> term_cotangents_;
  std::vector<const T*> term_pointers_;
  Cotangents<T> cotangents_;
};

extern template class Objective<float>;
extern template class Objective<double>;

}  // namespace greybox
