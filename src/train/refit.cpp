// The command `refit`: θ fixed, the networks trained alone.
#include "train/inherit.hpp"
#include "train/training.hpp"

namespace greybox {

TrainReport refit(const RefitOptions& options) {
  TrainOptions training = options.train;
  training.mode = TrainMode::refit;
  inherit_options(training, options.run);
  if (training.run.empty()) {
    training.run = (options.run / "").parent_path();
    training.run += "-refit";
  }
  return run_training(training, options.theta);
}

}  // namespace greybox
