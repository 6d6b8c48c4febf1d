#include "train/settings.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "greybox/error.hpp"

namespace greybox {
namespace {

constexpr std::array<const char*, 4> kModes = {"adaptive", "inductive", "transductive", "refit"};

[[noreturn]] void refuse(const std::string& message, const std::string& help) {
  throw InputError(Diagnostic{.message = message, .help = help});
}

// The value of one option: as set, as recorded, or as in the model file.
template <class T>
T choose(const char* name, const std::optional<T>& set, const Json* recorded, const T& fallback) {
  if (!recorded) return set.value_or(fallback);
  T before = recorded->at("options").at(name).get<T>();
  if (set && *set != before)
    refuse(fmt::format("--{} {} contradicts the run, which was started with {}", name, *set, before),
           "leave the option out to resume, or start another run with -o");
  return before;
}

void check(const TrainSpec& train) {
  if (!(train.lambda >= 0 && std::isfinite(train.lambda)))
    refuse(fmt::format("--lambda is {}, and must be 0 or more", train.lambda),
           "0 leaves the regularizer out");
  if (train.epochs == 0)
    refuse("--epochs is 0, and must be 1 or more", "each epoch is one pass over the training windows");
  if (train.batch == 0)
    refuse("--batch is 0, and must be 1 or more", "the batch is the number of windows per step");
  if (train.lambda > 0 && train.regularizer.empty())
    refuse(fmt::format("lambda is {}, but there is no regularizer to weigh", train.lambda),
           "set `regularizer` in [train] or give --regularizer NAME_OR_EXPRESSION");
}

const char* precision_name(bool is_single) {
  return is_single ? "float" : "double";
}

}  // namespace

std::string to_string(TrainMode mode) {
  return kModes[static_cast<std::size_t>(mode)];
}

TrainMode mode_from(const std::string& name) {
  for (std::size_t i = 0; i < kModes.size(); ++i)
    if (name == kModes[i]) return static_cast<TrainMode>(i);
  refuse(fmt::format("there is no mode `{}`", name), "the modes are adaptive, inductive and transductive");
}

TrainerOptions resolve_options(const TrainOptions& options, const ModelSpec& spec, const Json* recorded,
                               const std::vector<double>& theta) {
  TrainerOptions result;
  TrainSpec& train = result.train = spec.train;
  std::optional<std::string> mode, precision;
  if (options.mode) mode = to_string(*options.mode);
  if (options.single_precision) precision = precision_name(*options.single_precision);
  const std::string own_precision = precision_name(train.precision == Precision::single_);

  result.mode = mode_from(choose("mode", mode, recorded, to_string(TrainMode::adaptive)));
  result.seed = choose("seed", options.seed, recorded, std::uint64_t{0});
  result.theta = theta;
  train.regularizer = choose("regularizer", options.regularizer, recorded, train.regularizer);
  train.lambda = choose("lambda", options.lambda, recorded, train.lambda);
  train.epochs = choose("epochs", options.epochs, recorded, train.epochs);
  train.batch = choose("batch", options.batch, recorded, train.batch);
  const bool is_single = choose("precision", precision, recorded, own_precision) == precision_name(true);
  train.precision = is_single ? Precision::single_ : Precision::double_;
  check(train);
  if (recorded && theta_json(spec, theta) != recorded->at("options").at("theta"))
    refuse("the values of --theta contradict the run, which was started with others",
           "give the same values to resume, or start another run with -o");
  return result;
}

Json theta_json(const ModelSpec& spec, const std::vector<double>& theta) {
  Json json = Json::object();
  for (std::size_t p = 0; p < theta.size(); ++p) json[spec.parameters[p].name] = theta[p];
  return json;
}

Json options_json(const TrainerOptions& options, const ModelSpec& spec) {
  const TrainSpec& train = options.train;
  // JSON has no infinity.
  const auto number = [](double value) { return std::isfinite(value) ? Json(value) : Json("inf"); };
  return {{"mode", to_string(options.mode)},
          {"regularizer", train.regularizer},
          {"lambda", train.lambda},
          {"epochs", train.epochs},
          {"batch", train.batch},
          {"draws", train.draws},
          {"rate", {train.rate_start, train.rate_end}},
          {"weight_decay", train.weight_decay},
          {"clip_value", number(train.clip_value)},
          {"clip_norm", number(train.clip_norm)},
          {"validate_every", train.validate_every},
          {"patience", train.patience},
          {"keep_best", train.keep_best},
          {"precision", precision_name(train.precision == Precision::single_)},
          {"seed", options.seed},
          {"theta", theta_json(spec, options.theta)}};
}

}  // namespace greybox
