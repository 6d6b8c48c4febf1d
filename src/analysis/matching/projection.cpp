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

// Columns of mean 0 and variance 1; those that do not vary are left out.
std::vector<Vector> standardised(const std::vector<std::vector<double>>& inputs) {
  std::vector<Vector> columns;
  for (const std::vector<double>& input : inputs) {
    Vector column = Eigen::Map<const Vector>(input.data(), static_cast<Eigen::Index>(input.size()));
    const double size = column.cwiseAbs().maxCoeff();
    column.array() -= column.mean();
    const double sd = std::sqrt(column.squaredNorm() / static_cast<double>(input.size()));
    if (sd > 1e-9 * size) columns.emplace_back(column / sd);
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

std::vector<std::size_t> folds_of(const MatchingPoints& points, const std::vector<std::size_t>& units) {
  std::vector<std::size_t> folds;
  for (std::size_t w = 0; w < points.n_windows(); ++w)
    folds.insert(folds.end(), points.first[w + 1] - points.first[w], units[w] % kFolds);
  return folds;
}

// Predictions of every fold from the others, as a map of the values at all points.
Matrix out_of_fold(const Matrix& features, const std::vector<std::size_t>& folds, double ridge) {
  const Eigen::Index n = features.rows();
  Matrix map = Matrix::Zero(n, n);
  for (std::size_t fold = 0; fold < kFolds; ++fold) {
    Matrix inside = features;
    for (Eigen::Index i = 0; i < n; ++i)
      if (folds[static_cast<std::size_t>(i)] == fold) inside.row(i).setZero();
    Eigen::MatrixXd gram = inside.transpose() * inside;
    gram.diagonal().array() += ridge * static_cast<double>(n);
    const Eigen::MatrixXd solved =
        Eigen::LLT<Eigen::MatrixXd>(gram).solve(Eigen::MatrixXd(inside.transpose()));
    for (Eigen::Index i = 0; i < n; ++i)
      if (folds[static_cast<std::size_t>(i)] == fold) map.row(i) = features.row(i) * solved;
  }
  return map;
}

double error_of(const Matrix& map, const std::vector<std::vector<double>>& targets) {
  double error = 0;
  for (const std::vector<double>& target : targets) {
    const Vector values = Eigen::Map<const Vector>(target.data(), static_cast<Eigen::Index>(target.size()));
    const double variance = (values.array() - values.mean()).square().sum();
    if (variance > 0) error += (values - map * values).squaredNorm() / variance;
  }
  return error;
}

}  // namespace

Projection::Projection(const MatchingPoints& points, const std::vector<std::vector<double>>& inputs,
                       const std::vector<std::size_t>& units,
                       const std::vector<std::vector<std::vector<double>>>& targets)
    : n_points_(points.size()) {
  const Matrix features = features_of(standardised(inputs), n_points_);
  const std::vector<std::size_t> folds = folds_of(points, units);
  double least = std::numeric_limits<double>::infinity();
  for (double ridge : kRidges) {
    const Matrix map = out_of_fold(features, folds, ridge);
    double error = std::numeric_limits<double>::infinity();
    for (const std::vector<std::vector<double>>& of_theta : targets)
      error = std::fmin(error, error_of(map, of_theta));
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

bool has_constrained_network(const BoundModel& model) {
  return std::any_of(model.networks.begin(), model.networks.end(), [&](const BoundNetwork& network) {
    return !network.is_estimator && network.rate == Rate::evaluation && !sees_everything(model, network);
  });
}

namespace {

constexpr std::size_t kDrawsOfTargets = 24;

// What the data ask of all outputs at θ from all over the prior, [θ][output][point].
std::vector<std::vector<std::vector<double>>> targets_of(const LoadedModel& loaded,
                                                         const MatchingPoints& points,
                                                         const MatchedData& data,
                                                         const std::vector<double>& theta) {
  MatchedModel model(loaded, points, data, {}, theta);
  const ThetaBox box(loaded.spec->parameters);
  std::vector<std::vector<std::vector<double>>> targets;
  for (std::size_t d = 0; d < kDrawsOfTargets; ++d) {
    model.evaluate(d == 0 ? theta : box.draw(0, d));
    std::vector<std::vector<double>>& of_theta = targets.emplace_back();
    for (const AlignedBuffer<double>& output : model.matched())
      of_theta.emplace_back(output.data(), output.data() + points.size());
  }
  return targets;
}

std::vector<std::vector<std::vector<double>>> some_outputs(
    const std::vector<std::vector<std::vector<double>>>& targets, std::size_t first, std::size_t n) {
  std::vector<std::vector<std::vector<double>>> some;
  for (const std::vector<std::vector<double>>& of_theta : targets)
    some.emplace_back(of_theta.begin() + static_cast<std::ptrdiff_t>(first),
                      of_theta.begin() + static_cast<std::ptrdiff_t>(first + n));
  return some;
}

}  // namespace

Projections make_projections(const LoadedModel& loaded, const MatchingPoints& points, const MatchedData& data,
                             const std::vector<double>& theta) {
  const BoundModel& model = *loaded.model;
  const std::vector<std::size_t> units = independent_units(loaded.data->windows().windows, points.windows);
  Projections projections;
  if (!has_constrained_network(model)) return projections;
  const auto targets = targets_of(loaded, points, data, theta);
  for (const BoundNetwork& network : model.networks) {
    if (network.is_estimator || network.rate != Rate::evaluation) continue;
    std::shared_ptr<const Projection> projection;
    if (!sees_everything(model, network)) {
      MatchedProgram program(loaded, points, data, network.inputs);
      program.set_theta(theta);
      const MatchedProgram::Outputs zeros = program.make_outputs();
      std::vector<std::vector<double>> inputs(network.inputs.size(), std::vector<double>(points.size()));
      for (std::size_t begin = 0; begin < points.size(); begin += MatchedProgram::kChunk) {
        const std::size_t n = std::min(MatchedProgram::kChunk, points.size() - begin);
        program.forward(begin, n, zeros);
        for (std::size_t k = 0; k < inputs.size(); ++k)
          std::copy_n(program.value(k), n, inputs[k].data() + begin);
      }
      projection = std::make_shared<Projection>(
          points, inputs, units, some_outputs(targets, projections.size(), network.outputs.size()));
    }
    projections.insert(projections.end(), network.outputs.size(), projection);
  }
  return projections;
}

}  // namespace greybox
