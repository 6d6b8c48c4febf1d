#include "analysis/structure/absorption.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <set>

#include "analysis/structure/point_values.hpp"
#include "analysis/structure/sensitivity.hpp"
#include "analysis/structure/smooth_fit.hpp"
#include "analysis/structure/tied.hpp"
#include "model/reachable.hpp"

namespace greybox {
namespace {

constexpr std::size_t kMostRegressionPoints = 300;
constexpr double kAbsorbed =
    0.02;  // of the variance is left: the fit of 300 points, not the network, is the limit
constexpr double kKept = 0.2;
// Of a parameter in a direction: what a regression leaves is not exact.
constexpr double kMoved = 0.02;
constexpr double kNoChange = 1e-10;

// Networks whose outputs a node depends on, also by way of others' inputs.
std::set<std::size_t> networks_behind(const BoundModel& model, NodeId node) {
  std::set<std::size_t> found;
  std::vector<NodeId> roots = {node};
  while (!roots.empty()) {
    std::vector<NodeId> next;
    const auto is_network = [&](NodeId id) {
      const Node& visited = model.graph[id];
      if (visited.operation != Operation::leaf) return;
      const LeafRef& leaf = model.leaves[visited.leaf_id];
      if (leaf.kind != LeafKind::network_output || !found.insert(leaf.index).second) return;
      next.insert(next.end(), model.networks[leaf.index].inputs.begin(),
                  model.networks[leaf.index].inputs.end());
    };
    visit_dependencies(
        model.graph, roots, [](NodeId) { return false; }, is_network);
    roots = std::move(next);
  }
  return found;
}

std::vector<NodeId> inputs_of(const BoundModel& model, const std::set<std::size_t>& networks) {
  std::vector<NodeId> inputs;
  for (const std::size_t network : networks)
    inputs.insert(inputs.end(), model.networks[network].inputs.begin(), model.networks[network].inputs.end());
  return inputs;
}

bool is_seen(const BoundModel& model, std::size_t state) {
  if (model.is_algebraic()) return true;
  const auto is_it = [&](const LeafRef& leaf) { return leaf.kind == LeafKind::state && leaf.index == state; };
  return std::ranges::any_of(
      model.observed, [&](const Observed& observed) { return reaches_leaf(model, observed.value, is_it); });
}

// Whether the data have the values of all that a component of the theory reads: of a state that is not
// observed only the first value is known.
bool is_known(const BoundModel& model, std::size_t state) {
  if (!is_seen(model, state)) return false;
  const auto is_unseen = [&](const LeafRef& leaf) {
    return leaf.kind == LeafKind::state && !model.is_algebraic() && !is_seen(model, leaf.index);
  };
  return !reaches_leaf(model, model.states[state].theory, is_unseen);
}

// Whether a parameter acts on states that are not observed, or together with such states.
bool acts_unseen(const BoundModel& model, std::size_t parameter) {
  const auto is_it = [&](const LeafRef& leaf) {
    return leaf.kind == LeafKind::parameter && leaf.index == parameter;
  };
  for (std::size_t state = 0; state < model.states.size(); ++state)
    if (!is_known(model, state) && reaches_leaf(model, model.states[state].theory, is_it)) return true;
  return false;
}

// ∂f_T/∂θ of one component: points × parameters, parameters in units of their ranges.
Eigen::MatrixXd theory_changes(const LoadedModel& loaded, const ThetaBox& box,
                               const std::vector<DataPoint>& points, std::size_t state,
                               const std::vector<double>& theta) {
  const std::vector<NodeId> node = {loaded.model->states[state].theory};
  Eigen::MatrixXd changes(static_cast<Eigen::Index>(points.size()), static_cast<Eigen::Index>(theta.size()));
  for (std::size_t p = 0; p < theta.size(); ++p) {
    std::vector<double> above = theta, below = theta;
    above[p] += difference_step(box, p);
    below[p] -= difference_step(box, p);
    changes.col(static_cast<Eigen::Index>(p)) =
        (values_at(loaded, points, node, above) - values_at(loaded, points, node, below)) /
        (2 * difference_step(box, p)) * range_of(box, p);
  }
  return changes;
}

Eigen::MatrixXd projection_onto(const Eigen::MatrixXd& directions) {
  const Eigen::Index n = directions.rows();
  if (directions.cols() == 0) return Eigen::MatrixXd::Zero(n, n);
  Eigen::JacobiSVD<Eigen::MatrixXd> svd(directions, Eigen::ComputeThinU);
  const Eigen::MatrixXd basis = svd.matrixU().leftCols(svd.setThreshold(kMoved).rank());
  return basis * basis.transpose();
}

// Squares of what θ does to the theory, and of what is left of it once the network has adapted.
struct Changes {
  Eigen::MatrixXd all, left;
};

void add_component(const LoadedModel& loaded, const Eigen::MatrixXd& change, std::size_t state,
                   const std::vector<DataPoint>& points, const std::vector<double>& theta, Changes& changes) {
  const BoundModel& model = *loaded.model;
  const double scale = change.squaredNorm();
  if (!(scale > 0)) return;
  const std::set<std::size_t> networks = networks_behind(model, model.states[state].network);
  const Eigen::MatrixXd left =
      networks.empty() ? change
                       : unexplained(values_at(loaded, points, inputs_of(model, networks), theta), change);
  changes.all += change.transpose() * change / scale;
  changes.left += left.transpose() * left / scale;
}

Changes changes_at(const LoadedModel& loaded, const ThetaBox& box, const std::vector<DataPoint>& points,
                   const std::vector<double>& theta) {
  const auto n = static_cast<Eigen::Index>(theta.size());
  Changes changes{Eigen::MatrixXd::Zero(n, n), Eigen::MatrixXd::Zero(n, n)};
  for (std::size_t state = 0; state < loaded.model->states.size(); ++state) {
    if (!is_known(*loaded.model, state)) continue;
    const Eigen::MatrixXd change = theory_changes(loaded, box, points, state, theta);
    if (change.allFinite()) add_component(loaded, change, state, points, theta, changes);
  }
  return changes;
}

// Directions in parameter space, as projections: those that the network can undo or that change nothing, and
// those of which it undoes a part.
struct Undone {
  Eigen::MatrixXd wholly, partly;
};

Undone undone_by_network(const Changes& changes) {
  const Eigen::Index n = changes.all.rows();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> all(changes.all);
  const double limit = kNoChange * all.eigenvalues().maxCoeff();
  Eigen::MatrixXd whiten = Eigen::MatrixXd::Zero(n, n), wholly(n, n), partly(n, n);
  Eigen::Index n_wholly = 0, n_partly = 0;
  for (Eigen::Index k = 0; k < n; ++k)
    if (all.eigenvalues()(k) > limit)
      whiten.col(k) = all.eigenvectors().col(k) / std::sqrt(all.eigenvalues()(k));
    else
      wholly.col(n_wholly++) = all.eigenvectors().col(k);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> left(whiten.transpose() * changes.left * whiten);
  for (Eigen::Index k = 0; k < n; ++k) {
    const Eigen::VectorXd direction = whiten * left.eigenvectors().col(k);
    if (!(direction.squaredNorm() > 0) || left.eigenvalues()(k) >= kKept) continue;
    if (left.eigenvalues()(k) <= kAbsorbed)
      wholly.col(n_wholly++) = direction.normalized();
    else
      partly.col(n_partly++) = direction.normalized();
  }
  return {projection_onto(wholly.leftCols(n_wholly)), projection_onto(partly.leftCols(n_partly))};
}

// Groups with an undecided member are undecided; of the others nothing, combinations or all is left.
void classify(const std::vector<LostDirections>& lost, const ThetaBox& box, const ModelSpec& spec,
              const std::vector<bool>& is_undecided, NetworkStructure& result) {
  std::set<std::string> undecided, moved;
  for (std::size_t p = 0; p < box.size(); ++p)
    if (is_undecided[p]) undecided.insert(spec.parameters[p].name);
  for (const TiedParameters& tied : tied_parameters(lost, box, spec, kMoved)) {
    moved.insert(tied.parameters.begin(), tied.parameters.end());
    if (std::ranges::any_of(tied.parameters,
                            [&](const std::string& name) { return undecided.contains(name); }))
      undecided.insert(tied.parameters.begin(), tied.parameters.end());
    else if (tied.n_determined == 0)
      result.absorbed.insert(result.absorbed.end(), tied.parameters.begin(), tied.parameters.end());
    else
      result.tied.push_back(tied);
  }
  for (const ParameterSpec& parameter : spec.parameters)
    if (undecided.contains(parameter.name))
      result.undecided.push_back(parameter.name);
    else if (!moved.contains(parameter.name))
      result.kept.push_back(parameter.name);
}

std::string reason_against(const BoundModel& model) {
  if (model.networks.empty()) return "the model has no network";
  if (!model.spec->composition.empty()) return "[composition] is not theory + network";
  const auto is_field = [](const BoundState& state) { return state.shape == Shape::field; };
  if (model.spec->grid.is_given || std::ranges::any_of(model.states, is_field)) return "the model has fields";
  return {};
}

}  // namespace

NetworkStructure network_structure(const LoadedModel& loaded, const ThetaBox& box,
                                   const std::vector<std::size_t>& windows,
                                   const std::vector<std::vector<double>>& thetas) {
  NetworkStructure result{.not_tested = reason_against(*loaded.model)};
  if (!result.not_tested.empty()) return result;
  const std::vector<DataPoint> points = data_points(loaded, windows, kMostRegressionPoints);
  std::vector<LostDirections> lost;
  std::vector<bool> is_undecided(box.size());
  for (const std::vector<double>& theta : thetas) {
    const Changes changes = changes_at(loaded, box, points, theta);
    const Undone undone = undone_by_network(changes);
    lost.push_back({theta, undone.wholly});
    for (std::size_t p = 0; p < box.size(); ++p) {
      const auto index = static_cast<Eigen::Index>(p);
      if (!(changes.all(index, index) > 0) || acts_unseen(*loaded.model, p) ||
          undone.partly(index, index) > kMoved)
        is_undecided[p] = true;
    }
  }
  classify(lost, box, *loaded.spec, is_undecided, result);
  return result;
}

}  // namespace greybox
