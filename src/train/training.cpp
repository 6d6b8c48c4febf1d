#include "train/training.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>

#include "core/atomic_file.hpp"
#include "core/checksum.hpp"
#include "core/shared_tasks.hpp"
#include "data/utf8.hpp"
#include "greybox/counted.hpp"
#include "greybox/version.hpp"
#include "model/noise_data.hpp"
#include "model/settled_scales.hpp"
#include "model/theta.hpp"
#include "train/adaptation_cure.hpp"
#include "train/fit.hpp"
#include "train/ledger.hpp"
#include "train/run_data.hpp"
#include "train/run_folder.hpp"
#include "train/session.hpp"
#include "train/short_refit.hpp"

namespace greybox {
namespace {

CheckpointIdentity identity_of(const TrainingJob& job) {
  if (job.identity) return *job.identity;
  return {job.record.model.sha256, job.record.data.sha256, sha256(json_of(job.record.options).dump())};
}

// Which part of the data the training itself uses, and what for.
std::vector<LedgerEntry> ledger_of(const TrainerOptions& options) {
  const char* command = options.mode == TrainMode::refit ? "refit" : "train";
  const std::string& regularizer = options.train.regularizer;
  std::vector<LedgerEntry> ledger = {{command, "train", "weights", regularizer}};
  if (options.mode == TrainMode::transductive)
    ledger.push_back({command, "test", "inputs of the regularizer", regularizer});
  if (options.train.patience > 0 || options.train.keep_best)
    ledger.push_back({command, "validation", "choice of the epoch", regularizer});
  return ledger;
}

SessionOptions session_options(const TrainingJob& job) {
  SessionOptions options{
      .trainer = job.trainer, .identity = identity_of(job), .cancel = job.execution.cancel};
  if (job.execution.progress)
    options.on_epoch = [&job](const EpochReport& epoch) {
      job.execution.progress({.stage = job.stage,
                              .unit = "epochs",
                              .n_done = (job.number - 1) * epoch.epochs + epoch.epoch,
                              .n_total = job.n_trainings * epoch.epochs,
                              .training = job.number,
                              .n_trainings = job.n_trainings,
                              .epoch = &epoch});
    };
  return options;
}

std::string message_of(const TrainingResult& result, const TrainingJob& job) {
  std::string sentence = to_sentence(result, job.trainer.train);
  const bool is_estimator = job.trainer.learning == LearningNetworks::estimator;
  if (result.outcome == TrainOutcome::interrupted && is_estimator)
    return sentence + "; the same call continues";
  if (result.outcome == TrainOutcome::interrupted && !job.folder.empty())
    return fmt::format("{}; option `resume` continues in {}", sentence, job.folder.string());
  if (result.outcome == TrainOutcome::diverged && !job.folder.empty())
    return fmt::format("{}; the weights before that step are in {}", sentence,
                       RunFolder(job.folder).weights().string());
  return sentence;
}

bool has_fixed_steps(const ModelSpec& spec) {
  return !spec.is_algebraic() && !spec.grid.is_given && !spec.solver.options.tableau->is_adaptive();
}

// With the noise that was found.
Model trained_model(const TrainingJob& job, const std::map<std::string, double>& noise) {
  if (noise.empty()) return job.model;
  Scales scales = job.model.spec()->scales.value_or(Scales{});
  scales.noise = noise;
  return Model(with_scales(*job.model.spec(), std::move(scales)));
}

std::string redrawn_text(const TrainingResult& result, const ModelSpec& spec) {
  std::string cause = "narrow the prior, or learn from shorter windows";
  if (has_fixed_steps(spec))
    cause +=
        "; where the theory is too fast for the solver's steps, as `check` says, set method = \"auto\" in "
        "[solver]";
  if (result.last_redrawn)
    cause = fmt::format("the last of them: {}", to_sentence_of_redrawn(*result.last_redrawn));
  return fmt::format(
      "in {} of {} steps trajectories diverged or used up `max_steps`, and other θ were drawn, or windows "
      "cut short: there the network has learned little; {}",
      result.n_redrawn, result.n_updates, cause);
}

std::shared_ptr<RunState> state_of(const TrainingJob& job, TrainingResult result) {
  auto state = std::make_shared<RunState>(trained_model(job, result.noise));
  state->folder = job.folder;
  state->table = job.table;
  state->message = message_of(result, job);
  if (const SolverSpec& solver = job.loaded.spec->solver;
      solver.is_automatic && (solver.options.tableau->is_implicit() || !solver.is_given))
    state->warnings.push_back(
        fmt::format("method = \"auto\" took {}: {}", solver.options.tableau->name, solver.reason));
  if (result.finer_step > 0)
    state->warnings.push_back(fmt::format(
        "the solver's steps are too long for part of the prior: its errors grow there until nothing else is "
        "left, which no network mends, and with steps of {0:.3g} they do not; set `step = {0:.3g}` in "
        "[solver], "
        "or narrow the prior",
        result.finer_step));
  if (result.grew_over > 0 && result.finer_step == 0)
    state->warnings.push_back(
        fmt::format("the theory alone is unstable, so the windows grew over the first {} epochs (`grow` in "
                    "[train] sets that)",
                    result.grew_over));
  if (result.epochs > job.trainer.train.epochs)
    state->warnings.push_back(
        fmt::format("after {} errors were still large and fell, so more were added, {} at most "
                    "(`epochs` in [train] sets their number)",
                    counted(job.trainer.train.epochs, "epoch"), result.epochs));
  if (result.n_redrawn > 0) state->warnings.push_back(redrawn_text(result, *job.loaded.spec));
  state->record = job.record;
  RunRecord& record = *state->record;
  record.outcome = result.outcome;
  record.scales.noise = result.noise;
  record.loss = result.loss;
  record.regularizer = result.regularizer;
  state->weights = std::move(result.weights);
  state->weights_sha256 = sha256_of_numbers(state->weights);
  if (job.trainer.learning == LearningNetworks::estimator) return state;  // the rest is the first training's
  record.epochs_done = result.epochs_done;
  record.seconds = result.seconds;
  record.multiplier = result.multiplier;
  record.theta = theta_by_name(*job.loaded.spec, result.theta);
  record.priors = std::move(result.priors);
  record.recipe = result.recipe;
  return state;
}

// Of mode tailored: the regularizer that θ of each window follows.
std::optional<std::size_t> tailored_by(const TrainingJob& job) {
  if (job.trainer.mode != TrainMode::tailored) return std::nullopt;
  return job.loaded.model->find_regularizer(job.trainer.train.regularizer) -
         job.loaded.model->regularizers.data();
}

// Of what has learned to its end.
void judge_fit_of(const TrainingJob& job, RunState& state, ThreadPool& pool) {
  RunRecord& record = *state.record;
  if (!record.is_finished() || job.trainer.learning == LearningNetworks::estimator) return;
  const bool is_adaptive = job.trainer.mode == TrainMode::adaptive;
  const std::function<std::vector<double>(const std::vector<double>&, bool)> refit =
      [&](const std::vector<double>& theta, bool from_scratch) {
        return short_refit(job.loaded,
                           {job.trainer, state.weights, theta, job.execution.cancel, from_scratch}, pool);
      };
  record.fit = judge_fit(with_noise(job.loaded, record.scales.noise),
                         {.weights = state.weights,
                          .theta = record.theta,
                          .tailored_by = tailored_by(job),
                          .uses_estimator = !is_adaptive && record.theta.empty(),
                          .objective = objective_parts(record, *job.loaded.model),
                          .refit = is_adaptive ? refit : nullptr},
                         pool);
}

// The session goes before the fit is judged, which takes as much memory.
Run train_in_memory(const TrainingJob& job, std::unique_ptr<TrainingSession> session, ThreadPool& pool) {
  MemoryStore store;
  if (job.interrupted && job.interrupted->checkpoint) {
    session->resume(*job.interrupted->checkpoint);
    for (const EpochResult& epoch : job.interrupted->curves) store.add(epoch);
  }
  std::shared_ptr<RunState> state = state_of(job, session->run(store));
  session.reset();
  judge_fit_of(job, *state, pool);
  state->curves = store.curves();
  state->checkpoint = store.checkpoint();
  return Run(std::move(state));
}

// As the first process sees the folder.
bool has_checkpoint(const TrainingJob& job) {
  const auto look = [&] {
    const bool is_there = job.is_resumed && std::filesystem::exists(RunFolder(job.folder).checkpoint());
    return std::string(is_there ? 1 : 0, 'y');
  };
  return !in_all(job.execution, look).empty();
}

// Of processes that share the training, the first alone writes.
Run train_in_folder(const TrainingJob& job, std::unique_ptr<TrainingSession> session, ThreadPool& pool) {
  const RunFolder folder(job.folder);
  if (has_checkpoint(job)) session->resume(read_checkpoint(folder.checkpoint()));
  if (!is_first(job.execution)) {
    MemoryStore store;
    const std::shared_ptr<RunState> state = state_of(job, session->run(store));
    session.reset();
    judge_fit_of(job, *state, pool);
    return Run(state);
  }
  write_file_atomically(folder.model(), job.model.text());
  RunRecord begun = job.record;
  update_record(job.folder, begun);
  FolderStore store(folder.curves(), folder.checkpoint());
  const std::shared_ptr<RunState> state = state_of(job, session->run(store));
  session.reset();
  judge_fit_of(job, *state, pool);
  // After an interruption the checkpoint says it all; weights are there once they mean something.
  if (state->record->outcome != TrainOutcome::interrupted) write_weights(folder.weights(), *state);
  update_record(job.folder, *state->record);
  return Run(state);
}

}  // namespace

RunRecord new_record(const TrainerOptions& trainer, const Model& model, const DataTable& table) {
  const auto absolute = [](const std::string& file) {
    return path_text(std::filesystem::absolute(file).lexically_normal());
  };
  RunRecord record;
  record.name = model.name();
  record.version = version();
  record.compiler = __VERSION__;
  record.started = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  record.options = recorded_options(trainer, *model.spec());
  record.model = {absolute(model.spec()->source->path), sha256(model.text())};
  record.data = {table.is_file ? absolute(table.file) : "", table.sha256};
  record.inputs = recorded_inputs(table);
  if (model.spec()->scales) record.scales = *model.spec()->scales;
  if (model.spec()->solver.is_automatic) record.method = model.spec()->solver.options.tableau->name;
  record.ledger = ledger_of(trainer);
  return record;
}

TrainOptions inherited(TrainOptions options, const RunRecord& record) {
  const RecordedOptions& before = record.options;
  const auto take = []<class V>(std::optional<V>& option, const V& value) {
    if (!option) option = value;
  };
  take(options.mode, before.mode);
  take(options.recipe, before.recipe);
  if (before.mode != TrainMode::aphynity) take(options.lambda, before.lambda);
  take(options.regularizer, before.regularizer);
  take(options.epochs, before.epochs);
  take(options.batch, before.batch);
  take(options.seed, before.seed);
  take(options.single_precision, before.single_precision);
  return options;
}

Run run_training(TrainingJob job) {
  require_like_processors(job.execution);
  ThreadPool pool(n_threads_of(job.execution), job.execution.communicator);
  // What can be refused is refused here, before the folder is touched.
  std::unique_ptr<TrainingSession> session = make_session(job.loaded, session_options(job), pool);
  if (job.folder.empty()) return train_in_memory(job, std::move(session), pool);
  RunFolder folder(job.folder);
  in_all(job.execution, [&] {
    folder.claim();
    if (!job.is_resumed) {
      if (!job.may_overwrite) folder.refuse_if_in_use();  // now that nobody else can change it
      folder.clear();
    }
    return std::string();
  });
  if (needs_keeping(*job.table)) {
    if (is_first(job.execution))
      job.table = keep_table(job.folder, *job.table, *job.model.spec(), job.record);
    session =
        make_session(job.loaded, session_options(job), pool);  // whose checkpoints name the file's checksum
  }
  return train_in_folder(job, std::move(session), pool);
}

}  // namespace greybox
