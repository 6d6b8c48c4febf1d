// Values of regularizers from the means they are made of, and their gradients.
#pragma once

#include <array>
#include <limits>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "language/program.hpp"
#include "model/bound_model.hpp"

namespace greybox {

// What expressions that are asked for outside the model file may read beside its own names.
inline constexpr std::array<std::string_view, 3> kErrorNames = {"L", "rmse", "nrmse"};

// Of the windows that the means run over, for what is made of errors.
struct WindowErrors {
  // One L per batch; where there are none, what is made of them is NaN.
  std::span<const double> losses{};
  // As `observed_range` has it.
  double range = std::numeric_limits<double>::quiet_NaN();
};

// All regularizers of a model, for several batches (for instance, values of θ) at once.
class Regularizers {
 public:
  Regularizers(std::shared_ptr<const BoundModel> model, std::size_t capacity);

  // means[term * stride + i] of batch i < n → value(regularizer)[i].
  void evaluate(const double* means, std::size_t stride, std::size_t n, const WindowErrors& errors = {});
  std::span<const double> values(std::size_t regularizer);
  // Of L in the objective; 1 where the model says nothing.
  double loss_weight();
  // After evaluate: derivatives of one regularizer with respect to the means of batch 0.
  void gradient(std::size_t regularizer, std::span<double> grad_means);
  // Of L's weight; the model must have one.
  void loss_weight_gradient(std::span<double> grad_means) {
    gradient(model_->regularizers.size(), grad_means);
  }
  // After gradient: the derivative with respect to L.
  double loss_gradient() const { return model_->uses_errors ? grad_leaves_[kLossLeaf][0] : 0; }

 private:
  std::size_t n_error_leaves() const { return model_->uses_errors ? kFirstTermLeaf : 0; }
  std::shared_ptr<const BoundModel> model_;
  Program program_;
  Frame<double> frame_;
  // Errors where something is made of them, then means.
  std::vector<AlignedBuffer<double>> leaves_, grad_leaves_;
  std::size_t n_ = 0;
};

}  // namespace greybox
