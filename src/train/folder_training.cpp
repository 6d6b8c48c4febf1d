#include "train/folder_training.hpp"

#include <fmt/format.h>

#include "core/atomic_file.hpp"
#include "core/checksum.hpp"
#include "model/weights.hpp"

namespace greybox {
namespace {

constexpr const char* kOutcomes[] = {"finished", "stopped early", "interrupted", "diverged"};

CheckpointIdentity identity_of(const Json& record) {
  return {record.at("model").at("sha256"), record.at("data").at("sha256"),
          sha256(record.at("options").dump())};
}

bool is_final(TrainOutcome outcome) {
  return outcome == TrainOutcome::finished || outcome == TrainOutcome::stopped_early;
}

// JSON has no NaN; what was not computed reads as 0 from a record and never gets there from a complete epoch.
double number_or_zero(const Json& record, const char* name) {
  return record.contains(name) && record.at(name).is_number() ? record.at(name).get<double>() : 0;
}

void enter_folder(RunFolder& folder, const FolderTrainingOptions& options, TrainingSession& session) {
  folder.claim();
  if (!options.is_resumed) {
    if (!options.may_overwrite) folder.refuse_if_in_use();  // now that nobody else can change it
    folder.clear();
  } else if (std::filesystem::exists(folder.checkpoint())) {
    session.resume(read_checkpoint(folder.checkpoint()));
  }
}

template <class T>
std::vector<NamedArray> arrays_of(const LoadedModel& loaded, const std::vector<double>& weights) {
  const std::vector<T> own(weights.begin(), weights.end());
  return weight_arrays<T>(NetworkSet<T>(*loaded.model).tensors(), own);
}

void write_weights(const LoadedModel& loaded, const RunFolder& folder, const TrainingResult& result,
                   Precision precision) {
  std::vector<NamedArray> arrays = precision == Precision::single_
                                       ? arrays_of<float>(loaded, result.weights)
                                       : arrays_of<double>(loaded, result.weights);
  if (!result.theta.empty()) arrays.emplace_back("theta", NpyArray{{result.theta.size()}, result.theta});
  write_npz(folder.weights(), arrays);
}

void complete_record(Json& record, const TrainingResult& result, const TrainerOptions& options,
                     const ModelSpec& spec) {
  record["outcome"] = kOutcomes[static_cast<std::size_t>(result.outcome)];
  record["finished"] = is_final(result.outcome);
  record["epochs_done"] = result.epochs_done;
  record["seconds"] = result.seconds;
  record["L"] = result.loss;
  record["R"] = result.regularizer;
  if (options.mode == TrainMode::aphynity) record["multiplier"] = result.multiplier;
  record["theta"] = theta_json(spec, result.theta);
  if (!result.priors.empty()) record["priors"] = result.priors;
}

std::string message_of(const TrainingResult& result, const TrainSpec& train, const RunFolder& folder) {
  const std::string sentence = to_sentence(result, train);
  if (result.outcome == TrainOutcome::interrupted)
    return fmt::format("{}; the same training with option `resume` continues in {}", sentence,
                       folder.path().string());
  if (result.outcome == TrainOutcome::diverged)
    return fmt::format("{}; the weights before that step are in {}", sentence, folder.weights().string());
  return sentence;
}

}  // namespace

TrainReport train_in_folder(const LoadedModel& loaded, RunFolder& folder, Json record,
                            const FolderTrainingOptions& options) {
  const TrainSpec& train = options.trainer.train;
  ThreadPool pool(options.n_threads);
  const std::unique_ptr<TrainingSession> session = make_session(loaded,
                                                                {.trainer = options.trainer,
                                                                 .identity = identity_of(record),
                                                                 .on_epoch = options.on_epoch,
                                                                 .cancel = options.cancel},
                                                                pool);
  enter_folder(folder, options, *session);
  write_file_atomically(folder.model(), loaded.spec->source->text);
  write_record(folder.path(), record);
  FolderStore store(folder.curves(), folder.checkpoint());
  const TrainingResult result = session->run(store);
  // After an interruption the checkpoint says it all; weights are there once they mean something.
  if (result.outcome != TrainOutcome::interrupted) write_weights(loaded, folder, result, train.precision);
  complete_record(record, result, options.trainer, *loaded.spec);
  write_record(folder.path(), record);
  TrainReport report = report_from(folder.path(), record);
  report.outcome = result.outcome;
  report.message = message_of(result, train, folder);
  return report;
}

TrainReport report_from(const std::filesystem::path& run, const Json& record) {
  TrainReport report;
  report.run = run;
  report.mode = mode_from(record.at("options").at("mode"));
  report.epochs = record.at("epochs_done");
  report.loss = number_or_zero(record, "L");
  report.regularizer = number_or_zero(record, "R");
  if (record.contains("multiplier")) report.multiplier = record.at("multiplier");
  report.seconds = record.at("seconds");
  report.theta = record.at("theta").get<std::map<std::string, double>>();
  Json json{{"run", run.string()}};
  for (const char* name : {"outcome", "finished", "epochs_done", "seconds", "L", "R", "multiplier", "theta",
                           "priors", "options"})
    if (record.contains(name)) json[name] = record.at(name);
  report.json = json.dump();
  return report;
}

}  // namespace greybox
