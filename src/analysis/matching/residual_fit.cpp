#include "analysis/matching/residual_fit.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>

namespace greybox {
namespace {

constexpr std::size_t kHighestPower = 7;

using FitMatrix = Eigen::MatrixXd;
using FitVector = Eigen::VectorXd;

std::size_t n_columns(const ResidualBasis& basis) {
  return basis.highest < basis.lowest ? 0 : basis.highest - basis.lowest + 1;
}

// Linear maps from the residuals of a window after its first snapshot, where there is none, to the fit's
// values and derivatives at all its snapshots.
struct WindowFit {
  FitMatrix values, derivatives;
};

WindowFit make_fit(const std::vector<double>& times, const ResidualBasis& basis) {
  const auto n = static_cast<Eigen::Index>(times.size());
  const auto m = static_cast<Eigen::Index>(n_columns(basis));
  if (m == 0) return {FitMatrix::Zero(n, n - 1), FitMatrix::Zero(n, n - 1)};
  const double length = times.back();
  FitMatrix powers(n, m), slopes(n, m);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < m; ++j) {
      const auto power = static_cast<double>(basis.lowest + static_cast<std::size_t>(j));
      const double t = times[static_cast<std::size_t>(i)] / length;
      powers(i, j) = std::pow(t, power);
      slopes(i, j) = power == 0 ? 0 : power * std::pow(t, power - 1) / length;
    }
  const FitMatrix coefficients =
      powers.bottomRows(n - 1).colPivHouseholderQr().solve(FitMatrix::Identity(n - 1, n - 1));
  return {powers * coefficients, slopes * coefficients};
}

std::vector<double> times_of(const MatchingPoints& points, std::size_t window) {
  return {points.times.begin() + static_cast<std::ptrdiff_t>(points.first[window]),
          points.times.begin() + static_cast<std::ptrdiff_t>(points.first[window + 1])};
}

// After the first snapshot.
FitVector residuals_of(const MatchingPoints& points, const std::vector<double>& residuals,
                       std::size_t window) {
  const std::size_t begin = points.first[window] + 1;
  return Eigen::Map<const FitVector>(residuals.data() + begin,
                                     static_cast<Eigen::Index>(points.first[window + 1] - begin));
}

// f(window, fit) for every window; windows with the same times share a fit.
template <class F>
void for_windows(const MatchingPoints& points, const ResidualBasis& basis, F&& f) {
  std::vector<double> times;
  WindowFit fit;
  for (std::size_t w = 0; w < points.n_windows(); ++w) {
    std::vector<double> own = times_of(points, w);
    if (own.size() < 2) continue;
    // Times are differences of clock times and equal up to rounding.
    const bool is_same = own.size() == times.size() &&
                         std::equal(own.begin(), own.end(), times.begin(),
                                    [&](double a, double b) { return std::abs(a - b) <= 1e-9 * own.back(); });
    if (!is_same) {
      fit = make_fit(own, basis);
      times = std::move(own);
    }
    f(w, fit);
  }
}

// Of a window with too few snapshots for leaving one out, no error is known.
double leave_one_out(const MatchingPoints& points, const std::vector<double>& residuals,
                     const ResidualBasis& basis) {
  double sum = 0;
  std::size_t n = 0;
  for_windows(points, basis, [&](std::size_t w, const WindowFit& fit) {
    const FitVector own = residuals_of(points, residuals, w);
    const FitVector left = own - (fit.values * own).tail(own.size());
    for (Eigen::Index i = 0; i < own.size(); ++i) {
      const double share = 1 - fit.values(i + 1, i);
      if (share < 1e-6) continue;
      sum += left[i] * left[i] / (share * share);
      ++n;
    }
  });
  return n == 0 ? std::numeric_limits<double>::infinity() : sum / static_cast<double>(n);
}

std::size_t shortest(const MatchingPoints& points) {
  std::size_t n = points.size();
  for (std::size_t w = 0; w < points.n_windows(); ++w) n = std::min(n, points.first[w + 1] - points.first[w]);
  return n - 1;
}

}  // namespace

std::vector<ResidualBasis> rank_bases(const MatchingPoints& points, const std::vector<double>& residuals) {
  const std::size_t n = shortest(points);
  // Nothing can be left out of one or two snapshots: the residual is believed.
  if (n <= 2) return {{1, n, 0}};
  std::vector<ResidualBasis> bases{{1, 0, 0}};
  for (std::size_t lowest : {std::size_t{1}, std::size_t{0}})
    for (std::size_t highest = 1; highest <= kHighestPower; ++highest)
      if (highest - lowest + 1 < n) bases.push_back({lowest, highest, 0});
  for (ResidualBasis& basis : bases) basis.score = leave_one_out(points, residuals, basis);
  std::stable_sort(bases.begin(), bases.end(),
                   [](const ResidualBasis& a, const ResidualBasis& b) { return a.score < b.score; });
  return bases;
}

ResidualFit fit_residuals(const MatchingPoints& points, const std::vector<double>& residuals,
                          const ResidualBasis& basis) {
  ResidualFit result{std::vector<double>(points.size()), std::vector<double>(points.size())};
  for_windows(points, basis, [&](std::size_t w, const WindowFit& fit) {
    const FitVector own = residuals_of(points, residuals, w);
    const FitVector values = fit.values * own, derivatives = fit.derivatives * own;
    std::copy(values.begin(), values.end(),
              result.values.begin() + static_cast<std::ptrdiff_t>(points.first[w]));
    std::copy(derivatives.begin(), derivatives.end(),
              result.derivatives.begin() + static_cast<std::ptrdiff_t>(points.first[w]));
  });
  return result;
}

}  // namespace greybox
