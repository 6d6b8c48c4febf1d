// Sizes of errors in units of what is tolerated.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "ode/state_layout.hpp"

namespace greybox {

struct ErrorTolerance {
  double relative = 1e-6;
  double absolute = 1e-8;
  std::size_t max_steps = 100000;  // tried per interval
  // Per component of the state, what `absolute` counts in units of; empty: 1 each.
  std::vector<double> scales = {};
};

template <class T>
class ErrorNorm {
 public:
  ErrorNorm(ErrorTolerance wanted, StateLayout layout)
      : tolerance_(std::move(wanted)), layout_(std::move(layout)) {
    // Below this the error estimate is mostly rounding and would only drive the step size down.
    tolerance_.relative = std::max<double>(tolerance_.relative, 10 * std::numeric_limits<T>::epsilon());
    tolerance_.absolute = std::max<double>(tolerance_.absolute, std::numeric_limits<T>::min());
  }

  const ErrorTolerance& tolerance() const { return tolerance_; }

  // Root mean square of values / (absolute · scale + relative · |state|) over the sample's components and
  // grid points.
  double operator()(std::size_t sample, const T* values, const T* state, const T* other_state) const {
    double sum = 0;
    std::size_t count = 0;
    for (std::size_t c = 0; c < layout_.n_components(); ++c) {
      const std::size_t width = layout_.width(c), first = layout_.offset(c) + sample * width;
      const double absolute = tolerance_.absolute * (tolerance_.scales.empty() ? 1 : tolerance_.scales[c]);
      for (std::size_t at = first; at < first + width; ++at) {
        const double magnitude = std::max(std::abs(state[at]), std::abs(other_state[at]));
        const double scaled = values[at] / (absolute + tolerance_.relative * magnitude);
        sum += scaled * scaled;
      }
      count += width;
    }
    return std::sqrt(sum / static_cast<double>(count));
  }

 private:
  ErrorTolerance tolerance_;
  StateLayout layout_;
};

}  // namespace greybox
