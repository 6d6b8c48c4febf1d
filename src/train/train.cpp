// Training as its users ask for it: a model and data in, a run out.
#include "greybox/train.hpp"

#include <fmt/format.h>

#include "core/memory_limit.hpp"
#include "core/refuse.hpp"
#include "core/shared_tasks.hpp"
#include "data/shared_reading.hpp"
#include "model/settled_method.hpp"
#include "model/settled_scales.hpp"
#include "train/first_cost.hpp"
#include "train/run_data.hpp"
#include "train/run_folder.hpp"
#include "train/training.hpp"

namespace greybox {
namespace {

// The run that the folder of these options holds, where it is to be resumed: for all processes as the first
// finds it, before it writes there.
std::optional<RunRecord> record_to_resume(const TrainOptions& options) {
  if (!options.resume || options.folder.empty()) return std::nullopt;
  const auto look = [&] { return std::string(has_record(options.folder) ? 1 : 0, 'y'); };
  if (in_all(options.execution, look).empty()) return std::nullopt;
  return read_record(options.folder);
}

void refuse_if_changed(const RunRecord& recorded, const RunRecord& now, const std::filesystem::path& folder) {
  const auto check = [&](const char* what, const RecordedFile& before, const RecordedFile& after) {
    if (before.sha256 == after.sha256) return;
    refuse(after.file, fmt::format("the {} changed since the run {} was started", what, folder.string()),
           "bring it back as it was to resume, or start another run with another folder (option `folder`)");
  };
  check("model", recorded.model, now.model);
  check("data", recorded.data, now.data);
}

// The run that needs no more training.
Run finished_before(const std::filesystem::path& folder) {
  Run run = Run::open(folder);
  run.state().message = fmt::format("the run {} is finished: there is nothing to resume", folder.string());
  return run;
}

// Arrays that are given once more to resume: those that the folder keeps, if they are the same.
std::shared_ptr<const DataTable> table_of(const Dataset& dataset, const TrainOptions& options,
                                          const std::optional<RunRecord>& recorded) {
  std::shared_ptr<const DataTable> table = dataset.table().data();
  if (table->is_file || !recorded || !keeps_own_data(*recorded)) return table;
  const auto kept = read_recorded(options.folder, *recorded, *dataset.model().spec());
  const std::string given = table->inputs.empty() ? table->sha256 : content_digest(*table);
  return content_digest(*kept) == given ? kept : table;
}

// A resumed run keeps the scales and the solver that it began with.
LoadedModel model_to_train(const Dataset& dataset, const std::string& regularizer,
                           const std::optional<RunRecord>& recorded) {
  const LoadedModel& loaded = dataset.loaded();
  const Scales now = loaded.spec->scales.value_or(Scales{});
  const SolverSpec& solver = loaded.spec->solver;
  const bool has_changed =
      recorded &&
      (recorded->scales != now || (solver.is_automatic && recorded->method != solver.options.tableau->name));
  if (!has_changed && (regularizer.empty() || loaded.model->find_regularizer(regularizer) != nullptr))
    return loaded;
  std::vector<std::string> regularizers;
  if (!regularizer.empty()) regularizers.push_back(regularizer);
  return assemble(
      has_changed ? with_method(with_scales(*loaded.spec, recorded->scales), recorded->method) : loaded.spec,
      dataset.table().data(), regularizers);
}

// Before the data are read, which may take long.
void check_folder(const TrainOptions& options, bool is_resumed) {
  if (options.folder.empty() || is_resumed || options.overwrite) return;
  in_all(options.execution, [&] {
    RunFolder(options.folder).refuse_if_in_use();
    return std::string();
  });
}

// Before anything is written: by what the first process finds, for all.
void require_memory_for(const TrainingJob& job) {
  const std::size_t n_processes =
      job.execution.communicator != nullptr ? job.execution.communicator->size() : 1;
  in_all(job.execution, [&] {
    ThreadPool pool(n_threads_of(job.execution));
    const double bytes = measure_first_cost(job.loaded, job.trainer.train, n_processes, pool).bytes;
    require_memory(
        bytes, [] { return "this training"; }, kLessMemory);
    return std::string();
  });
}

Run train(const Dataset& dataset, const TrainOptions& options, const std::optional<RunRecord>& recorded) {
  check_folder(options, recorded.has_value());
  TrainerOptions trainer = resolve_options(options, *dataset.loaded().spec, recorded ? &*recorded : nullptr);
  const LoadedModel loaded = model_to_train(dataset, trainer.train.regularizer, recorded);
  trainer = with_recipe(std::move(trainer), loaded);
  const Model model(loaded.spec);
  TrainingJob job(model, loaded, table_of(dataset, options, recorded), trainer, RunRecord{});
  const RunRecord now = new_record(trainer, model, *job.table);
  if (recorded) refuse_if_changed(*recorded, now, options.folder);
  job.record = recorded.value_or(now);
  if (!keeps_own_data(job.record)) job.record.data.file = now.data.file;  // which may have moved
  if (!keeps_own_inputs(job.record)) job.record.inputs = now.inputs;
  if (!recorded) job.record.command = options.command;
  job.folder = options.folder;
  job.is_resumed = recorded.has_value();
  job.may_overwrite = options.overwrite;
  job.execution = options.execution;
  require_memory_for(job);
  Run run = run_training(job);
  if (recorded && recorded->version != now.version)
    run.state().warnings.emplace_back(
        "the run was begun by another version of greybox: its bits may differ from those of either");
  return run;
}

TrainOptions refit_options(const Run& run, const Theta& theta, TrainOptions options) {
  options.mode = TrainMode::refit;
  options.theta = theta;
  const std::optional<RunRecord> record = run.record();
  return record ? inherited(std::move(options), *record) : options;
}

}  // namespace

Run train(const Dataset& dataset, const TrainOptions& options) {
  const std::optional<RunRecord> recorded = record_to_resume(options);
  if (recorded && recorded->is_finished()) return finished_before(options.folder);
  return train(dataset, options, recorded);
}

Run train(const Model& model, const Table& table, const TrainOptions& options) {
  return train(Dataset(model, table), options);
}

// A resumed run reads the file it began with.
Run train(const Model& model, const TrainOptions& options) {
  const std::optional<RunRecord> recorded = record_to_resume(options);
  if (recorded && recorded->is_finished()) return finished_before(options.folder);
  check_folder(options, recorded.has_value());
  const Table table(read_in_first(options.execution, [&] {
    return recorded ? read_recorded(options.folder, *recorded, *model.spec()) : read_own_table(*model.spec());
  }));
  return train(Dataset(model, table), options, recorded);
}

Run resume(const Run& run, const Execution& execution) {
  const std::optional<RunRecord> record = run.record();
  if (!record)
    refuse(run.folder(), "the folder does not say how its network was trained", "train the model anew");
  if (record->is_finished()) return run;
  TrainOptions options;
  options.theta = record->options.theta;
  share_own_table(run.state(), execution);
  const Dataset dataset = run.dataset();
  const TrainerOptions trainer = resolve_options(options, *run.model().spec(), &*record);
  TrainingJob job(run.model(), model_to_train(dataset, trainer.train.regularizer, record),
                  dataset.table().data(), trainer, *record);
  refuse_if_changed(*record, new_record(trainer, run.model(), *job.table), run.folder());
  job.folder = run.folder();
  job.is_resumed = true;
  job.execution = execution;
  job.interrupted = run.shared_state();
  require_memory_for(job);
  return run_training(job);
}

Run refit(const Run& run, const Theta& theta, const TrainOptions& options) {
  share_own_table(run.state(), options.execution);
  return train(run.dataset(), refit_options(run, theta, options));
}

Run refit(const Run& run, const Theta& theta, const Table& table, const TrainOptions& options) {
  return train(Dataset(run.model(), table), refit_options(run, theta, options));
}

}  // namespace greybox
