#include "train/inherit.hpp"

#include "train/run_record.hpp"

namespace greybox {

void inherit_options(TrainOptions& options, const std::filesystem::path& run) {
  options.model = run / "model.toml";
  if (!std::filesystem::exists(run / kRecordName)) return;
  const RunInfo info = read_run(run);
  const Json before = read_record(run).at("options");
  const auto take = [&]<class V>(std::optional<V>& option, const char* name) {
    if (!option && !before.at(name).is_null()) option = before.at(name).get<V>();
  };
  if (!options.mode) options.mode = info.mode;
  if (options.data.empty()) options.data = info.data;
  take(options.lambda, "lambda");
  take(options.regularizer, "regularizer");
  take(options.epochs, "epochs");
  take(options.batch, "batch");
  take(options.seed, "seed");
  if (!options.single_precision) options.single_precision = before.at("precision") == "float";
}

}  // namespace greybox
