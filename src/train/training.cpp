#include "train/training.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>

#include "core/checksum.hpp"
#include "greybox/version.hpp"
#include "model/theta.hpp"
#include "train/folder_training.hpp"

namespace greybox {
namespace {

std::filesystem::path folder_of(const TrainOptions& options, const ModelSpec& spec) {
  if (!options.run.empty()) return options.run;
  std::string name =
      fmt::format("{}-{}-seed{}", spec.name, to_string(options.mode.value_or(TrainMode::adaptive)),
                  options.seed.value_or(0));
  std::replace(name.begin(), name.end(), '/', '_');
  return std::filesystem::path("runs") / name;
}

std::vector<double> in_order(const ModelSpec& spec, const std::map<std::string, double>& theta) {
  BoundModel names;  // only the parameters are asked for
  names.spec = std::make_shared<const ModelSpec>(spec);
  return theta_from(names, theta);
}

// A resumed run reads the file it began with, unless another place is given for it.
LoadedModel load(const TrainOptions& options, const TrainerOptions& trainer, const Json* recorded) {
  LoadOptions load_options;
  load_options.data = options.data;
  if (recorded && options.data.empty())
    load_options.data = recorded->at("data").at("file").get<std::string>();
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
  record["started"] = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  record["options"] = options_json(trainer, *loaded.spec);
  record["model"] = {{"file", std::filesystem::absolute(options.model).string()},
                     {"sha256", sha256(loaded.spec->source->text)}};
  record["data"] = {{"file", std::filesystem::absolute(data).lexically_normal().string()},
                    {"sha256", sha256_of_file(data)}};
  record["finished"] = false;
  record["outcome"] = "running";
  record["ledger"] = ledger_of(trainer);
  return record;
}

void refuse_if_changed(const Json& recorded, const Json& now, const std::filesystem::path& run) {
  for (const char* what : {"model", "data"})
    if (recorded.at(what).at("sha256") != now.at(what).at("sha256"))
      throw InputError(Diagnostic{
          .file = now.at(what).at("file"),
          .message = fmt::format("the {} changed since the run {} was started", what, run.string()),
          .help = "bring back the file as it was to resume, or start another run with -o"});
}

// The report of a run that needs no more training.
TrainReport finished_before(const RunFolder& folder, const Json& recorded) {
  TrainReport report = report_from(folder.path(), recorded);
  report.message = fmt::format("the run {} is finished: there is nothing to resume", folder.path().string());
  return report;
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
    if (recorded.at("finished")) return finished_before(folder, recorded);
  }
  const Json* before = is_resumed ? &recorded : nullptr;
  const bool is_refit = options.mode == TrainMode::refit;
  const TrainerOptions trainer =
      resolve_options(options, spec, before, is_refit ? in_order(spec, theta) : std::vector<double>{});
  const LoadedModel loaded = load(options, trainer, before);
  const Json record = new_record(options, trainer, loaded);
  if (is_resumed) refuse_if_changed(recorded, record, folder.path());

  TrainReport report = train_in_folder(loaded, folder, is_resumed ? recorded : record,
                                       {.trainer = trainer,
                                        .on_epoch = options.on_epoch,
                                        .cancel = options.cancel,
                                        .n_threads = options.n_threads,
                                        .is_resumed = is_resumed,
                                        .may_overwrite = options.overwrite});
  if (is_resumed && recorded.at("version") != record.at("version"))
    report.warnings.emplace_back(
        "the run was begun by another version of greybox: its bits may differ from those of either");
  return report;
}

TrainReport train(const TrainOptions& options) {
  return run_training(options, {});
}

}  // namespace greybox
