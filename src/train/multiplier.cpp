#include "train/multiplier.hpp"

#include <algorithm>

namespace greybox {

ObjectiveWeights constrained_weights(double multiplier) {
  const double largest = std::max(1.0, multiplier);
  return {.loss = multiplier / largest, .regularizer = 1 / largest};
}

double next_multiplier(const AphynitySpec& scheme, double multiplier, std::size_t epoch, double loss) {
  return epoch % scheme.every == 0 ? multiplier + scheme.tau * loss : multiplier;
}

}  // namespace greybox
