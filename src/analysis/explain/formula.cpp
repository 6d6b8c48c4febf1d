#include "analysis/explain/formula.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace greybox {
namespace {

constexpr std::size_t kMostFolds = 8;
// A formula whose error is this share of what it stands for needs no further term.
constexpr double kExactFormula = 1e-3;

// Terms added one by one, each that which leaves the least squares.
class ForwardSelection {
 public:
  ForwardSelection(const Eigen::MatrixXd& library, const Eigen::VectorXd& target)
      : library_(library), target_(target), scales_(library.colwise().norm()) {}

  bool add_term() {
    double least = std::numeric_limits<double>::infinity();
    std::size_t best = 0;
    for (std::size_t term = 0; term < static_cast<std::size_t>(library_.cols()); ++term) {
      if (!(scales_[static_cast<Eigen::Index>(term)] > 0) || std::ranges::find(terms_, term) != terms_.end())
        continue;
      terms_.push_back(term);
      if (const double left = residual_of(solved()); left < least) {
        least = left;
        best = term;
      }
      terms_.pop_back();
    }
    if (!std::isfinite(least)) return false;
    terms_.push_back(best);
    return true;
  }
  const std::vector<std::size_t>& terms() const { return terms_; }
  // Of the terms as they are.
  Eigen::VectorXd coefficients() const {
    Eigen::VectorXd scaled = solved();
    for (Eigen::Index k = 0; k < scaled.size(); ++k) scaled[k] /= scale(k);
    return scaled;
  }

 private:
  double scale(Eigen::Index k) const {
    return scales_[static_cast<Eigen::Index>(terms_[static_cast<std::size_t>(k)])];
  }
  Eigen::MatrixXd chosen() const {
    Eigen::MatrixXd columns(library_.rows(), static_cast<Eigen::Index>(terms_.size()));
    for (Eigen::Index k = 0; k < columns.cols(); ++k)
      columns.col(k) =
          library_.col(static_cast<Eigen::Index>(terms_[static_cast<std::size_t>(k)])) / scale(k);
    return columns;
  }
  Eigen::VectorXd solved() const { return chosen().colPivHouseholderQr().solve(target_); }
  double residual_of(const Eigen::VectorXd& scaled) const {
    return (target_ - chosen() * scaled).squaredNorm();
  }

  const Eigen::MatrixXd& library_;
  const Eigen::VectorXd& target_;
  Eigen::RowVectorXd scales_;
  std::vector<std::size_t> terms_;
};

// The fold of each point: groups dealt out in order.
std::vector<std::size_t> group_folds(const std::vector<std::size_t>& group, std::size_t n_folds) {
  std::map<std::size_t, std::size_t> fold;
  std::vector<std::size_t> folds;
  for (const std::size_t one : group)
    folds.push_back(fold.try_emplace(one, fold.size() % n_folds).first->second);
  return folds;
}

Eigen::MatrixXd rows_of(const Eigen::MatrixXd& all, const std::vector<Eigen::Index>& rows) {
  return all(rows, Eigen::all);
}

}  // namespace

FormulaFit fit_formula(const Eigen::MatrixXd& library, const Eigen::VectorXd& target,
                       const std::vector<std::size_t>& group, std::size_t most_terms) {
  std::vector<std::size_t> distinct = group;
  std::ranges::sort(distinct);
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  const std::size_t n_folds = std::clamp<std::size_t>(distinct.size(), 2, kMostFolds);
  const std::vector<std::size_t> folds = group_folds(group, n_folds);
  most_terms = std::min(most_terms, static_cast<std::size_t>(library.cols()));
  // Mean squared errors: [size][fold].
  std::vector<std::vector<double>> errors(most_terms + 1);
  for (std::size_t fold = 0; fold < n_folds; ++fold) {
    std::vector<Eigen::Index> inside, outside;
    for (std::size_t i = 0; i < folds.size(); ++i)
      (folds[i] == fold ? outside : inside).push_back(static_cast<Eigen::Index>(i));
    if (inside.empty() || outside.empty()) continue;
    const Eigen::MatrixXd known = rows_of(library, inside), left_out = rows_of(library, outside);
    const Eigen::VectorXd known_target = target(inside), left_target = target(outside);
    ForwardSelection selection(known, known_target);
    errors[0].push_back(left_target.squaredNorm() / static_cast<double>(outside.size()));
    for (std::size_t size = 1; size <= most_terms && selection.add_term(); ++size) {
      Eigen::VectorXd residual = left_target;
      const Eigen::VectorXd coefficients = selection.coefficients();
      for (std::size_t k = 0; k < size; ++k)
        residual -= coefficients[static_cast<Eigen::Index>(k)] *
                    left_out.col(static_cast<Eigen::Index>(selection.terms()[k]));
      errors[size].push_back(residual.squaredNorm() / static_cast<double>(outside.size()));
    }
  }
  std::vector<double> means, standard_errors;
  for (const std::vector<double>& of_size : errors) {
    if (of_size.empty()) break;
    const auto n = static_cast<double>(of_size.size());
    double mean = 0, squares = 0;
    for (const double error : of_size) mean += error / n;
    for (const double error : of_size) squares += (error - mean) * (error - mean);
    means.push_back(mean);
    standard_errors.push_back(n > 1 ? std::sqrt(squares / (n - 1) / n) : 0);
  }
  const auto best = static_cast<std::size_t>(std::ranges::min_element(means) - means.begin());
  const double enough =
      std::max(means[best] + standard_errors[best], kExactFormula * kExactFormula * means[0]);
  std::size_t size = 0;
  while (means[size] > enough) ++size;
  FormulaFit fit;
  for (const double mean : means) fit.rmse_by_size.push_back(std::sqrt(mean));
  fit.rmse = fit.rmse_by_size[size];
  ForwardSelection selection(library, target);
  while (selection.terms().size() < size && selection.add_term()) {
  }
  if (selection.terms().empty()) return fit;
  fit.terms = selection.terms();
  const Eigen::VectorXd coefficients = selection.coefficients();
  fit.coefficients.assign(coefficients.begin(), coefficients.end());
  return fit;
}

}  // namespace greybox
