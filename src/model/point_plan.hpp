// What an evaluator computes at a point: stages of a model, one per quantity. Shared by copies of an
// evaluator.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "greybox/evaluator.hpp"
#include "model/loaded_model.hpp"

namespace greybox {

// Differs from ExecutionPlan in what it leaves out: terms of regularizers, and initial values where there is
// no window. Each quantity has a stage of its own with the networks that it needs and no others.
class PointPlan {
 public:
  using Quantity = Evaluator::Quantity;
  static constexpr std::size_t kQuantities = 4;

  // Throws InputError where there is no such window, or one is needed and none is given;
  // std::invalid_argument for a wrong number of weights.
  PointPlan(const LoadedModel& loaded, std::span<const double> weights, std::optional<std::size_t> window);
  PointPlan(const PointPlan&) = delete;
  PointPlan& operator=(const PointPlan&) = delete;

  const BoundModel& model() const { return model_; }
  const std::vector<double>& weights() const { return weights_; }
  // Null without a window; and how many snapshots that has.
  const WindowData* data() const { return window_ ? &data_->windows() : nullptr; }
  std::size_t window() const { return *window_; }
  std::size_t n_times() const { return window_ ? data()->windows[*window_].n_rows : 1; }

  // Roots: initial values, with a window and unless the model is algebraic; then what the quantities read.
  const Stage& sample() const { return *sample_; }
  // Roots: the quantity's components.
  const Stage& quantity(Quantity of) const { return *quantities_[index(of)]; }
  const std::vector<Evaluator::Variable>& components(Quantity of) const { return components_[index(of)]; }
  std::size_t size(Quantity of) const { return sizes_[index(of)]; }
  bool reads_inputs(Quantity of) const { return reads_inputs_[index(of)]; }

  const std::vector<Evaluator::Variable>& states() const { return states_; }
  std::size_t n_states() const { return n_states_; }
  // Which variable of a point the leaf is, if any.
  std::optional<std::size_t> state_of(const LeafRef& leaf) const;
  // The data column behind a variable of an algebraic model's point.
  std::size_t column_of(std::size_t state) const { return columns_[state]; }
  const std::vector<std::string>& parameters() const { return parameters_; }
  const std::vector<std::string>& inputs() const { return inputs_; }
  // Numbers of one input; and of all.
  std::size_t input_points(std::size_t input) const {
    return model_.points(model_.columns[model_.input_columns[input]].shape);
  }
  std::size_t n_inputs() const;
  bool has_fields() const;

  static constexpr std::size_t index(Quantity of) { return static_cast<std::size_t>(of); }

 private:
  void add_quantity(Quantity of, const std::vector<NodeId>& roots);
  void name_components(Quantity of, const std::vector<NodeId>& roots);
  void add_sample();
  void add_states();
  void check_window() const;
  Evaluator::Variable variable(const std::string& name, Shape shape) const;

  BoundModel model_;
  std::vector<double> weights_;
  std::shared_ptr<const PreparedData> data_;
  std::optional<std::size_t> window_;
  std::optional<Stage> sample_;
  std::array<std::optional<Stage>, kQuantities> quantities_;
  std::array<std::size_t, kQuantities> sizes_{};
  std::array<bool, kQuantities> reads_inputs_{};
  std::vector<std::size_t> columns_;
  std::array<std::vector<Evaluator::Variable>, kQuantities> components_;
  std::vector<Evaluator::Variable> states_;
  std::size_t n_states_ = 0;
  std::vector<std::string> parameters_, inputs_;
};

}  // namespace greybox
