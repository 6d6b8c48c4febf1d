// The prior of one parameter: draws as differentiable functions of the prior's own parameters.
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <string>

#include "model/spec.hpp"
#include "train/beta.hpp"

namespace greybox {

// What a prior is made of and what is fitted when it is learned. Uniform: its ends. Normal (of log θ for
// lognormal): mean and log sd, so that no step can make the sd negative. Beta: its two exponents, which are
// not fitted.
using PriorShape = std::array<double, 2>;

class Prior {
 public:
  explicit Prior(const ParameterSpec& parameter);

  bool is_learned() const { return is_learned_; }
  const PriorShape& start() const { return start_; }

  // The draw that belongs to u in (0, 1): the prior's quantile function, cut to the bounds.
  double draw(const PriorShape& shape, double u) const {
    const double value = kind_ == PriorKind::uniform ? shape[0] + (shape[1] - shape[0]) * u
                         : kind_ == PriorKind::beta  ? beta_quantile(shape[0], shape[1], u)
                                                     : draw_normal(shape, u);
    return std::clamp(value, low_, high_);
  }
  // From its 10 % to its 90 % point, as the model file has it.
  double width() const { return draw(start_, 0.9) - draw(start_, 0.1); }
  // Derivatives of that draw with respect to the shape: reparametrization.
  PriorShape derivatives(const PriorShape& shape, double u) const;
  // A shape by the names of the model file: low and high, or mean and sd.
  std::map<std::string, double> describe(const PriorShape& shape) const;
  // The nearest shape that the bounds allow.
  PriorShape project(PriorShape shape) const;

 private:
  struct Truncated;
  Truncated truncate(const PriorShape& shape, double u) const;
  double draw_normal(const PriorShape& shape, double u) const;

  PriorKind kind_;
  double low_, high_;
  bool is_learned_;
  PriorShape start_;
};

}  // namespace greybox
