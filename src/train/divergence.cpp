#include "train/divergence.hpp"

#include <fmt/format.h>

namespace greybox {
namespace {

std::string theta_text(const NonFinite& cause) {
  std::string text;
  for (const auto& [name, value] : cause.theta)
    text += fmt::format("{}{} = {:.6g}", text.empty() ? " at " : ", ", name, value);
  return text;
}

std::string where(const NonFinite& cause) {
  return fmt::format("window {}{}", cause.window, theta_text(cause));
}

std::string steps_cure(const Divergence& divergence) {
  const std::string more =
      fmt::format("raise `max_steps` ({}) or `relative_tolerance` in [solver]", divergence.solver.max_steps);
  if (divergence.solver.is_implicit) return more + ", or narrow the priors";
  return more + ", or set method = \"kvaerno5\" there, for equations too stiff for that";
}

// In [solver], where it is not an error.
std::string finer_steps(const Divergence& divergence, const std::string& step) {
  if (!divergence.solver.has_solver || divergence.solver.is_adaptive) return "";
  return fmt::format("{} in [solver], or method = \"dopri5\", which chooses its steps", step);
}

// When nobody knows what went wrong.
std::string general_cure(const Divergence& divergence) {
  std::string cure = divergence.is_of_estimator ? "try a smaller rate" : "try a smaller `rate` in [train]";
  if (divergence.is_before_first_update)
    cure =
        "nothing has been learned yet, so the rate is not to blame: look at the scales of data and network, "
        "and try";
  const std::string steps = finer_steps(divergence, "a smaller `step`");
  const char* bounds = divergence.is_of_estimator
                           ? "bounds in [estimator] within which trajectories stay finite"
                           : "tighter bounds of the parameters";
  const char* comma = divergence.is_before_first_update ? " " : ", ";
  if (steps.empty())
    return fmt::format("{}{}{}", cure, divergence.is_before_first_update ? " " : " or ", bounds);
  return fmt::format("{}{}{}, or {}", cure, comma, steps, bounds);
}

std::string runaway_cure(const Divergence& divergence) {
  const bool is_theory = divergence.site->is_theory_alone.value_or(true);
  if (divergence.is_of_estimator) return "give [estimator] bounds within which trajectories stay finite";
  if (is_theory)
    return "shorter steps do not help, and the rate is not to blame: narrow the priors, or learn from "
           "shorter "
           "windows (`length` in [data] window)";
  if (divergence.is_before_first_update)
    return "nothing has been learned yet, so the rate is not to blame: bring what the network reads and "
           "gives "
           "to about 1, or learn from shorter windows (`length` in [data] window)";
  return "try a smaller `rate` in [train], or learn from shorter windows (`length` in [data] window)";
}

std::string cure_of(const Divergence& divergence) {
  if (divergence.cause.value == NonFiniteValue::solver_steps) return steps_cure(divergence);
  if (!divergence.site) return general_cure(divergence);
  switch (divergence.site->kind) {
    case DivergenceKind::initial:
      return "look at the data of that window and at [state]";
    case DivergenceKind::domain:
      return divergence.site->remedy;
    case DivergenceKind::coarse:
      return "the steps are too long for these equations: " +
             finer_steps(divergence, fmt::format("step = {:.2g}", divergence.site->finer_step)) +
             ", or \"kvaerno5\" where they are stiff";
    case DivergenceKind::runaway:
      break;
  }
  return runaway_cure(divergence);
}

std::string cause_text(const Divergence& divergence) {
  if (!divergence.site) return to_sentence(divergence.cause);
  std::string text = fmt::format("{}: {}", where(divergence.cause), divergence.site->sentence);
  if (const auto& alone = divergence.site->is_theory_alone)
    text += *alone ? "; the theory alone diverges too" : "; the theory alone stays finite";
  return text;
}

}  // namespace

std::string to_sentence(const NonFinite& cause) {
  switch (cause.value) {
    case NonFiniteValue::state:
      return fmt::format("{}: the state became non-finite after t = {:.6g}", where(cause), cause.time);
    case NonFiniteValue::solver_steps:
      return fmt::format("{}: the solver had used up its `max_steps` at t = {:.6g}", where(cause),
                         cause.time);
    case NonFiniteValue::prediction:
      return where(cause) + ": the prediction is not finite";
    case NonFiniteValue::far_prediction:
      return fmt::format("{}: the prediction is off by more than {:.0e} times the range of the data",
                         where(cause), kFarOff);
    case NonFiniteValue::regularizer_term:
      return where(cause) + ": a term of the regularizer is not finite";
    case NonFiniteValue::regularizer:
      return fmt::format("the regularizer of this batch (its first: {}) is not finite", where(cause));
    case NonFiniteValue::gradient:
      return fmt::format("the gradient of this batch (its first: {}) is not finite", where(cause));
  }
  return where(cause);
}

std::string to_sentence_of_redrawn(const Divergence& divergence) {
  return fmt::format("{}; {}", cause_text(divergence), cure_of(divergence));
}

std::string to_sentence(const Divergence& divergence) {
  return fmt::format("{} diverged in epoch {}, step {} of {}: {}; {}",
                     divergence.is_of_estimator ? "training the estimator" : "training", divergence.epoch,
                     divergence.step, divergence.n_steps, cause_text(divergence), cure_of(divergence));
}

}  // namespace greybox
