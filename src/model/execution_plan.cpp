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

// Values that a later stage takes from the stage of a rate: all its inputs of that rate that are not there
// from the start.
void add_interface(const BoundModel& model, const Stage& stage, Rate rate, std::vector<NodeId>& roots) {
  for (NodeId input : stage.inputs()) {
    const Node& node = model.graph[input];
    const bool is_computed =
        node.operation != Operation::leaf || model.leaves[node.leaf_id].kind == LeafKind::network_output;
    if (node.rate == rate && is_computed) roots.push_back(input);
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
  if (model_->reads_solution()) add_solution_stage();
  add_sample_stage(std::move(initial));

  std::size_t in_output = model_->observed.size();
  for (const Observed& item : model_->observed) {
    const bool has_root = item.noise && item.noise->node;
    spreads_.push_back(has_root ? std::optional(output_->root(in_output++)) : std::nullopt);
  }
  std::size_t in_evaluation = 3 * model_->states.size();
  std::size_t in_sample = model_->is_algebraic() ? 0 : model_->states.size();
  std::size_t in_data = 0, in_solution = 0;
  for (const MeanTerm& term : model_->terms)
    terms_.push_back(term.over == MeanOver::evaluations ? evaluation_->root(in_evaluation++)
                     : term.over == MeanOver::data      ? data_->root(in_data++)
                     : term.over == MeanOver::solutions ? solution_->root(in_solution++)
                                                        : sample_->root(in_sample++));
  is_coupled_ = joins(estimator_) || joins(sample_) || joins(evaluation_) || joins(data_) || joins(solution_);
}

void ExecutionPlan::add_solution_stage() {
  std::vector<NodeId> roots;
  for (const MeanTerm& term : model_->terms)
    if (term.over == MeanOver::solutions) roots.push_back(term.value);
  for (const std::vector<NodeId>& vector : model_->snapshot_vectors)
    for (NodeId part : vector)
      if (model_->graph[part].rate == Rate::solution) roots.push_back(part);
  add_interface(*model_, *output_, Rate::solution, roots);
  solution_.emplace(*model_, Rate::solution, roots, networks_at(*model_, Rate::solution, false));
}

// `roots`: initial values and terms.
void ExecutionPlan::add_sample_stage(std::vector<NodeId> roots) {
  for (const std::optional<Stage>* stage : {&evaluation_, &output_, &linearized_, &data_, &solution_})
    if (*stage) add_interface(*model_, **stage, Rate::sample, roots);
  for (const std::vector<NodeId>& vector : model_->snapshot_vectors)
    for (NodeId part : vector)
      if (model_->graph[part].rate < Rate::solution) roots.push_back(part);
  for (const BoundLatent& latent : model_->latents)
    roots.insert(roots.end(), latent.value.begin(), latent.value.end());
  sample_.emplace(*model_, Rate::sample, roots, networks_at(*model_, Rate::sample, false));
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
