#include "analysis/matching/matched_model.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <array>
#include <cmath>

namespace greybox {
namespace {

constexpr std::size_t kSteps = 12;
constexpr double kSmallStep = 1e-10;
// Of θ, for difference quotients; and what counts where a state is not finite.
constexpr double kThetaShift = 1e-6, kFarTooMuch = 1e100;

std::vector<NodeId> roots_of(const BoundModel& model) {
  std::vector<NodeId> roots;
  for (const BoundState& state : model.states) roots.push_back(state.derivative);
  for (const MeanTerm& term : model.terms) roots.push_back(term.value);
  return roots;
}

}  // namespace

MatchedModel::MatchedModel(const LoadedModel& loaded, const MatchingPoints& points, const MatchedData& data,
                           const Projections& projections, std::span<const double> theta)
    : points_(&points),
      data_(&data),
      projections_(projections),
      n_states_(loaded.model->states.size()),
      n_terms_(loaded.model->terms.size()),
      n_outputs_(free_outputs(*loaded.model).size()),
      program_(loaded, points, data, roots_of(*loaded.model)),
      model_(loaded.model),
      regularizers_(loaded.model, 1),
      matched_(program_.make_outputs()),
      attainable_(program_.make_outputs()),
      gradients_(program_.make_outputs()),
      constraints_(*loaded.model),
      window_sums_(n_terms_ + 1, std::vector<double>(points.n_windows())),
      values_(loaded.model->regularizers.size() + 1) {
  for (const auto& projection : projections_) is_projected_ = is_projected_ || projection != nullptr;
  if (!data.hidden.empty())
    hidden_ = std::make_unique<HiddenStates>(loaded, points, data, data.weights, data.hidden);
  if (data.starts == HiddenStarts::least || data.starts == HiddenStarts::opposite)
    demand_ = std::make_unique<Demand>(points, data, *hidden_, program_);
  for (std::size_t c = 0; c < n_states_; ++c) {
    const double variance = variance_of(data.derivatives[c]);
    const auto n_measured = static_cast<double>(n_states_ - data.hidden.size());
    misfit_weights_.push_back(is_hidden(c) ? 0 : 1 / (variance > 0 ? variance : 1) / n_measured);
  }
  for (std::size_t w = 0; w < points.n_windows(); ++w) {
    window_of_.insert(window_of_.end(), points.first[w + 1] - points.first[w], w);
    window_weights_.push_back(0);
    for (std::size_t p = points.first[w]; p < points.first[w + 1]; ++p)
      window_weights_[w] += points.weights[p];
    total_weight_ += window_weights_[w];
  }
  find_inverse(theta);
}

bool MatchedModel::is_hidden(std::size_t state) const {
  return std::find(data_->hidden.begin(), data_->hidden.end(), state) != data_->hidden.end();
}

bool MatchedModel::set_theta(std::span<const double> theta) {
  program_.set_theta(theta);
  if (!hidden_) return true;
  const std::vector<std::vector<double>>& values =
      hidden_->at(theta, demand_ ? demand_->starts(theta) : StartShifts{});
  bool is_finite = true;
  for (std::size_t h = 0; h < values.size(); ++h) {
    program_.set_state(data_->hidden[h], values[h]);
    is_finite =
        is_finite && std::ranges::all_of(values[h], [](double value) { return std::isfinite(value); });
  }
  return is_finite;
}

template <class F>
void MatchedModel::for_chunks(F&& f) const {
  for (std::size_t begin = 0; begin < points_->size(); begin += MatchedProgram::kChunk)
    f(begin, std::min(MatchedProgram::kChunk, points_->size() - begin));
}

std::vector<double> MatchedModel::jacobians(std::size_t n) {
  std::vector<double> jacobians;
  for (std::size_t c = 0; c < n_states_; ++c) {
    program_.clear_gradients();
    double* gradient = program_.gradient(c);
    for (std::size_t i = 0; i < n; ++i) gradient[i] += 1;
    program_.reverse(n);
    for (std::size_t o = 0; o < n_outputs_; ++o)
      jacobians.insert(jacobians.end(), program_.output_gradient(o), program_.output_gradient(o) + n);
  }
  return jacobians;
}

std::vector<double> MatchedModel::inverses(std::size_t n) {
  if (!constant_inverse_.empty()) return {};
  const std::vector<double> all = jacobians(n);
  std::vector<double> inverses(all.size());
  Eigen::MatrixXd jacobian(n_states_, n_outputs_);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t c = 0; c < n_states_; ++c)
      for (std::size_t o = 0; o < n_outputs_; ++o)
        jacobian(static_cast<Eigen::Index>(c), static_cast<Eigen::Index>(o)) =
            all[(c * n_outputs_ + o) * n + i];
    const Eigen::MatrixXd inverse = jacobian.completeOrthogonalDecomposition().pseudoInverse();
    for (std::size_t o = 0; o < n_outputs_; ++o)
      for (std::size_t c = 0; c < n_states_; ++c)
        inverses[(o * n_states_ + c) * n + i] =
            inverse(static_cast<Eigen::Index>(o), static_cast<Eigen::Index>(c));
  }
  return inverses;
}

double MatchedModel::inverse(const std::vector<double>& inverses, std::size_t output, std::size_t state,
                             std::size_t point) const {
  const std::size_t place = output * n_states_ + state;
  return inverses.empty() ? constant_inverse_[place]
                          : inverses[place * (inverses.size() / (n_outputs_ * n_states_)) + point];
}

std::vector<double> MatchedModel::constant_jacobian(std::span<const double> theta) {
  const std::size_t n = std::min(MatchedProgram::kChunk, points_->size());
  MatchedProgram::Outputs outputs = program_.make_outputs();
  std::vector<double> shifted(theta.begin(), theta.end());
  for (double& value : shifted) value *= 1.01;
  std::vector<double> first;
  bool is_constant = true;
  for (const std::span<const double> at : {theta, std::span<const double>(shifted)}) {
    std::vector<double> without;
    for (const double output : {0.0, 0.7}) {
      for (AlignedBuffer<double>& values : outputs) values.fill(output);
      set_theta(at);
      program_.forward(0, n, outputs);
      const std::vector<double> all = jacobians(n);
      if (without.empty()) without = all;
      for (std::size_t k = 0; k < n_states_ * n_outputs_; ++k)
        for (std::size_t i = 0; i < n; ++i) {
          if (first.size() <= k) first.push_back(all[k * n + i]);
          is_constant = is_constant && std::abs(all[k * n + i] - first[k]) <= 1e-12;
          is_linear_ = is_linear_ && all[k * n + i] == without[k * n + i];
        }
    }
  }
  return is_constant ? first : std::vector<double>{};
}

// Networks that enter as a sum have the same Jacobian everywhere, which saves its computation.
void MatchedModel::find_inverse(std::span<const double> theta) {
  if (n_outputs_ == 0) return;
  const std::vector<double> found = constant_jacobian(theta);
  if (found.empty()) return;
  const auto rows = static_cast<Eigen::Index>(n_states_), columns = static_cast<Eigen::Index>(n_outputs_);
  const Eigen::MatrixXd jacobian =
      Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(found.data(),
                                                                                               rows, columns);
  const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> inverse =
      jacobian.completeOrthogonalDecomposition().pseudoInverse();
  constant_inverse_.assign(inverse.data(), inverse.data() + inverse.size());
}

std::vector<std::vector<double>> MatchedModel::leverage() {
  std::vector<std::vector<double>> leverage(n_outputs_, std::vector<double>(points_->size(), 1));
  if (!constant_inverse_.empty()) return leverage;
  for_chunks([&](std::size_t begin, std::size_t n) {
    program_.forward(begin, n, matched_);
    const std::vector<double> all = jacobians(n);
    for (std::size_t o = 0; o < n_outputs_; ++o)
      for (std::size_t i = 0; i < n; ++i) {
        double& sum = leverage[o][begin + i] = 0;
        for (std::size_t c = 0; c < n_states_; ++c)
          sum += misfit_weights_[c] * std::pow(all[(c * n_outputs_ + o) * n + i], 2);
      }
  });
  return leverage;
}

// One Gauss–Newton step at each point; whether it was too small to matter.
bool MatchedModel::step(std::size_t begin, std::size_t n) {
  program_.forward(begin, n, matched_);
  std::vector<double> residuals(n_states_ * n);
  for (std::size_t c = 0; c < n_states_; ++c)
    for (std::size_t i = 0; i < n; ++i)
      residuals[c * n + i] = is_hidden(c) ? 0 : data_->derivatives[c][begin + i] - program_.value(c)[i];
  const std::vector<double> inverses = this->inverses(n);
  double largest = 0;
  for (std::size_t o = 0; o < n_outputs_; ++o)
    for (std::size_t i = 0; i < n; ++i) {
      double change = 0;
      for (std::size_t c = 0; c < n_states_; ++c) change += inverse(inverses, o, c, i) * residuals[c * n + i];
      // Where no output gives the derivative, steps would grow without end.
      const double most = 1 + std::abs(matched_[o][begin + i]);
      if (!is_linear_) change = std::clamp(change, -most, most);
      matched_[o][begin + i] += change;
      largest = std::max(largest, std::abs(change) / (1 + std::abs(matched_[o][begin + i])));
    }
  return largest < kSmallStep;
}

void MatchedModel::match(std::size_t begin, std::size_t n) {
  for (AlignedBuffer<double>& output : matched_) std::fill_n(output.data() + begin, n, 0.0);
  if (n_outputs_ == 0) return;
  const std::size_t n_steps = is_linear_ ? 1 : kSteps;
  for (std::size_t k = 0; k < n_steps; ++k)
    if (step(begin, n)) break;
}

void MatchedModel::add_sums(std::size_t begin, std::size_t n) {
  for (std::size_t m = 0; m < n_terms_; ++m) {
    const double* term = program_.value(n_states_ + m);
    for (std::size_t i = 0; i < n; ++i)
      window_sums_[m][window_of_[begin + i]] += points_->weights[begin + i] * term[i];
  }
  for (std::size_t c = 0; c < n_states_; ++c) {
    if (is_hidden(c)) continue;
    const double* derivative = program_.value(c);
    for (std::size_t i = 0; i < n; ++i) {
      const double residual = data_->derivatives[c][begin + i] - derivative[i];
      window_sums_[n_terms_][window_of_[begin + i]] +=
          points_->weights[begin + i] * misfit_weights_[c] * residual * residual;
    }
  }
}

// Of terms and misfit; a window counts `counts` times, once when there are none.
std::vector<double> MatchedModel::means(const double* counts) const {
  std::vector<double> means(window_sums_.size());
  double n = 0;
  for (std::size_t w = 0; w < points_->n_windows(); ++w) {
    const double count = counts == nullptr ? 1 : counts[w];
    n += count * window_weights_[w];
    for (std::size_t m = 0; m < means.size(); ++m) means[m] += count * window_sums_[m][w];
  }
  for (double& mean : means) mean /= n;
  return means;
}

void MatchedModel::evaluate(std::span<const double> theta) {
  at_.assign(theta.begin(), theta.end());
  if (!set_theta(theta)) {
    for (std::vector<double>& sums : window_sums_) std::fill(sums.begin(), sums.end(), kFarTooMuch);
    return set_means();
  }
  for_chunks([&](std::size_t begin, std::size_t n) { match(begin, n); });
  for (std::size_t o = 0; o < n_outputs_; ++o)
    if (is_projected_ && projections_[o])
      projections_[o]->apply(matched_[o].data(), attainable_[o].data());
    else
      std::copy_n(matched_[o].data(), points_->size(), attainable_[o].data());
  constraints_.impose(attainable_, points_->size());
  for (std::vector<double>& sums : window_sums_) std::fill(sums.begin(), sums.end(), 0.0);
  for_chunks([&](std::size_t begin, std::size_t n) {
    program_.forward(begin, n, attainable_);
    add_sums(begin, n);
  });
  set_means();
}

void MatchedModel::set_means() {
  const std::vector<double> all = means(nullptr);
  regularizers_.evaluate(all.data(), 1, 1);
  for (std::size_t r = 0; r + 1 < values_.size(); ++r) values_[r] = regularizers_.values(r)[0];
  values_.back() = all.back();
}

void MatchedModel::seed(std::size_t quantity, std::size_t begin, std::size_t n,
                        std::span<const double> grad_means) {
  const double* weights = points_->weights.data() + begin;
  const double share = 1 / total_weight_;
  if (quantity != misfit()) {
    for (std::size_t m = 0; m < n_terms_; ++m) {
      double* gradient = program_.gradient(n_states_ + m);
      for (std::size_t i = 0; i < n; ++i) gradient[i] += share * weights[i] * grad_means[m];
    }
    return;
  }
  for (std::size_t c = 0; c < n_states_; ++c) {
    const double* derivative = program_.value(c);
    double* gradient = program_.gradient(c);
    for (std::size_t i = 0; i < n; ++i)
      gradient[i] -=
          2 * share * weights[i] * misfit_weights_[c] * (data_->derivatives[c][begin + i] - derivative[i]);
  }
}

// θ acts directly, and through the outputs: those follow from f(s, outputs; θ) = derivative, so that a change
// of f by θ is undone by the inverse Jacobian.
void MatchedModel::gradient(std::size_t quantity, std::span<double> grad_theta) {
  if (hidden_) return difference_gradient(quantity, grad_theta);
  std::fill(grad_theta.begin(), grad_theta.end(), 0.0);
  std::vector<double> grad_means(n_terms_);
  if (quantity != misfit()) regularizers_.gradient(quantity, grad_means);
  for_chunks([&](std::size_t begin, std::size_t n) {
    program_.forward(begin, n, attainable_);
    program_.clear_gradients();
    seed(quantity, begin, n, grad_means);
    program_.reverse(n);
    program_.add_theta_gradient(n, grad_theta);
    for (std::size_t o = 0; o < n_outputs_; ++o)
      std::copy_n(program_.output_gradient(o), n, gradients_[o].data() + begin);
  });
  constraints_.pull_back(attainable_, gradients_, points_->size());
  std::vector<double> projected(points_->size());
  for (std::size_t o = 0; o < n_outputs_; ++o)
    if (is_projected_ && projections_[o]) {
      projections_[o]->apply_transposed(gradients_[o].data(), projected.data());
      std::copy(projected.begin(), projected.end(), gradients_[o].data());
    }
  for_chunks([&](std::size_t begin, std::size_t n) {
    program_.forward(begin, n, matched_);
    const std::vector<double> inverses = this->inverses(n);
    program_.clear_gradients();
    for (std::size_t c = 0; c < n_states_; ++c) {
      double* gradient = program_.gradient(c);
      for (std::size_t o = 0; o < n_outputs_; ++o)
        for (std::size_t i = 0; i < n; ++i)
          gradient[i] -= inverse(inverses, o, c, i) * gradients_[o][begin + i];
    }
    program_.reverse(n);
    program_.add_theta_gradient(n, grad_theta);
  });
}

void MatchedModel::difference_gradient(std::size_t quantity, std::span<double> grad_theta) {
  const std::vector<double> theta = at_;
  std::vector<double> moved = theta;
  for (std::size_t p = 0; p < theta.size(); ++p) {
    const double shift = kThetaShift * (std::abs(theta[p]) + kThetaShift);
    std::array<double, 2> values{};
    for (std::size_t side = 0; side < 2; ++side) {
      moved[p] = theta[p] + (side == 0 ? shift : -shift);
      evaluate(moved);
      values[side] = values_[quantity];
    }
    moved[p] = theta[p];
    grad_theta[p] = (values[0] - values[1]) / (2 * shift);
  }
  evaluate(theta);
}

std::vector<std::vector<double>> MatchedModel::resampled(const Resampling& resampling) {
  std::vector<std::vector<double>> values(values_.size());
  for (std::size_t set = 0; set < resampling.n_sets; ++set) {
    const std::vector<double> own = means(resampling.set(set).data());
    regularizers_.evaluate(own.data(), 1, 1);
    for (std::size_t r = 0; r + 1 < values_.size(); ++r) values[r].push_back(regularizers_.values(r)[0]);
    values.back().push_back(own.back());
  }
  return values;
}

}  // namespace greybox
