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

constexpr const char* kModelHint =
    "try a smaller `rate` in [train], a smaller `step` in [solver], or tighter bounds of the parameters";
constexpr const char* kEstimatorHint =
    "try a smaller rate, a smaller `step` in [solver], or bounds in [estimator] within which trajectories "
    "stay "
    "finite";

}  // namespace

std::string to_sentence(const NonFinite& cause) {
  const std::string where = fmt::format("window {}{}", cause.window, theta_text(cause));
  switch (cause.value) {
    case NonFiniteValue::state:
      return fmt::format("{}: the state became non-finite after t = {:.6g}", where, cause.time);
    case NonFiniteValue::solver_steps:
      return fmt::format("{}: the solver needed too many steps after t = {:.6g}", where, cause.time);
    case NonFiniteValue::prediction:
      return where + ": the prediction is not finite";
    case NonFiniteValue::regularizer_term:
      return where + ": a term of the regularizer is not finite";
    case NonFiniteValue::regularizer:
      return fmt::format("the regularizer of this batch (its first: {}) is not finite", where);
    case NonFiniteValue::gradient:
      return fmt::format("the gradient of this batch (its first: {}) is not finite", where);
  }
  return where;
}

std::string to_sentence(const Divergence& divergence) {
  return fmt::format("{} diverged in epoch {}, step {} of {}: {}; {}",
                     divergence.is_of_estimator ? "training the estimator" : "training", divergence.epoch,
                     divergence.step, divergence.n_steps, to_sentence(divergence.cause),
                     divergence.is_of_estimator ? kEstimatorHint : kModelHint);
}

}  // namespace greybox
