#include "train/training.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/checksum.hpp"
#include "greybox/version.hpp"
#include "model/theta.hpp"
#include "train/session.hpp"

namespace greybox {
namespace {

std::filesystem::path folder_of(const TrainOptions& options, const ModelSpec& spec) {
  if (!options.run.empty()) return options.run;
  std::string name = fmt::format("{}-{}-seed{}", spec.name, to_string(options.mode.value_or(TrainMode::adaptive)),
                                 options.seed.value_or(0));
  std::replace(name.begin(), name.end(), '/', '_');
  return std::filesystem::path("runs") / name;
}

std::vector<double> in_order(const ModelSpec& spec, const std::map<std::string, double>& theta) {
  BoundModel names;  // only the parameters are asked for
  names.spec = std::make_shared<const ModelSpec>(spec);
  return theta_from(names, theta);
}

LoadedModel load(const TrainOptions& options, const TrainerOptions& trainer) {
  LoadOptions load_options;
  load_options.data = options.data;
  if (!trainer.train.regularizer.empty()) load_options.extra_regularizers = {trainer.train.regularizer};
  return load_model(options.model, load_options);
}

// Which part of the data the training itself uses, and what for.
Json ledger_of(const TrainerOptions& options) {
  const char* command = options.mode == TrainMode::refit ? "refit" : "train";
  const std::string& regularizer = options.train.regularizer;
  Json ledger = Json::array();
  ledger.push_back(to_json(LedgerEntry{command, "train", "weights", regularizer}));
  if (options.mode == TrainMode::transductive)
    ledger.push_back(to_json(LedgerEntry{command, "test", "inputs of the regularizer", regularizer}));
  if (options.train.patience > 0 || options.train.keep_best)
    ledger.push_back(to_json(LedgerEntry{command, "validation", "choice of the epoch", regularizer}));
  return ledger;
}

Json new_record(const TrainOptions& options, const TrainerOptions& trainer, const LoadedModel& loaded) {
  const std::filesystem::path data = loaded.data->table().file;
  Json record;
  record["name"] = loaded.spec->name;
  record["version"] = std::string(version());
  record["versions"] = {{"greybox", std::string(version())}, {"compiler", __VERSION__}};
  record["command"] = options.command_line;
  record["options"] = options_json(trainer, *loaded.spec);
  record["model"] = {{"file", std::filesystem::absolute(options.model).string()},
                     {"sha256", sha256(loaded.spec->source->text)}};
  record["data"] = {{"file", std::filesystem::absolute(data).lexically_normal().string()}, {"sha256", sha256_of_file(data)}};
  record["finished"] = false;
  record["outcome"] = "running";
  record["ledger"] = ledger_of(trainer);
  return record;
}

void refuse_if_changed(const Json& recorded, const Json& now, const std::filesystem::path& run) {
  for (const char* what : {"model", "data"})
    if (recorded.at(what).at("sha256") != now.at(what).at("sha256"))
      throw InputError(Diagnostic{.file = now.at(what).at("file"),
                                  .message = fmt::format("the {} changed since the run {} was started", what, run.string()),
                                  .help = "bring back the file as it was to resume, or start another run with -o"});
}

template <class T>
TrainReport run_session(const LoadedModel& loaded, const RunFolder& folder, const Json& record, const SessionOptions& options) {
  return Session<T>(loaded, folder, record, options).run();
}

}  // namespace

TrainReport run_training(const TrainOptions& options, const std::map<std::string, double>& theta) {
  const ModelSpec spec = read_model_spec(options.model);
  RunFolder folder(folder_of(options, spec));
  const bool is_resumed = options.resume && folder.has_record();
  if (!is_resumed && !options.overwrite) folder.refuse_if_in_use();
  Json recorded;
  if (is_resumed) {
    read_run(folder.path());  // sound, or refused
    recorded = read_record(folder.path());
    if (recorded.at("finished")) {
      TrainReport report = report_from(folder.path(), recorded);
      report.message = fmt::format("the run {} is finished: there is nothing to resume", folder.path().string());
      return report;
    }
  }
  const bool is_refit = options.mode == TrainMode::refit;
  const TrainerOptions trainer = resolve_options(options, spec, is_resumed ? &recorded : nullptr,
                                                 is_refit ? in_order(spec, theta) : std::vector<double>{});
  const LoadedModel loaded = load(options, trainer);
  Json record = new_record(options, trainer, loaded);
  if (is_resumed) refuse_if_changed(recorded, record, folder.path());

  folder.claim();
  if (!is_resumed) folder.clear();
  const SessionOptions session{trainer, options.on_epoch, options.cancel, options.n_threads};
  if (is_resumed) record["ledger"] = recorded.at("ledger");
  return trainer.train.precision == Precision::single_ ? run_session<float>(loaded, folder, record, session)
                                                       : run_session<double>(loaded, folder, record, session);
}

TrainReport train(const TrainOptions& options) { return run_training(options, {}); }

}  // namespace greybox
