#include "analysis/matching/projection.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

#include "analysis/matching/matched_model.hpp"
#include "analysis/theta/resampling.hpp"
#include "analysis/theta/theta_box.hpp"
#include "core/random.hpp"
#include "data/independent_windows.hpp"
#include "model/reachable.hpp"

namespace greybox {
namespace {

constexpr std::size_t kFolds = 8, kMostFeatures = 120, kPointsPerFeature = 4;
constexpr double kFrequency = 1.5;
constexpr std::array kRidges = {1e-8, 1e-6, 1e-4, 1e-2, 1.0};

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::VectorXd;

// Leaves that change along a trajectory or from window to window, without parameters and networks.
std::set<NodeId> varying_leaves(const BoundModel& model, const std::vector<NodeId>& roots) {
  std::set<NodeId> leaves;
  visit_dependencies(
      model.graph, roots, [](NodeId) { return false; },
      [&](NodeId id) {
        if (model.graph[id].operation != Operation::leaf) return;
        const LeafKind kind = model.leaves[model.graph[id].leaf_id].kind;
        if (kind != LeafKind::parameter && kind != LeafKind::network_output) leaves.insert(id);
      });
  return leaves;
}

bool depends_on(const BoundModel& model, NodeId root, const std::vector<NodeId>& outputs) {
  bool found = false;
  visit_dependencies(
      model.graph, {root}, [](NodeId) { return false; },
      [&](NodeId id) { found = found || std::find(outputs.begin(), outputs.end(), id) != outputs.end(); });
  return found;
}

bool sees_everything(const BoundModel& model, const BoundNetwork& network) {
  std::vector<NodeId> fed;
  for (const BoundState& state : model.states)
    if (depends_on(model, state.derivative, network.outputs)) fed.push_back(state.derivative);
  const std::set<NodeId> needed = varying_leaves(model, fed), seen = varying_leaves(model, network.inputs);
  return std::includes(seen.begin(), seen.end(), needed.begin(), needed.end());
}

// Columns in units in which `units` have mean 0 and variance 1; those that do not vary there are left out.
std::vector<Vector> standardised(const std::vector<std::vector<double>>& inputs,
                                 const std::vector<std::vector<double>>& units) {
  const auto column_of = [](const std::vector<double>& input) {
    return Eigen::Map<const Vector>(input.data(), static_cast<Eigen::Index>(input.size()));
  };
  std::vector<Vector> columns;
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    Vector unit = column_of(units[k]);
    const double size = unit.cwiseAbs().maxCoeff(), mean = unit.mean();
    unit.array() -= mean;
    const double sd = std::sqrt(unit.squaredNorm() / static_cast<double>(unit.size()));
    if (sd > 1e-9 * size) columns.emplace_back((column_of(inputs[k]).array() - mean) / sd);
  }
  return columns;
}

// A constant, the inputs themselves, and ridge functions tanh(w·x + b) with random w and b.
Matrix features_of(const std::vector<Vector>& inputs, std::size_t n_points) {
  const Random random(0, Purpose::analysis);
  const std::size_t n_random = inputs.empty() ? 0 : std::min(kMostFeatures, n_points / kPointsPerFeature);
  const auto rows = static_cast<Eigen::Index>(n_points);
  Matrix features(rows, static_cast<Eigen::Index>(1 + inputs.size() + n_random));
  features.col(0).setOnes();
  for (std::size_t k = 0; k < inputs.size(); ++k) features.col(static_cast<Eigen::Index>(1 + k)) = inputs[k];
  for (std::size_t f = 0; f < n_random; ++f) {
    Vector sum = Vector::Constant(rows, kFrequency * random.normal(f, inputs.size()));
    for (std::size_t k = 0; k < inputs.size(); ++k)
      sum += kFrequency / std::sqrt(static_cast<double>(inputs.size())) * random.normal(f, k) * inputs[k];
    features.col(static_cast<Eigen::Index>(1 + inputs.size() + f)) = sum.array().tanh().matrix();
  }
  return features;
}

// Those of a network that is called twice are of both calls together, as its outputs are.
Matrix features_of(const NetworkInputs& inputs, std::size_t n_points) {
  Matrix features = features_of(standardised(inputs.values, inputs.values), n_points);
  if (!inputs.twin.empty())
    features += inputs.twin_sign * features_of(standardised(inputs.twin, inputs.values), n_points);
  return features;
}

std::vector<std::size_t> folds_of(const MatchingPoints& points, const std::vector<std::size_t>& units) {
  std::vector<std::size_t> folds;
  for (std::size_t w = 0; w < points.n_windows(); ++w)
    folds.insert(folds.end(), points.first[w + 1] - points.first[w], units[w] % kFolds);
  return folds;
}

// Predictions of every fold from the others, as a map of the values at all points.
Matrix out_of_fold(const Matrix& features, const std::vector<std::size_t>& folds, const Vector& counts,
                   double ridge) {
  const Eigen::Index n = features.rows();
  Matrix map = Matrix::Zero(n, n);
  for (std::size_t fold = 0; fold < kFolds; ++fold) {
    Matrix inside = features;
    for (Eigen::Index i = 0; i < n; ++i)
      if (folds[static_cast<std::size_t>(i)] == fold) inside.row(i).setZero();
    const Eigen::MatrixXd weighted = inside.transpose() * counts.asDiagonal();
    Eigen::MatrixXd gram = weighted * inside;
    gram.diagonal().array() += ridge * static_cast<double>(n);
    const Eigen::MatrixXd solved = Eigen::LLT<Eigen::MatrixXd>(gram).solve(weighted);
    for (Eigen::Index i = 0; i < n; ++i)
      if (folds[static_cast<std::size_t>(i)] == fold) map.row(i) = features.row(i) * solved;
  }
  return map;
}

double error_of(const Matrix& map, const std::vector<std::vector<double>>& targets, const Vector& counts) {
  double error = 0;
  for (const std::vector<double>& target : targets) {
    const Vector values = Eigen::Map<const Vector>(target.data(), static_cast<Eigen::Index>(target.size()));
    const double mean = counts.dot(values) / counts.sum();
    const double variance = counts.dot((values.array() - mean).square().matrix());
    if (variance > 0) error += counts.dot((values - map * values).cwiseAbs2()) / variance;
  }
  return error;
}

}  // namespace

Projection::Projection(const MatchingPoints& points, const NetworkInputs& inputs,
                       const std::vector<std::size_t>& units,
                       const std::vector<std::vector<std::vector<double>>>& targets,
                       const std::vector<double>& leverage)
    : n_points_(points.size()) {
  const Matrix features = features_of(inputs, n_points_);
  Vector counts = Eigen::Map<const Vector>(leverage.data(), static_cast<Eigen::Index>(n_points_));
  counts /= counts.mean();
  const std::vector<std::size_t> folds = folds_of(points, units);
  double least = std::numeric_limits<double>::infinity();
  for (double ridge : kRidges) {
    const Matrix map = out_of_fold(features, folds, counts, ridge);
    double error = std::numeric_limits<double>::infinity();
    for (const std::vector<std::vector<double>>& of_theta : targets)
      error = std::fmin(error, error_of(map, of_theta, counts));
    if (!(error < least)) continue;
    least = error;
    map_.assign(map.data(), map.data() + map.size());
  }
  if (map_.empty()) map_.resize(n_points_ * n_points_);
}

void Projection::apply(const double* values, double* projected) const {
  const auto n = static_cast<Eigen::Index>(n_points_);
  Eigen::Map<Vector>(projected, n) =
      Eigen::Map<const Matrix>(map_.data(), n, n) * Eigen::Map<const Vector>(values, n);
}

void Projection::apply_transposed(const double* values, double* projected) const {
  const auto n = static_cast<Eigen::Index>(n_points_);
  Eigen::Map<Vector>(projected, n) =
      Eigen::Map<const Matrix>(map_.data(), n, n).transpose() * Eigen::Map<const Vector>(values, n);
}

namespace {

bool is_projected(const BoundModel& model, std::size_t network) {
  const BoundNetwork& bound = model.networks[network];
  if (bound.is_estimator || bound.rate != Rate::evaluation || bound.twin_of) return false;
  const NetworkConstraints& constraints = bound.spec->constraints;
  return !constraints.odd.empty() || !constraints.even.empty() || !constraints.zero_at_zero.empty() ||
         !sees_everything(model, bound);
}

constexpr std::size_t kDrawsOfTargets = 24;

// What the data ask of all outputs.
struct Targets {
  // At θ from all over the prior, [θ][output][point].
  std::vector<std::vector<std::vector<double>>> values;
  // [output][point]
  std::vector<std::vector<double>> leverage;

  // Of one output.
  std::vector<std::vector<std::vector<double>>> of(std::size_t output) const {
    std::vector<std::vector<std::vector<double>>> some;
    for (const std::vector<std::vector<double>>& of_theta : values) some.push_back({of_theta[output]});
    return some;
  }
};

Targets targets_of(const LoadedModel& loaded, const MatchingPoints& points, const MatchedData& data,
                   const std::vector<double>& theta) {
  MatchedModel model(loaded, points, data, {}, theta);
  const ThetaBox box(loaded.spec->parameters);
  Targets targets;
  for (std::size_t d = 0; d < kDrawsOfTargets; ++d) {
    model.evaluate(d == 0 ? theta : box.draw(0, d));
    if (d == 0) targets.leverage = model.leverage();
    std::vector<std::vector<double>>& of_theta = targets.values.emplace_back();
    for (const AlignedBuffer<double>& output : model.matched())
      of_theta.emplace_back(output.data(), output.data() + points.size());
  }
  return targets;
}

std::vector<std::vector<double>> values_of(const std::vector<NodeId>& roots, const LoadedModel& loaded,
                                           const MatchingPoints& points, const MatchedData& data,
                                           const std::vector<double>& theta) {
  MatchedProgram program(loaded, points, data, roots);
  program.set_theta(theta);
  const MatchedProgram::Outputs zeros = program.make_outputs();
  std::vector<std::vector<double>> values(roots.size(), std::vector<double>(points.size()));
  for (std::size_t begin = 0; begin < points.size(); begin += MatchedProgram::kChunk) {
    const std::size_t n = std::min(MatchedProgram::kChunk, points.size() - begin);
    program.forward(begin, n, zeros);
    for (std::size_t k = 0; k < roots.size(); ++k) std::copy_n(program.value(k), n, values[k].data() + begin);
  }
  return values;
}

NetworkInputs inputs_of(std::size_t network, const LoadedModel& loaded, const MatchingPoints& points,
                        const MatchedData& data, const std::vector<double>& theta) {
  const std::vector<BoundNetwork>& networks = loaded.model->networks;
  NetworkInputs inputs{values_of(networks[network].inputs, loaded, points, data, theta)};
  for (const BoundNetwork& other : networks)
    if (other.twin_of == network) inputs.twin = values_of(other.inputs, loaded, points, data, theta);
  if (!networks[network].spec->constraints.even.empty()) inputs.twin_sign = 1;
  return inputs;
}

}  // namespace

bool needs_projection(const BoundModel& model) {
  for (std::size_t network = 0; network < model.networks.size(); ++network)
    if (is_projected(model, network)) return true;
  return false;
}

Projections make_projections(const LoadedModel& loaded, const MatchingPoints& points, const MatchedData& data,
                             const std::vector<double>& theta) {
  const BoundModel& model = *loaded.model;
  if (!needs_projection(model)) return {};
  const std::vector<std::size_t> units = independent_units(loaded.data->windows().windows, points.windows);
  const Targets targets = targets_of(loaded, points, data, theta);
  const std::vector<FreeOutput> outputs = free_outputs(model);
  Projections projections(outputs.size());
  for (std::size_t o = 0; o < outputs.size(); ++o)
    if (is_projected(model, outputs[o].network))
      projections[o] =
          std::make_shared<Projection>(points, inputs_of(outputs[o].network, loaded, points, data, theta),
                                       units, targets.of(o), targets.leverage[o]);
  return projections;
}

}  // namespace greybox
