#include "model/residual_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/limits.hpp"

namespace greybox {
namespace {

constexpr std::size_t kFewest = 8;
constexpr std::size_t kMostLags = 10;
// Something is off where it is both certain and large enough to matter.
constexpr double kCertain = 0.01, kLargeCorrelation = 0.2, kLargeSquareCorrelation = 0.3, kLargeMean = 0.2,
                 kLargeSkewness = 0.75, kLargeKurtosis = 1.5, kLargeScatter = 1.5;

// One residual, and what it may depend on.
struct Residual {
  double value, time, predicted;
};

// The residuals of each trajectory (a window, of a field a grid point of it) in the order of time; NaN where
// nothing was measured.
using Residuals = std::vector<std::vector<Residual>>;

std::vector<std::size_t> windows_apart(const Prediction& prediction) {
  std::map<std::string, double> end_of_series;
  std::vector<std::size_t> chosen;
  for (std::size_t w = 0; w < prediction.n_windows; ++w) {
    const PredictedWindow& window = prediction.windows[w];
    if (window.n_steps == 0) continue;
    const auto [end, is_first] = end_of_series.try_emplace(window.series, -kInfinity);
    if (window.start < end->second) continue;
    end->second = prediction.time[w * prediction.n_steps + window.n_steps - 1];
    chosen.push_back(w);
  }
  return chosen;
}

Residuals collect(const BoundModel& model, std::size_t observed, const Prediction& prediction,
                  const std::vector<double>& spreads) {
  const PredictedVariable& predicted = prediction.variables[observed];
  const std::vector<double>& measured = prediction.data[model.observed[observed].column].values;
  const std::optional<BoundNoise>& noise = model.observed[observed].noise;
  const std::size_t points = predicted.height * predicted.width;
  Residuals residuals;
  for (std::size_t w : windows_apart(prediction))
    for (std::size_t p = 0; p < points; ++p) {
      std::vector<Residual>& own = residuals.emplace_back();
      for (std::size_t k = 0; k < prediction.windows[w].n_steps; ++k) {
        const std::size_t step = w * prediction.n_steps + k, i = step * points + p;
        const double time = prediction.time[step] - prediction.windows[w].start;
        double value = measured[i] - predicted.values[i];
        if (noise && std::isfinite(value))
          value = noise->family->standardised({predicted.values[i], measured[i],
                                               spreads.empty() ? noise->spread : std::fabs(spreads[i]),
                                               noise->df});
        own.push_back({value, time, predicted.values[i]});
      }
    }
  return residuals;
}

template <class F>
void for_finite(const Residuals& residuals, F&& f) {
  for (const std::vector<Residual>& trajectory : residuals)
    for (const Residual& one : trajectory)
      if (std::isfinite(one.value)) f(one);
}

// NaN where one of them does not vary.
template <class A, class B>
double correlation(const Residuals& residuals, A&& a, B&& b) {
  double n = 0, mean_a = 0, mean_b = 0, aa = 0, bb = 0, ab = 0;
  for_finite(residuals, [&](const Residual& one) {
    n += 1;
    const double off_a = a(one) - mean_a, off_b = b(one) - mean_b;
    mean_a += off_a / n;
    mean_b += off_b / n;
    aa += off_a * (a(one) - mean_a);
    bb += off_b * (b(one) - mean_b);
    ab += off_a * (b(one) - mean_b);
  });
  return aa > 0 && bb > 0 ? ab / std::sqrt(aa * bb) : kNaN;
}

// Of n independent pairs.
double correlation_p(double r, double n) {
  return n > 3
             ? std::erfc(std::fabs(std::atanh(std::clamp(r, -1 + 1e-12, 1 - 1e-12))) * std::sqrt((n - 3) / 2))
             : kNaN;
}

void add_moments(const Residuals& residuals, ResidualReport& report) {
  double n = 0, sum = 0, m2 = 0, m3 = 0, m4 = 0;
  for_finite(residuals, [&](const Residual& one) {
    n += 1;
    sum += one.value;
  });
  report.n = static_cast<std::size_t>(n);
  report.mean = sum / n;
  for_finite(residuals, [&](const Residual& one) {
    const double off = one.value - report.mean;
    m2 += off * off / n;
    m3 += off * off * off / n;
    m4 += off * off * off * off / n;
  });
  report.sd = std::sqrt(m2);
  if (report.n < kFewest || !(m2 > 0)) {
    report.skewness = report.excess_kurtosis = report.normality_p = kNaN;
    return;
  }
  report.skewness = m3 / (m2 * report.sd);
  report.excess_kurtosis = m4 / (m2 * m2) - 3;
  report.normality_p = chi_squared_tail(
      n / 6 * (report.skewness * report.skewness + report.excess_kurtosis * report.excess_kurtosis / 4), 2);
}

// Pairs of one trajectory only; r_k is over all pairs, and counts as one series of their number.
void add_autocorrelation(const Residuals& residuals, ResidualReport& report) {
  report.autocorrelation = report.independence_p = kNaN;
  const auto n = static_cast<double>(report.n);
  if (report.n < kFewest || !(report.sd > 0)) return;
  std::size_t longest = 0;
  for (const std::vector<Residual>& trajectory : residuals) longest = std::max(longest, trajectory.size());
  const std::size_t n_lags = std::min({kMostLags, report.n / 4, longest / 2}) / 2 * 2;
  double sum = 0;
  for (std::size_t lag = 1; lag <= std::max<std::size_t>(n_lags, 1); ++lag) {
    double products = 0, n_pairs = 0, squares_before = 0, squares_after = 0;
    for (const std::vector<Residual>& trajectory : residuals)
      for (std::size_t k = lag; k < trajectory.size(); ++k) {
        const double before = trajectory[k - lag].value - report.mean,
                     after = trajectory[k].value - report.mean;
        if (!std::isfinite(before * after)) continue;
        products += before * after;
        squares_before += before * before;
        squares_after += after * after;
        n_pairs += 1;
      }
    if (n_pairs == 0) break;
    const double r = products / (n * report.sd * report.sd);
    // Of these pairs alone: errors that grow along a trajectory make later ones larger than all together.
    if (lag == 1) report.autocorrelation = products / std::sqrt(squares_before * squares_after);
    sum += r * r / n_pairs;
  }
  if (n_lags > 0 && std::isfinite(report.autocorrelation))
    report.independence_p = chi_squared_tail(n * (n + 2) * sum, n_lags);
}

// Residuals that follow each other count for less than as many independent ones.
double effective_number(const ResidualReport& report) {
  const double r = std::isfinite(report.autocorrelation) ? std::clamp(report.autocorrelation, 0.0, 0.99) : 0;
  return static_cast<double>(report.n) * (1 - r) / (1 + r);
}

void add_dependence(const Residuals& residuals, ResidualReport& report) {
  const auto value = [](const Residual& one) { return one.value; };
  const auto square = [&](const Residual& one) { return std::pow(one.value - report.mean, 2); };
  const auto time = [](const Residual& one) { return one.time; };
  const auto predicted = [](const Residual& one) { return one.predicted; };
  report.with_time = correlation(residuals, value, time);
  report.with_prediction = correlation(residuals, value, predicted);
  report.square_with_prediction = correlation(residuals, square, predicted);
}

class Findings {
 public:
  Findings(const BoundModel& model, std::size_t observed, ResidualReport& report)
      : noise_(model.observed[observed].noise), report_(report), n_(effective_number(report)) {}

  void add() {
    dependence_on_steps();
    mean();
    dependence_on_time_and_prediction();
    scatter();
    tails();
  }

 private:
  bool is_certain(double r, double large) const {
    return std::fabs(r) > large && correlation_p(r, n_) < kCertain;
  }
  bool is_kind(std::initializer_list<NoiseKind> kinds) const {
    return noise_ && std::ranges::find(kinds, noise_->family->kind) != kinds.end();
  }
  void say(const std::string& what) {
    report_.findings.push_back(fmt::format("residuals of {} {}", report_.name, what));
  }

  void dependence_on_steps() {
    if (report_.independence_p < kCertain && std::fabs(report_.autocorrelation) > kLargeCorrelation)
      say(
          fmt::format("are correlated from step to step ({:.2f}): the model misses dynamics, or the noise "
                      "is not independent",
                      report_.autocorrelation));
  }
  void mean() {
    if (report_.mean_p < kCertain && std::fabs(report_.mean) > kLargeMean * report_.sd)
      say(
          fmt::format("are not 0 on average: predictions are {:.2f} of the residuals' standard deviation "
                      "too {}",
                      std::fabs(report_.mean) / report_.sd, report_.mean > 0 ? "low" : "high"));
  }
  void dependence_on_time_and_prediction() {
    if (is_certain(report_.with_time, kLargeCorrelation))
      say(fmt::format("change along the windows (correlation with time {:.2f}): the prediction drifts away",
                      report_.with_time));
    if (is_certain(report_.with_prediction, kLargeCorrelation))
      say(
          fmt::format("depend on what is predicted (correlation {:.2f}): the model is off at its high or "
                      "low values",
                      report_.with_prediction));
  }
  void scatter() {
    if (is_certain(report_.square_with_prediction, kLargeSquareCorrelation) &&
        (!noise_ || is_kind({NoiseKind::normal, NoiseKind::student})))
      say(
          fmt::format("scatter more where the predicted value is {} (correlation {:.2f}): relative, "
                      "lognormal or count noise may fit better",
                      report_.square_with_prediction > 0 ? "high" : "low", report_.square_with_prediction));
    if (!noise_ || report_.n < kFewest || is_kind({NoiseKind::student})) return;
    if (report_.sd > kLargeScatter)
      say(
          fmt::format("scatter {:.2g} times as much as [noise] says: the model misses something, or the "
                      "noise is larger",
                      report_.sd));
    else if (report_.sd < 1 / kLargeScatter)
      say(
          fmt::format("scatter {:.2g} times as much as [noise] says: the noise is smaller, or the network "
                      "has learned it",
                      report_.sd));
  }
  void tails() {
    const bool is_expected = is_kind({NoiseKind::student, NoiseKind::poisson, NoiseKind::negative_binomial});
    if (is_expected || !(report_.normality_p < kCertain)) return;
    if (report_.excess_kurtosis > kLargeKurtosis)
      say(
          fmt::format("have heavier tails than a normal distribution (excess kurtosis {:.2g}): look for "
                      "outliers; kind = \"student\" in [noise] forgives them",
                      report_.excess_kurtosis));
    else if (std::fabs(report_.skewness) > kLargeSkewness)
      say(fmt::format("are skewed ({:.2g})", report_.skewness));
  }

  const std::optional<BoundNoise>& noise_;
  ResidualReport& report_;
  double n_;
};

}  // namespace

double chi_squared_tail(double x, std::size_t df) {
  double term = 1, sum = 1;
  for (std::size_t k = 1; k < df / 2; ++k) {
    term *= x / 2 / static_cast<double>(k);
    sum += term;
  }
  return std::min(1.0, std::exp(-x / 2) * sum);
}

Json json_of(const std::vector<ResidualReport>& residuals) {
  Json json = Json::array();
  for (const ResidualReport& one : residuals)
    json.push_back({{"name", one.name},
                    {"n", one.n},
                    {"standardised", one.is_standardised},
                    {"mean", one.mean},
                    {"sd", one.sd},
                    {"mean_p", one.mean_p},
                    {"autocorrelation", one.autocorrelation},
                    {"independence_p", one.independence_p},
                    {"skewness", one.skewness},
                    {"excess_kurtosis", one.excess_kurtosis},
                    {"normality_p", one.normality_p},
                    {"with_time", one.with_time},
                    {"with_prediction", one.with_prediction},
                    {"square_with_prediction", one.square_with_prediction},
                    {"findings", one.findings}});
  return json;
}

ResidualReport residual_report(const BoundModel& model, std::size_t observed, const Prediction& prediction,
                               const std::vector<double>& spreads) {
  const Residuals residuals = collect(model, observed, prediction, spreads);
  ResidualReport report;
  report.name = model.observed[observed].name;
  report.is_standardised = model.observed[observed].noise.has_value();
  add_moments(residuals, report);
  add_autocorrelation(residuals, report);
  add_dependence(residuals, report);
  const double z = std::fabs(report.mean) / report.sd * std::sqrt(effective_number(report) / 2);
  report.mean_p = report.n >= kFewest ? std::erfc(z) : kNaN;
  // Neighbours of a field are too much alike for these tests.
  if (prediction.variables[observed].height * prediction.variables[observed].width == 1)
    Findings(model, observed, report).add();
  return report;
}

}  // namespace greybox
