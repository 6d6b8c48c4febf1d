#include "train/counters_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace greybox {
namespace {

bool is_whole(double value, double low, double high) {
  return value >= low && value <= high && value == std::floor(value);
}

// One counter or sum, and what it must be.
struct CounterRule {
  const char* name;
  double value;
  bool holds;
  std::string wanted;
};

CounterRule whole(const char* name, double value, double low, double high) {
  const std::string wanted =
      low == high ? fmt::format("{} here", low) : fmt::format("a whole number from {} to {}", low, high);
  return {name, value, is_whole(value, low, high), wanted};
}

CounterRule finite(const char* name, double value, bool may_be_anything) {
  return {name, value, may_be_anything || std::isfinite(value), "finite"};
}

}  // namespace

std::string mistake_of(const Counters& counters, const CounterLimits& limits) {
  const double n_epochs =
      static_cast<double>(limits.n_epochs) * std::exp2(std::clamp(counters.n_doublings, 0.0, 10.0));
  const auto n_steps = static_cast<double>(limits.n_steps);
  const double last_step = counters.epoch < n_epochs ? n_steps - 1 : 0;
  const double fewest_samples = counters.step > 0 ? 1 : 0;
  const double most_samples = counters.step > 0 ? static_cast<double>(limits.n_samples) : 0;
  const double n_updates = counters.epoch * n_steps + counters.step;
  const bool is_first = counters.epoch == 0;
  const double multiplier = counters.multiplier;
  const bool multiplier_holds =
      limits.has_multiplier ? std::isfinite(multiplier) && multiplier >= 0 : std::isnan(multiplier);
  const CounterRule rules[] = {
      whole("n_doublings", counters.n_doublings, 0, static_cast<double>(limits.n_doublings)),
      whole("epoch", counters.epoch, 0, n_epochs),
      whole("step", counters.step, 0, last_step),
      whole("n_updates", counters.n_updates, n_updates, n_updates),
      whole("n_samples", counters.n_samples, fewest_samples, most_samples),
      finite("loss_sum", counters.loss_sum, !limits.has_loss),
      finite("regularizer_sum", counters.regularizer_sum, !limits.has_regularizer),
      finite("last_loss", counters.last_loss, !limits.has_loss || is_first),
      finite("last_regularizer", counters.last_regularizer, !limits.has_regularizer || is_first),
      {"best_validation", counters.best_validation, counters.best_validation > -kInfinity, "a number"},
      whole("n_without_improvement", counters.n_without_improvement, 0, counters.epoch),
      whole("n_redrawn", counters.n_redrawn, 0, counters.n_updates),
      {"seconds", counters.seconds, counters.seconds >= 0 && std::isfinite(counters.seconds),
       "finite and not negative"},
      {"peak_rate", counters.peak_rate,
       limits.has_recipe ? counters.peak_rate > 0 && std::isfinite(counters.peak_rate)
                         : std::isnan(counters.peak_rate),
       limits.has_recipe ? "finite and positive" : "nan here"},
      {"falls_from", counters.falls_from,
       std::isnan(counters.falls_from) ||
           (limits.has_recipe && is_whole(counters.falls_from, 0, counters.epoch)),
       "nan, or a whole number of epochs that are done"},
      whole("n_looks", counters.n_looks, 0, limits.has_recipe ? counters.epoch : 0),
      whole("n_calm", counters.n_calm, 0, counters.n_looks),
      whole("has_settled", counters.has_settled, 0, 1),
      whole("moments_from", counters.moments_from, 0, limits.has_recipe ? counters.n_updates : 0),
      {"multiplier", multiplier, multiplier_holds,
       limits.has_multiplier ? "finite and not negative" : "nan in this mode"},
  };
  for (const CounterRule& rule : rules)
    if (!rule.holds) return fmt::format("`{}` is {}, and must be {}", rule.name, rule.value, rule.wanted);
  return {};
}

}  // namespace greybox
