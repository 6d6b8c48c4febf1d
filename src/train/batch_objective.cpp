#include "train/batch_objective.hpp"

#include <cmath>

#include "core/refuse.hpp"
#include "core/require.hpp"
#include "model/window_regularizer.hpp"

namespace greybox {
namespace {

// L and R over the batch as a whole.
template <class T>
class WeightedObjective final : public BatchObjective<T> {
 public:
  using Values = typename BatchObjective<T>::Values;

  WeightedObjective(std::shared_ptr<const BoundModel> model, const ObjectiveOptions& options,
                    std::size_t capacity)
      : objective_(std::move(model), options, capacity) {}

  void weigh(const ObjectiveWeights& weights) override { objective_.weigh(weights); }
  Values evaluate(const Engine<T>& engine, const ObjectiveRanges& ranges) override {
    n_samples_ = static_cast<double>(ranges.n_loss);
    return values_ = objective_.evaluate(engine, ranges);
  }
  const Cotangents<T>& cotangents(const Engine<T>& engine, const ObjectiveRanges& ranges) override {
    return objective_.cotangents(engine, ranges);
  }
  void add_to(Counters& counters) const override {
    counters.loss_sum += n_samples_ * values_.loss;
    counters.regularizer_sum += n_samples_ * values_.regularizer;
    counters.n_samples += n_samples_;
  }

 private:
  Objective<T> objective_;
  Values values_;
  double n_samples_ = 0;
};

// The mean over the batch of R of each window on its own: Adam does not mind the factor to the sum.
template <class T>
class WindowObjective final : public BatchObjective<T> {
 public:
  using Values = typename BatchObjective<T>::Values;

  WindowObjective(std::shared_ptr<const BoundModel> model, std::size_t regularizer, std::size_t capacity)
      : regularizer_(std::move(model), regularizer, capacity), losses_(capacity) {}

  Values evaluate(const Engine<T>& engine, const ObjectiveRanges&) override {
    regularizers_ = regularizer_.evaluate_with_cotangents(engine);
    Values values;
    for (std::size_t i = 0; i < regularizers_.size(); ++i) {
      losses_[i] = engine.losses()[i] / engine.loss_weights()[i];
      values.loss += losses_[i];
      values.regularizer += regularizers_[i];
    }
    values.loss /= static_cast<double>(regularizers_.size());
    values.regularizer /= static_cast<double>(regularizers_.size());
    values.total = values.regularizer;
    return values;
  }
  const Cotangents<T>& cotangents(const Engine<T>&, const ObjectiveRanges&) override {
    return regularizer_.cotangents();
  }
  void add_to(Counters& counters) const override {
    for (std::size_t i = 0; i < regularizers_.size(); ++i) {
      counters.loss_sum += losses_[i];
      counters.regularizer_sum += regularizers_[i];
      counters.n_samples += 1;
    }
  }

 private:
  WindowRegularizer<T> regularizer_;
  std::span<const double> regularizers_;
  std::vector<double> losses_;
};

}  // namespace

template <class T>
std::unique_ptr<BatchObjective<T>> make_objective(std::shared_ptr<const BoundModel> model,
                                                  const BatchObjectiveOptions& options) {
  require(options.kind == ObjectiveKind::loss_and_regularizer || options.regularizer.has_value(),
          "an objective of a regularizer alone needs one");
  if (options.regularizer && model->uses_errors)
    refuse_option("regularizer", "L, rmse and nrmse are not known to a training's regularizer",
                  "a training minimises L beside it; ask for them when it is done");
  if (options.kind == ObjectiveKind::window_regularizers)
    return std::make_unique<WindowObjective<T>>(std::move(model), *options.regularizer, options.capacity);
  const bool is_alone = options.kind == ObjectiveKind::regularizer;
  return std::make_unique<WeightedObjective<T>>(std::move(model),
                                                ObjectiveOptions{.loss_weight = is_alone ? 0.0 : 1.0,
                                                                 .lambda = is_alone ? 1 : options.lambda,
                                                                 .regularizer = options.regularizer},
                                                options.capacity);
}

template std::unique_ptr<BatchObjective<float>> make_objective(std::shared_ptr<const BoundModel>,
                                                               const BatchObjectiveOptions&);
template std::unique_ptr<BatchObjective<double>> make_objective(std::shared_ptr<const BoundModel>,
                                                                const BatchObjectiveOptions&);

}  // namespace greybox
