// A session whose run is still being trained: what it has learned so far, and weights that come later.
#include <fmt/format.h>

#include "analysis/explore/answers.hpp"
#include "analysis/explore/run_so_far.hpp"
#include "analysis/explore/session.hpp"
#include "analysis/page/report_parts.hpp"
#include "greybox/counted.hpp"

namespace greybox {
namespace {

bool has_ended(const Run& run) {
  const std::optional<RunRecord> record = run.record();
  return !record || record->is_finished();
}

bool is_same_task(const Run& one, const Run& other) {
  const std::optional<RunRecord> first = one.record(), second = other.record();
  const bool has_same_data =
      first.has_value() == second.has_value() && (!first || first->data.sha256 == second->data.sha256);
  return has_same_data && one.model().text() == other.model().text();
}

// As far as they are trained.
std::shared_ptr<const Networks> networks_of(const OpenedRun& run, bool is_finished) {
  const std::size_t n_seeds = is_finished ? n_trained_networks(run) : 1;
  return std::make_shared<const Networks>(gather_networks(run, {.seeds = n_seeds}, {.n_threads = 1}));
}

Json progress_json(const Run& run, bool with_curves) {
  const std::vector<EpochReport> epochs = run.curves();
  const std::optional<RunRecord> record = run.record();
  Json json{{"epoch", epochs.empty() ? 0 : epochs.back().epoch},
            {"epochs", epochs.empty() ? record ? record->options.epochs : 0 : epochs.back().epochs},
            {"seed", record ? record->options.seed : 0}};
  if (with_curves) json["curves"] = report_curves(epochs);
  return json;
}

}  // namespace

std::shared_ptr<ExploredModel> ExploreSession::open_with_networks(
    const Run& run, const std::vector<std::string>& expressions) const {
  const bool is_finished = has_ended(run);
  std::shared_ptr<ExploredModel> model = open(run_so_far(run), expressions);
  model->networks = networks_of(model->run, is_finished);
  if (!is_finished) {
    model->epochs_so_far = model->run.record->epochs_done;
    model->run.warnings.push_back(fmt::format("the training is not over: the network is that after {}",
                                              counted(*model->epochs_so_far, "epoch")));
  }
  return model;
}

void ExploreSession::take(const Run& run) {
  watch_.is_replaced = !is_same_task(current()->run.handle, run);
  if (watch_.is_replaced) return;
  std::vector<std::string> expressions;
  {
    const std::lock_guard lock(mutex_);
    expressions = expressions_;
  }
  const std::shared_ptr<ExploredModel> model = open_with_networks(run, expressions);
  make_predictors(*model);
  const Turns::Turn turn(turns_, Urgency::patient);
  const std::lock_guard lock(mutex_);
  current_ = model;
  ++watch_.generation;
}

TrainingWatch ExploreSession::watch_training() {
  const std::lock_guard lock(watch_mutex_);
  const std::filesystem::path folder = current()->run.handle.folder();
  try {
    const TrainingStamp now = stamp_of(folder);
    if (now != stamp_) take(Run::open(folder));
    stamp_ = now;
    watch_.is_running = now.outcome == TrainOutcome::running && is_being_trained(folder);
  } catch (const InputError&) {
    // The folder is being written: the next look finds it whole.
  }
  return watch_;
}

Json training_json(ExploreSession& session, bool with_curves) {
  const TrainingWatch watch = session.watch_training();
  const std::shared_ptr<const ExploredModel> model = session.model();
  const Run& run = model->run.handle;
  Json json = progress_json(run, with_curves);
  json.update({{"is_running", watch.is_running},
               {"is_replaced", watch.is_replaced},
               {"generation", watch.generation},
               {"seeds", model->networks->seeds},
               {"epochs_so_far", nullptr},
               {"others", Json::array()}});
  if (model->epochs_so_far) json["epochs_so_far"] = *model->epochs_so_far;
  for (const std::filesystem::path& folder : seeds_in_training(run.folder()))
    json["others"].push_back(progress_json(Run::open(folder), with_curves));
  return json;
}

}  // namespace greybox
