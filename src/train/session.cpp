#include "train/session.hpp"

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

}  // namespace

template <class T>
Session<T>::Session(const LoadedModel& loaded, RunFolder& folder, Json record, SessionOptions options)
    : loaded_(loaded),
      folder_(folder),
      record_(std::move(record)),
      options_(std::move(options)),
      identity_(identity_of(record_)),
      pool_(options_.n_threads),
      trainer_(loaded, options_.trainer, pool_),
      start_(Clock::now()),
      last_save_(start_) {}

template <class T>
TrainReport Session<T>::run() {
  enter_folder();
  first_epoch_ = trainer_.state().progress.epoch;
  seconds_before_ = trainer_.state().progress.seconds;
  write_file_atomically(folder_.model(), loaded_.spec->source->text);
  write_record(folder_.path(), record_);
  Curves curves(folder_.curves(), static_cast<std::size_t>(first_epoch_));
  const TrainOutcome outcome = learn(curves);
  save(curves);
  return finish(outcome);
}

template <class T>
void Session<T>::enter_folder() {
  folder_.claim();
  if (!options_.is_resumed) {
    if (!options_.may_overwrite) folder_.refuse_if_in_use();  // now that nobody else can change it
    folder_.clear();
  } else if (std::filesystem::exists(folder_.checkpoint())) {
    read_checkpoint(folder_.checkpoint(), identity_, trainer_.state());
    trainer_.continue_from_state();
  }
}

template <class T>
TrainOutcome Session<T>::learn(Curves& curves) {
  const std::chrono::duration<double> interval(options_.trainer.train.checkpoint_seconds);
  while (!trainer_.is_done()) {
    if (options_.cancel && *options_.cancel) return TrainOutcome::interrupted;
    if (!trainer_.step()) return TrainOutcome::diverged;
    if (trainer_.epoch_is_complete()) {
      const EpochResult result = trainer_.end_epoch();
      curves.add(result);
      report(result);
    }
    if (Clock::now() - last_save_ > interval) save(curves);
  }
  return trainer_.has_stopped_early() ? TrainOutcome::stopped_early : TrainOutcome::finished;
}

template <class T>
void Session<T>::save(Curves& curves) {
  curves.flush();  // first, so that the file has every row up to the checkpoint
  trainer_.state().progress.seconds = seconds_before_ + elapsed();
  write_checkpoint(folder_.checkpoint(), identity_, trainer_.state());
  last_save_ = Clock::now();
}

template <class T>
void Session<T>::report(const EpochResult& result) const {
  if (!options_.on_epoch) return;
  const std::size_t epochs = options_.trainer.train.epochs;
  const double seconds = elapsed(), n_done = static_cast<double>(result.epoch) - first_epoch_;
  options_.on_epoch(
      {.epoch = result.epoch,
       .epochs = epochs,
       .loss = result.loss,
       .regularizer = result.regularizer,
       .validation_loss = result.validation.loss,
       .validation_regularizer = result.validation.regularizer,
       .rate = result.rate,
       .multiplier = result.multiplier,
       .samples_per_second = n_done * static_cast<double>(trainer_.n_samples_per_epoch()) / seconds,
       .seconds_left = seconds / n_done * static_cast<double>(epochs - result.epoch)});
}

template <class T>
TrainReport Session<T>::finish(TrainOutcome outcome) {
  // After an interruption the checkpoint says it all; weights are there once they mean something.
  if (outcome != TrainOutcome::interrupted) write_weights();
  complete_record(outcome);
  write_record(folder_.path(), record_);
  TrainReport report = report_from(folder_.path(), record_);
  report.outcome = outcome;
  report.message = message(outcome);
  return report;
}

template <class T>
void Session<T>::write_weights() const {
  std::vector<NamedArray> arrays = weight_arrays<T>(trainer_.tensors(), trainer_.final_weights());
  const std::vector<double> theta = trainer_.final_theta();
  if (!theta.empty()) arrays.emplace_back("theta", NpyArray{{theta.size()}, theta});
  write_npz(folder_.weights(), arrays);
}

template <class T>
void Session<T>::complete_record(TrainOutcome outcome) {
  const Progress& progress = trainer_.state().progress;
  record_["outcome"] = kOutcomes[static_cast<std::size_t>(outcome)];
  record_["finished"] = is_final(outcome);
  record_["epochs_done"] = static_cast<std::size_t>(progress.epoch);
  record_["seconds"] = progress.seconds;
  record_["L"] = progress.last_loss;
  record_["R"] = progress.last_regularizer;
  if (options_.trainer.mode == TrainMode::aphynity) record_["multiplier"] = progress.multiplier;
  record_["theta"] = theta_json(*loaded_.spec, trainer_.final_theta());
  if (const FittedPriors priors = trainer_.fitted_priors(); !priors.empty()) record_["priors"] = priors;
}

template <class T>
std::string Session<T>::message(TrainOutcome outcome) const {
  const auto epoch = static_cast<std::size_t>(trainer_.state().progress.epoch);
  switch (outcome) {
    case TrainOutcome::finished:
      break;
    case TrainOutcome::stopped_early:
      return fmt::format("stopped after epoch {}: {} validations without improvement", epoch,
                         options_.trainer.train.patience);
    case TrainOutcome::interrupted:
      return fmt::format("interrupted after {} of {} epochs; the same command with --resume continues in {}",
                         epoch, options_.trainer.train.epochs, folder_.path().string());
    case TrainOutcome::diverged:
      return fmt::format("{}; the weights before that step are in {}", trainer_.divergence(),
                         folder_.weights().string());
  }
  return {};
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

template class Session<float>;
template class Session<double>;

}  // namespace greybox
