#include "analysis/posterior/surrogate_density.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/posterior/nuts.hpp"
#include "analysis/theta/theta_box.hpp"
#include "core/limits.hpp"
#include "core/stage_progress.hpp"

namespace greybox {
namespace {

constexpr std::size_t kMostTerms = 220;
constexpr double kPointsPerTerm = 2.5;
// Fits that are no better than this, as a standard deviation of the logarithm of the density over its own
// draws, are done again around them; chains whose proposals were worse would hardly move.
constexpr double kGoodScatter = 0.3, kMostScatter = 1;
constexpr std::size_t kMostFits = 4;
// Draws that a fit is judged by, and their chain.
constexpr std::size_t kJudged = 40, kWarmupOfTrial = 300, kDrawsOfTrial = 400;
// By which a box is wider than the draws in it, at either end.
constexpr double kRoom = 0.2;
constexpr double kLeastWidth = 1e-6;
// θ at which the model runs away.
constexpr double kMostLost = 0.1;

std::size_t n_quantities_of(const PosteriorRequest& request) {
  return request.run.loaded.model->terms.size() + (std::isfinite(request.loss_limit) ? 1 : 0);
}

ThetaValues computed(const PosteriorRequest& request, ThetaScan<double>& scan,
                     const std::vector<double>& theta) {
  const StageProgress stage(request.options.execution, "distribution", kPairs);
  return scan.evaluate(request.choice.windows, theta,
                       [&](std::size_t n_done, std::size_t n_total) { stage.show(n_done, n_total); });
}

}  // namespace

SurrogateDensity::SurrogateDensity(const PosteriorRequest& request, Box box)
    : parameters_(request.parameters()),
      coordinates_(parameters_),
      regularizers_(request.run.loaded.model),
      regularizer_(request.regularizer),
      n_means_(request.run.loaded.model->terms.size()),
      beta_(request.beta),
      loss_limit_(request.loss_limit),
      box_(std::move(box)),
      polynomials_(parameters_.size(), kMostTerms),
      x_(parameters_.size()),
      values_(n_quantities_of(request)),
      slopes_(values_.size() * x_.size()),
      grad_values_(values_.size()) {}

double SurrogateDensity::operator()(std::span<const double> theta, std::span<double> gradient) {
  for (std::size_t p = 0; p < x_.size(); ++p) {
    const double u = coordinates_.coordinate(p, theta[p]);
    x_[p] = std::clamp(2 * (u - box_.low[p]) / (box_.high[p] - box_.low[p]) - 1, -1.0, 1.0);
  }
  polynomials_.evaluate(x_, values_, slopes_);
  regularizers_.values.evaluate(values_.data(), 1, 1);
  const double value = regularizers_.values.values(regularizer_)[0];
  regularizers_.values.gradient(regularizer_, std::span(grad_values_).first(n_means_));
  for (std::size_t m = 0; m < n_means_; ++m) grad_values_[m] *= -beta_;
  double log_density = -beta_ * value;
  if (values_.size() > n_means_) {
    const double loss = std::exp(values_.back()), excess = std::max(loss / loss_limit_ - 1, 0.0);
    log_density -= price_of_misfit(loss, loss_limit_);
    grad_values_.back() = -2 * kLogPriceOfMisfit * excess * loss / loss_limit_;
  }
  for (std::size_t p = 0; p < x_.size(); ++p) {
    gradient[p] = 0;
    if (std::abs(x_[p]) >= 1) continue;
    for (std::size_t q = 0; q < values_.size(); ++q)
      gradient[p] += grad_values_[q] * slopes_[q * x_.size() + p];
    const double u = box_.low[p] + (box_.high[p] - box_.low[p]) * (x_[p] + 1) / 2;
    gradient[p] *= 2 / (box_.high[p] - box_.low[p]) / coordinates_.slope(p, u);
  }
  return log_density;
}

bool SurrogateDensity::fit(const PosteriorRequest& request, ThetaScan<double>& scan) {
  const std::size_t n_axes = x_.size();
  const auto n_points =
      static_cast<std::size_t>(kPointsPerTerm * static_cast<double>(polynomials_.n_terms()));
  const std::vector<double> points = PolynomialFit::points(n_points, n_axes);
  std::vector<double> theta;
  for (std::size_t i = 0; i < n_points; ++i)
    for (std::size_t p = 0; p < n_axes; ++p)
      theta.push_back(
          coordinates_.theta(p, std::lerp(box_.low[p], box_.high[p], (points[i * n_axes + p] + 1) / 2)));
  const ThetaValues found = computed(request, scan, theta);
  std::vector<double> kept;
  std::vector<std::vector<double>> values(values_.size());
  for (std::size_t i = 0; i < n_points; ++i) {
    if (found.n_diverged[i] > 0) continue;
    kept.insert(kept.end(), points.begin() + static_cast<std::ptrdiff_t>(i * n_axes),
                points.begin() + static_cast<std::ptrdiff_t>((i + 1) * n_axes));
    for (std::size_t m = 0; m < n_means_; ++m) values[m].push_back(found.means[m][i]);
    if (values.size() > n_means_) values.back().push_back(std::log(found.losses[i]));
  }
  const auto is_finite = [](double value) { return std::isfinite(value); };
  const bool are_finite =
      std::ranges::all_of(values, [&](const auto& of_all) { return std::ranges::all_of(of_all, is_finite); });
  const auto n_kept = static_cast<double>(kept.size() / n_axes);
  if (!are_finite || n_kept < (1 - kMostLost) * static_cast<double>(n_points)) return false;
  polynomials_.fit(kept, values);
  return true;
}

// By how much the logarithms of the two densities differ over draws; infinite where the model runs away.
double SurrogateDensity::scatter(const PosteriorRequest& request, ThetaScan<double>& scan,
                                 const std::vector<std::vector<double>>& draws) {
  std::vector<double> theta, gradient(x_.size()), apart;
  const std::size_t stride = draws.size() / kJudged;
  for (std::size_t k = 0; k < kJudged; ++k)
    theta.insert(theta.end(), draws[k * stride].begin(), draws[k * stride].end());
  const ThetaValues found = computed(request, scan, theta);
  double mean = 0, squares = 0;
  for (std::size_t k = 0; k < kJudged; ++k) {
    const double exact =
        -beta_ * found.regularizers[regularizer_][k] - price_of_misfit(found.losses[k], loss_limit_);
    apart.push_back(exact - (*this)(std::span(theta).subspan(k * x_.size(), x_.size()), gradient));
    mean += apart.back() / static_cast<double>(kJudged);
  }
  for (double one : apart) squares += (one - mean) * (one - mean) / static_cast<double>(kJudged - 1);
  return std::isfinite(squares) ? std::sqrt(squares) : kInfinity;
}

SurrogateDensity::Box SurrogateDensity::around(const std::vector<std::vector<double>>& draws) const {
  Box box;
  for (std::size_t p = 0; p < x_.size(); ++p) {
    double low = 1, high = 0;
    for (const std::vector<double>& draw : draws) {
      low = std::min(low, coordinates_.coordinate(p, draw[p]));
      high = std::max(high, coordinates_.coordinate(p, draw[p]));
    }
    const double room = kRoom * (high - low) + kLeastWidth;
    box.low.push_back(std::max(low - room, 0.0));
    box.high.push_back(std::min(high + room, 1.0));
  }
  return box;
}

std::optional<SurrogateDensity> SurrogateDensity::make(const PosteriorRequest& request) {
  // What is made of errors is no function of the means alone.
  if (request.run.loaded.model->uses_errors) return std::nullopt;
  const std::size_t n_axes = request.parameters().size();
  ThreadPool pool(request.options.execution.n_threads);
  ThetaScan<double> scan(request.run.loaded, request.run.weights, request.choice.windows.size(), pool);
  const std::vector<RangeMap> maps = range_maps(request.parameters());
  const std::vector<double> middle = ThetaBox(request.parameters()).middle();
  std::vector<double> start;
  for (std::size_t p = 0; p < n_axes; ++p) start.push_back(maps[p].out_of(middle[p]));
  Box box{std::vector<double>(n_axes, 0.0), std::vector<double>(n_axes, 1.0)};
  for (std::size_t k = 0; k < kMostFits; ++k) {
    SurrogateDensity surrogate(request, box);
    if (!surrogate.fit(request, scan)) return std::nullopt;
    const LogDensity density = on_whole_space(request.parameters(), surrogate);
    const NutsOptions trial{.n_warmup = kWarmupOfTrial,
                            .n_draws = kDrawsOfTrial,
                            .seed = request.options.seed,
                            .chain = request.options.chains + k};
    std::vector<std::vector<double>> draws;
    for (NutsDraw& draw : run_nuts(density, start, trial).draws) {
      for (std::size_t p = 0; p < n_axes; ++p) draw.position[p] = maps[p].into(draw.position[p]);
      draws.push_back(std::move(draw.position));
    }
    const double apart = surrogate.scatter(request, scan, draws);
    if (apart <= (k + 1 < kMostFits ? kGoodScatter : kMostScatter)) return surrogate;
    box = surrogate.around(draws);
  }
  return std::nullopt;
}

}  // namespace greybox
