// What `augment` was asked for, checked: where θ is drawn, and the θ that the network is held at.
#pragma once

#include "analysis/run/opened_run.hpp"
#include "greybox/augment.hpp"

namespace greybox {

// One number per parameter each.
struct AugmentBox {
  std::vector<double> low, high, held;
  std::vector<double> widths() const;
};

// Throws InputError.
AugmentBox augment_box(const OpenedRun& run, const AugmentOptions& options);

}  // namespace greybox
