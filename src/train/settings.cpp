#include "train/settings.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>

#include "greybox/error.hpp"

namespace greybox {
namespace {

constexpr std::array<const char*, 5> kModes = {"adaptive", "inductive", "transductive", "refit", "aphynity"};

[[noreturn]] void refuse_setting(const std::string& message, const std::string& help) {
  throw InputError(Diagnostic{.message = message, .help = help});
}

// The value of one option: as set, as recorded, or as in the model file.
template <class T>
T choose(const char* name, const std::optional<T>& set, const Json* recorded, const T& fallback) {
  if (!recorded) return set.value_or(fallback);
  T before = recorded->at("options").at(name).get<T>();
  if (set && *set != before)
    refuse_setting(fmt::format("--{} {} contradicts the run, which was started with {}", name, *set, before),
                   "leave the option out to resume, or start another run with -o");
  return before;
}

// λ of the other modes has no meaning where the loss is weighed against the regularizer, and by steps.
void check_constrained(const TrainOptions& options, const TrainSpec& train) {
  if (options.lambda)
    refuse_setting("--lambda has no meaning in mode aphynity, which finds the weight of the loss on its way",
                   "set `aphynity = { lambda0 = …, tau = … }` in [train] instead");
  if (train.regularizer.empty())
    refuse_setting("mode aphynity minimises a regularizer, and there is none",
                   "set `regularizer` in [train] or give --regularizer NAME_OR_EXPRESSION");
}

void check_lambda(const TrainSpec& train) {
  if (!(train.lambda >= 0 && std::isfinite(train.lambda)))
    refuse_setting(fmt::format("--lambda is {}, and must be 0 or more", train.lambda),
                   "0 leaves the regularizer out");
  if (train.lambda > 0 && train.regularizer.empty())
    refuse_setting(fmt::format("lambda is {}, but there is no regularizer to weigh", train.lambda),
                   "set `regularizer` in [train] or give --regularizer NAME_OR_EXPRESSION");
}

void check_sizes(const TrainSpec& train) {
  if (train.epochs == 0)
    refuse_setting("--epochs is 0, and must be 1 or more",
                   "each epoch is one pass over the training windows");
  if (train.batch == 0)
    refuse_setting("--batch is 0, and must be 1 or more", "the batch is the number of windows per step");
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
  refuse_setting(fmt::format("there is no mode `{}`", name),
                 "the modes are adaptive, inductive, transductive and aphynity");
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
  train.epochs = choose("epochs", options.epochs, recorded, train.epochs);
  train.batch = choose("batch", options.batch, recorded, train.batch);
  const bool is_single = choose("precision", precision, recorded, own_precision) == precision_name(true);
  train.precision = is_single ? Precision::single_ : Precision::double_;
  check_sizes(train);
  if (result.mode == TrainMode::aphynity) {
    check_constrained(options, train);
    train.lambda = std::numeric_limits<double>::quiet_NaN();
  } else {
    train.lambda = choose("lambda", options.lambda, recorded, train.lambda);
    check_lambda(train);
  }
  if (recorded && theta_json(spec, theta) != recorded->at("options").at("theta"))
    refuse_setting("the values of --theta contradict the run, which was started with others",
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
  Json json{{"mode", to_string(options.mode)},
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
  if (options.mode == TrainMode::aphynity)
    json["aphynity"] = {
        {"lambda0", train.aphynity.lambda0}, {"tau", train.aphynity.tau}, {"every", train.aphynity.every}};
  return json;
}

}  // namespace greybox
