#include "training.hpp"

#include <algorithm>
#include <stdexcept>

#include "greybox/model.hpp"
#include "model/weights.hpp"
#include "work_count.hpp"

namespace greybox::bench {
namespace {

ObjectiveOptions objective_options(const BoundModel& model, double lambda) {
  const TrainSpec& train = model.spec->train;
  ObjectiveOptions options;
  options.lambda = lambda >= 0 ? lambda : train.lambda;
  if (const BoundRegularizer* found = model.find_regularizer(train.regularizer))
    options.regularizer = static_cast<std::size_t>(found - model.regularizers.data());
  return options;
}

LoadedModel load(const TrainingOptions& options) {
  const Model model = Model::read(options.model);
  return assemble(model.spec(), model.read_table(options.data).data());
}

}  // namespace

Training::Training(const TrainingOptions& options)
    : options_(options),
      loaded_(load(options)),
      pool_(options.n_threads, options.others),
      windows_(loaded_.data->all()),
      objective_(objective_options(*loaded_.model, options.lambda)) {}

std::vector<float> Training::weights(const std::vector<ModelTensor>& tensors) const {
  const std::vector<double> values =
      options_.weights.empty() ? initial_weights(tensors, 0) : read_weights(options_.weights, tensors);
  return {values.begin(), values.end()};
}

std::vector<double> Training::theta() const {
  if (!options_.theta.empty()) return options_.theta;
  std::vector<double> middle;
  for (const ParameterSpec& parameter : loaded_.spec->parameters)
    middle.push_back((parameter.low + parameter.high) / 2);
  return middle;
}

Training::Check Training::check() {
  Engine<float> engine(loaded_.plan, loaded_.data->windows(), pool_, {.capacity = n_samples()});
  engine.set_weights(weights(engine.networks().tensors()));
  const std::vector<double> one = theta();
  std::vector<float> all;
  for (std::size_t i = 0; i < n_samples(); ++i) all.insert(all.end(), one.begin(), one.end());
  engine.forward({&loaded_.data->windows(), windows_, all});
  Objective<float> objective(loaded_.model, objective_, n_samples());
  const auto values = objective.evaluate(engine, ranges());
  return {one, values.loss, values.regularizer, 3 * forward_flops(engine)};
}

void Training::start() {
  LearnerParts<float> parts{
      .theta_source = make_theta_source<float>(ThetaOrigin::drawn, loaded_.spec->parameters, 0, {}),
      .objective = make_objective<float>(
          loaded_.model,
          {.lambda = objective_.lambda, .regularizer = objective_.regularizer, .capacity = n_samples()}),
      .update_rule = std::make_shared<AdamW<float>>(AdamOptions{.clip_value = 1, .clip_norm = 10})};
  learner_ = std::make_unique<Learner<float>>(loaded_, std::move(parts), pool_,
                                              LearnerOptions{.capacity = n_samples()});
  state_ = std::make_unique<TrainState<float>>(learner_->make_state());
  std::ranges::copy(weights(learner_->tensors()), state_->parameters.data());
}

void Training::step() {
  constexpr double kRate = 1e-3;
  const Batch batch{windows_, ranges()};
  if (!learner_->step(*state_, batch, kRate))
    throw std::runtime_error("diverged: " + to_sentence(learner_->non_finite(batch)));
}

}  // namespace greybox::bench
