#include "train/settings.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/limits.hpp"
#include "core/refuse.hpp"
#include "model/theta.hpp"

namespace greybox {
namespace {

// The value of one option: as set, as recorded, or as in the model file.
template <class T>
T choose(const char* name, const std::optional<T>& set, const T* recorded, const T& fallback) {
  if (!recorded) return set.value_or(fallback);
  if (set && *set != *recorded)
    refuse_option(name, fmt::format("{} contradicts the run, which was started with {}", *set, *recorded),
                  "leave it out to resume, or start another run with another folder (option `folder`)");
  return *recorded;
}

// λ of the other modes has no meaning where the loss is weighed against the regularizer, and by steps.
void check_constrained(const TrainOptions& options, const ModelSpec& spec, const TrainSpec& train) {
  if (!spec.noise.empty())
    throw InputError(
        at(*spec.source, spec.noise.front().name_span,
           "mode aphynity brings L to 0, which a negative log-likelihood has no reason to become",
           "remove [noise] to train in this mode, or choose another mode"));
  if (options.lambda)
    refuse_option("lambda",
                  "λ has no meaning in mode aphynity, which finds the weight of the loss on its way",
                  "set `aphynity = { lambda0 = …, tau = … }` in [train] instead");
  if (train.regularizer.empty())
    refuse_option("regularizer", "mode aphynity minimises a regularizer, and there is none",
                  "set `regularizer` in [train], or give a name or an expression as option `regularizer`");
}

// Nothing else says where θ of a window is to go.
void check_tailored(const ModelSpec& spec, const TrainSpec& train) {
  if (train.regularizer.empty())
    refuse_option("regularizer", "mode tailored finds θ of each window by a regularizer, and there is none",
                  "set `regularizer` in [train], or give a name or an expression as option `regularizer`");
  if (spec.parameters.empty())
    refuse(spec.source->path, "the model has no parameters that mode tailored could adapt",
           "add them in [parameters], or choose another mode");
}

void check_lambda(const TrainSpec& train) {
  if (!(train.lambda >= 0 && std::isfinite(train.lambda)))
    refuse_option("lambda", fmt::format("λ is {}, and must be 0 or more", train.lambda),
                  "0 leaves the regularizer out");
  if (train.lambda > 0 && train.regularizer.empty())
    refuse_option("lambda", fmt::format("λ is {}, but there is no regularizer to weigh", train.lambda),
                  "set `regularizer` in [train], or give a name or an expression as option `regularizer`");
}

void check_precision(const TrainSpec& train, const ModelSpec& spec) {
  const bool needs_double = spec.solver.is_automatic || spec.solver.options.tableau->is_implicit();
  if (train.precision == Precision::single_ && needs_double && !spec.is_algebraic())
    refuse_option("single_precision", "solvers of stiff equations compute in double precision",
                  "leave it out, or choose another `method` in [solver]");
}

void check_sizes(const TrainSpec& train) {
  if (train.epochs == 0)
    refuse_option("epochs", "it is 0, and must be 1 or more",
                  "each epoch is one pass over the training windows");
  if (train.batch == 0)
    refuse_option("batch", "it is 0, and must be 1 or more", "the batch is the number of windows per step");
}

void check_theta(const std::map<std::string, double>& theta, const RunRecord* recorded) {
  if (recorded && theta != recorded->options.theta)
    refuse_option(
        "theta", "the values contradict the run, which was started with others",
        "give the same values to resume, or start another run with another folder (option `folder`)");
}

}  // namespace

TrainerOptions resolve_options(const TrainOptions& options, const ModelSpec& spec,
                               const RunRecord* recorded) {
  TrainerOptions result;
  TrainSpec& train = result.train = spec.train;
  const RecordedOptions* before = recorded ? &recorded->options : nullptr;
  std::optional<std::string> mode;
  if (options.mode) mode = to_string(*options.mode);
  const std::string mode_before = before ? to_string(before->mode) : "";
  result.mode =
      train_mode(choose("mode", mode, before ? &mode_before : nullptr, to_string(TrainMode::adaptive)));
  const std::string recipe_before = before ? to_string(before->recipe) : "";
  std::optional<std::string> recipe;
  if (options.recipe) recipe = to_string(*options.recipe);
  const bool is_paper = choose("recipe", recipe, before ? &recipe_before : nullptr,
                               to_string(train.recipe)) == to_string(Recipe::paper);
  train.recipe = is_paper ? Recipe::paper : Recipe::automatic;
  train.is_epochs_given |= options.epochs || before;
  train.is_batch_given |= options.batch || before;
  result.seed = choose("seed", options.seed, before ? &before->seed : nullptr, std::uint64_t{0});
  train.regularizer =
      choose("regularizer", options.regularizer, before ? &before->regularizer : nullptr, train.regularizer);
  train.epochs = choose("epochs", options.epochs, before ? &before->epochs : nullptr, train.epochs);
  train.batch = choose("batch", options.batch, before ? &before->batch : nullptr, train.batch);
  const bool is_single =
      choose("single_precision", options.single_precision, before ? &before->single_precision : nullptr,
             train.precision == Precision::single_);
  train.precision = is_single ? Precision::single_ : Precision::double_;
  check_precision(train, spec);
  check_sizes(train);
  if (result.mode == TrainMode::aphynity) {
    check_constrained(options, spec, train);
    train.lambda = kNaN;
  } else {
    train.lambda = choose("lambda", options.lambda, before ? &before->lambda : nullptr, train.lambda);
    check_lambda(train);
  }
  if (result.mode == TrainMode::tailored) check_tailored(spec, train);
  if (result.mode == TrainMode::refit) result.theta = theta_from(spec, options.theta);
  check_theta(options.theta, recorded);
  return result;
}

RecordedOptions recorded_options(const TrainerOptions& options, const ModelSpec& spec) {
  const TrainSpec& train = options.train;
  RecordedOptions recorded{.mode = options.mode,
                           .recipe = train.recipe,
                           .regularizer = train.regularizer,
                           .lambda = train.lambda,
                           .epochs = train.epochs,
                           .batch = train.batch,
                           .draws = train.draws,
                           .rate = {train.rate_start, train.rate_end},
                           .weight_decay = train.weight_decay,
                           .clip_value = train.clip_value,
                           .clip_norm = train.clip_norm,
                           .validate_every = train.validate_every,
                           .patience = train.patience,
                           .keep_best = train.keep_best,
                           .single_precision = train.precision == Precision::single_,
                           .seed = options.seed,
                           .theta = theta_by_name(spec, options.theta),
                           .aphynity = {}};
  if (options.mode == TrainMode::tailored)
    recorded.tailored = {train.tailored.steps, train.tailored.rate, train.tailored.second_order};
  if (options.mode == TrainMode::aphynity)
    recorded.aphynity = {train.aphynity.lambda0, train.aphynity.tau, train.aphynity.every};
  return recorded;
}

}  // namespace greybox
