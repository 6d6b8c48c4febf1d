// How a bound model is executed: its stages, which every block of samples shares.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "model/samples.hpp"
#include "model/stage.hpp"

namespace greybox {

// The stages in the order in which they run. Roots of each stage are listed with it.
class ExecutionPlan {
 public:
  explicit ExecutionPlan(std::shared_ptr<const BoundModel> model);

  const BoundModel& model() const { return *model_; }
  bool is_coupled() const { return is_coupled_; }  // samples of a batch influence each other (batch norm)

  const std::optional<Stage>& estimator() const { return estimator_; }  // roots: parameters
  const Stage& sample() const { return *sample_; }
  const Stage& evaluation() const { return *evaluation_; }
  const Stage& output() const { return *output_; }  // roots: observed values, parameters of their noise
  // Only for methods with implicit stages, which differentiate it; roots: the derivatives of the states.
  const std::optional<Stage>& linearized() const { return linearized_; }

  // Only where something depends on the solution at the observed snapshots, when all of them are there.
  // Roots: terms over it, values given by snapshot, and what the output stage takes from it.
  const std::optional<Stage>& solution() const { return solution_; }

  // Only for means over the data. Roots: the measured states that they need; and the terms, over these
  // states.
  const std::optional<Stage>& measured() const { return measured_; }
  const std::optional<Stage>& data() const { return data_; }
  // Which states those are.
  const std::vector<std::size_t>& measured_states() const { return measured_states_; }

  // Registers by meaning.
  RegisterId initial(std::size_t state) const { return sample_->root(state); }
  RegisterId derivative(std::size_t state) const { return evaluation_->root(3 * state); }
  RegisterId theory(std::size_t state) const { return evaluation_->root(3 * state + 1); }
  RegisterId network(std::size_t state) const { return evaluation_->root(3 * state + 2); }
  // In the stage of what the term runs over.
  RegisterId term(std::size_t term) const;
  // In the output stage, where an equation gives the noise of an observed variable.
  std::optional<RegisterId> spread(std::size_t observed) const { return spreads_[observed]; }
  // In the sample stage.
  RegisterId latent(std::size_t latent, std::size_t component) const {
    return *sample_->find(model_->latents[latent].value[component]);
  }

 private:
  void add_data_stages();
  void add_solution_stage();
  void add_sample_stage(std::vector<NodeId> roots);

  std::shared_ptr<const BoundModel> model_;
  std::optional<Stage> estimator_, sample_, evaluation_, output_, linearized_, measured_, data_, solution_;
  std::vector<std::size_t> measured_states_;
  std::vector<RegisterId> terms_;
  std::vector<std::optional<RegisterId>> spreads_;
  bool is_coupled_ = false;
};

// Where samples bring no θ of their own.
template <class T>
bool leaves_theta_to_estimator(const ExecutionPlan& plan, const Samples<T>& samples) {
  return samples.theta.empty() && plan.estimator().has_value();
}

}  // namespace greybox
