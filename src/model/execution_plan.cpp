#include "model/execution_plan.hpp"

#include <algorithm>

#include "model/reachable.hpp"

namespace greybox {
namespace {

std::vector<std::size_t> networks_at(const BoundModel& model, Rate rate, bool is_estimator) {
  std::vector<std::size_t> found;
  for (std::size_t n = 0; n < model.networks.size(); ++n)
    if (model.networks[n].rate == rate && model.networks[n].is_estimator == is_estimator) found.push_back(n);
  return found;
}

// Values that a later stage takes from the sample stage: all its inputs of that rate that are not there from
// the start.
void add_interface(const BoundModel& model, const Stage& stage, std::vector<NodeId>& roots) {
  for (NodeId input : stage.inputs()) {
    const Node& node = model.graph[input];
    const bool is_computed =
        node.operation != Operation::leaf || model.leaves[node.leaf_id].kind == LeafKind::network_output;
    if (node.rate == Rate::sample && is_computed) roots.push_back(input);
  }
}

bool joins(const std::optional<Stage>& stage) {
  return stage && std::any_of(stage->actions().begin(), stage->actions().end(),
                              [](const Action& a) { return a.joins; });
}

}  // namespace

ExecutionPlan::ExecutionPlan(std::shared_ptr<const BoundModel> model) : model_(std::move(model)) {
  std::vector<NodeId> initial, dynamics, observed, derivatives;
  for (const BoundState& state : model_->states) {
    if (!model_->is_algebraic()) initial.push_back(state.initial);
    derivatives.push_back(state.derivative);
    for (NodeId part : {state.derivative, state.theory, state.network}) dynamics.push_back(part);
  }
  for (const Observed& item : model_->observed) observed.push_back(item.value);
  for (const Observed& item : model_->observed)
    if (item.noise && item.noise->node) observed.push_back(*item.noise->node);
  for (const MeanTerm& term : model_->terms) {
    if (term.over == MeanOver::evaluations) dynamics.push_back(term.value);
    if (term.over == MeanOver::samples) initial.push_back(term.value);
  }

  if (!model_->estimator.empty())
    estimator_.emplace(*model_, Rate::sample, model_->estimator, networks_at(*model_, Rate::sample, true));
  evaluation_.emplace(*model_, Rate::evaluation, dynamics, networks_at(*model_, Rate::evaluation, false));
  output_.emplace(*model_, Rate::evaluation, observed, std::vector<std::size_t>{});
  if (!model_->is_algebraic() && model_->spec->solver.options.tableau->is_implicit())
    linearized_.emplace(*model_, Rate::evaluation, derivatives,
                        networks_at(*model_, Rate::evaluation, false));
  if (model_->has_data_terms()) add_data_stages();
  std::vector<NodeId> sample_roots = initial;
  add_interface(*model_, *evaluation_, sample_roots);
  add_interface(*model_, *output_, sample_roots);
  if (linearized_) add_interface(*model_, *linearized_, sample_roots);
  if (data_) add_interface(*model_, *data_, sample_roots);
  sample_.emplace(*model_, Rate::sample, sample_roots, networks_at(*model_, Rate::sample, false));

  std::size_t in_output = model_->observed.size();
  for (const Observed& item : model_->observed) {
    const bool has_root = item.noise && item.noise->node;
    spreads_.push_back(has_root ? std::optional(output_->root(in_output++)) : std::nullopt);
  }
  std::size_t in_evaluation = 3 * model_->states.size();
  std::size_t in_sample = model_->is_algebraic() ? 0 : model_->states.size();
  std::size_t in_data = 0;
  for (const MeanTerm& term : model_->terms)
    terms_.push_back(term.over == MeanOver::evaluations ? evaluation_->root(in_evaluation++)
                     : term.over == MeanOver::data      ? data_->root(in_data++)
                                                        : sample_->root(in_sample++));
  is_coupled_ = joins(estimator_) || joins(sample_) || joins(evaluation_) || joins(data_);
}

void ExecutionPlan::add_data_stages() {
  std::vector<NodeId> terms, measured;
  for (const MeanTerm& term : model_->terms)
    if (term.over == MeanOver::data) terms.push_back(term.value);
  data_.emplace(*model_, Rate::evaluation, terms, networks_behind(*model_, terms, Rate::evaluation));
  for (const StateInput& input : data_->states()) {
    measured_states_.push_back(input.state);
    measured.push_back(*model_->states[input.state].measured);
  }
  measured_.emplace(*model_, Rate::sample, measured, std::vector<std::size_t>{});
}

RegisterId ExecutionPlan::term(std::size_t term) const {
  return terms_[term];
}

}  // namespace greybox
