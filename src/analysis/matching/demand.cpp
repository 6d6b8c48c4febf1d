#include "analysis/matching/demand.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <map>

namespace greybox {
namespace {

constexpr int kRounds = 2;
constexpr double kFarthest = 2, kShift = 0.05, kRidge = 1e-6;

// Normal equations of the shifts of the windows that start alike.
struct NormalEquations {
  Eigen::MatrixXd matrix;
  Eigen::VectorXd right;
};

}  // namespace

Demand::Demand(const MatchingPoints& points, const MatchedData& data, HiddenStates& hidden,
               MatchedProgram& program)
    : points_(&points),
      data_(&data),
      hidden_(&hidden),
      program_(&program),
      no_outputs_(program.make_outputs()),
      shifts_(hidden.starts().size(), std::vector<double>(points.n_windows())) {
  for (std::size_t c = 0; c < data.derivatives.size(); ++c)
    if (std::ranges::find(data.hidden, c) == data.hidden.end())
      measured_.emplace_back(c, 1 / std::sqrt(variance_of(data.derivatives[c])));
  values_.resize(measured_.size() * points.size());
}

const Demand::Values& Demand::at(std::span<const double> theta) {
  const std::vector<std::vector<double>>& hidden = hidden_->at(theta, shifts_);
  for (std::size_t h = 0; h < hidden.size(); ++h) program_->set_state(hidden_->states()[h], hidden[h]);
  for (std::size_t begin = 0; begin < points_->size(); begin += MatchedProgram::kChunk) {
    const std::size_t n = std::min(MatchedProgram::kChunk, points_->size() - begin);
    program_->forward(begin, n, no_outputs_);
    for (std::size_t m = 0; m < measured_.size(); ++m) {
      const auto& [state, per_sd] = measured_[m];
      for (std::size_t i = 0; i < n; ++i)
        values_[m * points_->size() + begin + i] =
            per_sd * (data_->derivatives[state][begin + i] - program_->value(state)[i]);
    }
  }
  return values_;
}

double Demand::size(std::span<const double> theta) {
  program_->set_theta(theta);
  for (std::vector<double>& of_start : shifts_) std::ranges::fill(of_start, 0.0);
  if (data_->starts == HiddenStarts::least) find_least_starts(theta);
  double sum = 0;
  for (double value : at(theta)) sum += value * value;
  return std::sqrt(sum / static_cast<double>(values_.size()));
}

// One Gauss–Newton step of all windows.
void Demand::improve(std::span<const double> theta) {
  const Values now = at(theta);
  std::vector<Values> slopes;
  for (std::vector<double>& of_start : shifts_) {
    for (double& shift : of_start) shift += kShift;
    slopes.push_back(at(theta));
    for (double& shift : of_start) shift -= kShift;
    for (std::size_t i = 0; i < now.size(); ++i) slopes.back()[i] = (slopes.back()[i] - now[i]) / kShift;
  }
  const auto n = static_cast<Eigen::Index>(slopes.size());
  std::map<std::vector<std::size_t>, NormalEquations> equations;
  const auto slots_of = [&](std::size_t w) {
    std::vector<std::size_t> slots;
    for (const HiddenStart& start : hidden_->starts()) slots.push_back(start.slots[w]);
    return slots;
  };
  for (std::size_t w = 0; w < points_->n_windows(); ++w) {
    NormalEquations& sums = equations[slots_of(w)];
    if (sums.matrix.size() == 0) sums = {Eigen::MatrixXd::Zero(n, n), Eigen::VectorXd::Zero(n)};
    for (std::size_t m = 0; m < measured_.size(); ++m)
      for (std::size_t p = points_->first[w]; p < points_->first[w + 1]; ++p) {
        const std::size_t i = m * points_->size() + p;
        Eigen::VectorXd slope(n);
        for (Eigen::Index k = 0; k < n; ++k) slope[k] = slopes[static_cast<std::size_t>(k)][i];
        sums.matrix += slope * slope.transpose();
        sums.right -= now[i] * slope;
      }
  }
  for (auto& [slots, sums] : equations) {
    sums.matrix.diagonal().array() += kRidge * sums.matrix.trace();
    sums.right = sums.matrix.ldlt().solve(sums.right).eval();
  }
  for (std::size_t w = 0; w < points_->n_windows(); ++w) {
    const Eigen::VectorXd& step = equations[slots_of(w)].right;
    for (std::size_t k = 0; k < shifts_.size(); ++k) {
      const double moved = shifts_[k][w] + step[static_cast<Eigen::Index>(k)];
      if (std::isfinite(moved)) shifts_[k][w] = std::clamp(moved, -kFarthest, kFarthest);
    }
  }
}

void Demand::find_least_starts(std::span<const double> theta) {
  for (std::vector<double>& of_start : shifts_) std::ranges::fill(of_start, 0.0);
  for (int round = 0; round < kRounds; ++round) improve(theta);
}

const StartShifts& Demand::starts(std::span<const double> theta) {
  find_least_starts(theta);
  if (data_->starts == HiddenStarts::opposite)
    for (std::vector<double>& of_start : shifts_)
      for (double& shift : of_start) shift *= -1;
  return shifts_;
}

}  // namespace greybox
