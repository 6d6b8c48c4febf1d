// Values of regularizers from the means they are made of, and their gradients.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "language/program.hpp"
#include "model/bound_model.hpp"

namespace greybox {

// All regularizers of a model, for several batches (for instance, values of θ) at once.
class Regularizers {
 public:
  Regularizers(std::shared_ptr<const BoundModel> model, std::size_t capacity);

  // means[term * stride + i] of batch i < n → value(regularizer)[i].
  void evaluate(const double* means, std::size_t stride, std::size_t n);
  std::span<const double> values(std::size_t regularizer);
  // Of L in the objective; 1 where the model says nothing.
  double loss_weight();
  // After evaluate: derivatives of one regularizer with respect to the means of batch 0.
  void gradient(std::size_t regularizer, std::span<double> grad_means);
  // Of L's weight; the model must have one.
  void loss_weight_gradient(std::span<double> grad_means) {
    gradient(model_->regularizers.size(), grad_means);
  }

 private:
  std::shared_ptr<const BoundModel> model_;
  Program program_;
  Frame<double> frame_;
  std::vector<AlignedBuffer<double>> means_, grad_means_;
  std::size_t n_ = 0;
};

}  // namespace greybox
