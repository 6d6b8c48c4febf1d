// The command `refit`: θ fixed, the networks trained alone.
#include "train/run_record.hpp"
#include "train/training.hpp"

namespace greybox {
namespace {

// What the user did not set is as in the run before, where there is a record of it.
void inherit(TrainOptions& options, const std::filesystem::path& run) {
  if (!std::filesystem::exists(run / kRecordName)) return;
  const RunInfo info = read_run(run);
  const Json before = read_record(run).at("options");
  const auto take = [&]<class V>(std::optional<V>& option, const char* name) {
    if (!option) option = before.at(name).get<V>();
  };
  if (options.data.empty()) options.data = info.data;
  take(options.lambda, "lambda");
  take(options.regularizer, "regularizer");
  take(options.epochs, "epochs");
  take(options.batch, "batch");
  take(options.seed, "seed");
  if (!options.single_precision) options.single_precision = before.at("precision") == "float";
}

}  // namespace

TrainReport refit(const RefitOptions& options) {
  TrainOptions training = options.train;
  training.model = options.run / "model.toml";
  training.mode = TrainMode::refit;
  inherit(training, options.run);
  if (training.run.empty()) {
    training.run = (options.run / "").parent_path();
    training.run += "-refit";
  }
  return run_training(training, options.theta);
}

}  // namespace greybox
