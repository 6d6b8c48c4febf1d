#include "analysis/structure/invariant.hpp"

#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>

namespace greybox {
namespace {

enum class Form : std::uint8_t { linear, logarithm, square, exponential };
constexpr std::array kForms = {Form::linear, Form::logarithm, Form::square, Form::exponential};
constexpr double kIndependent = 1e-3;
constexpr std::size_t kMostMixed = 3;  // parameters whose forms are tried in all mixtures

double slope_of(Form form, double theta) {
  switch (form) {
    case Form::linear:
      return 1;
    case Form::logarithm:
      return 1 / theta;
    case Form::square:
      return 2 * theta;
    case Form::exponential:
      return std::exp(theta);
  }
  return 1;
}

// Σ cᵢ fᵢ(θᵢ) over some of the parameters; the others have the factor 0.
struct Combination {
  std::vector<Form> forms;
  std::vector<double> factors;

  Eigen::VectorXd gradient(const std::vector<double>& theta, const std::vector<double>& ranges) const {
    Eigen::VectorXd result(static_cast<Eigen::Index>(theta.size()));
    for (std::size_t i = 0; i < theta.size(); ++i)
      result(static_cast<Eigen::Index>(i)) = factors[i] * slope_of(forms[i], theta[i]) * ranges[i];
    return result;
  }
};

bool is_determined(const Combination& combination, const std::vector<TiedPoint>& points,
                   const std::vector<double>& ranges, double tolerance) {
  return std::ranges::all_of(points, [&](const TiedPoint& point) {
    const Eigen::VectorXd gradient = combination.gradient(point.theta, ranges);
    return (point.projection * gradient).norm() <= tolerance * gradient.norm();
  });
}

// Small whole numbers where they fit, so that the smallest factor is one of them.
std::vector<double> readable(std::vector<double> factors, double tolerance) {
  double smallest = INFINITY;
  for (const double f : factors)
    if (f != 0) smallest = std::min(smallest, std::abs(f));
  const auto first = std::ranges::find_if(factors, [](double f) { return f != 0; });
  const double unit = *first > 0 ? smallest : -smallest;
  for (const double multiple : {1.0, 2.0, 3.0, 4.0, 5.0, 6.0}) {
    std::vector<double> whole;
    for (const double f : factors) whole.push_back(std::round(f / unit * multiple));
    const auto fits = [&](double f, double w) {
      return std::abs(f / unit * multiple - w) <= 3 * tolerance * std::abs(w);
    };
    if (std::equal(factors.begin(), factors.end(), whole.begin(), fits)) return whole;
  }
  for (double& f : factors) f /= unit;
  return factors;
}

std::string term(Form form, const std::string& name) {
  if (form == Form::square) return name + "^2";
  return form == Form::exponential ? fmt::format("exp({})", name) : name;
}

std::string sum_text(const Combination& combination, const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const double f = combination.factors[i];
    if (f == 0 || combination.forms[i] == Form::logarithm) continue;
    const std::string size = std::abs(f) == 1 ? "" : fmt::format("{:.3g}·", std::abs(f));
    const char* sign = text.empty() ? (f < 0 ? "-" : "") : (f < 0 ? " - " : " + ");
    text += sign + size + term(combination.forms[i], names[i]);
  }
  return text;
}

std::string product_text(const Combination& combination, const std::vector<std::string>& names) {
  std::string above, below;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const double f = combination.factors[i];
    if (f == 0 || combination.forms[i] != Form::logarithm) continue;
    std::string& part = f > 0 ? above : below;
    const std::string power = std::abs(f) == 1 ? "" : fmt::format("^{:.3g}", std::abs(f));
    part += (part.empty() ? "" : "·") + names[i] + power;
  }
  if (below.empty()) return above;
  const bool is_one = below.find("·") == std::string::npos;
  return (above.empty() ? "1" : above) + "/" + (is_one ? below : "(" + below + ")");
}

std::string text_of_combination(const Combination& combination, const std::vector<std::string>& names) {
  const std::string sum = sum_text(combination, names), product = product_text(combination, names);
  if (product.empty()) return sum;
  return sum.empty() ? product : fmt::format("{}·exp({})", product, sum);
}

// The factors that make this mixture of forms constant, where only one combination is determined: then its
// gradient is known up to a factor at every point.
std::optional<Combination> fit_factors(const std::vector<Form>& forms, const std::vector<TiedPoint>& points,
                                       const std::vector<double>& ranges, double tolerance) {
  const TiedPoint& at = points[0];
  const Eigen::Index n = at.projection.rows();
  const Eigen::MatrixXd rest = Eigen::MatrixXd::Identity(n, n) - at.projection;
  Eigen::Index longest = 0;
  rest.colwise().norm().maxCoeff(&longest);
  Combination combination{forms, {}};
  for (std::size_t i = 0; i < forms.size(); ++i)
    combination.factors.push_back(rest(static_cast<Eigen::Index>(i), longest) /
                                  (slope_of(forms[i], at.theta[i]) * ranges[i]));
  combination.factors = readable(combination.factors, tolerance);
  const bool is_finite =
      std::ranges::all_of(combination.factors, [](double f) { return std::isfinite(f) && f != 0; });
  if (!is_finite || !is_determined(combination, points, ranges, tolerance)) return std::nullopt;
  return combination;
}

bool logarithms_exist(const std::vector<Form>& forms, const std::vector<TiedPoint>& points) {
  for (const TiedPoint& point : points)
    for (std::size_t i = 0; i < forms.size(); ++i)
      if (forms[i] == Form::logarithm && point.theta[i] <= 0) return false;
  return true;
}

// Mixtures of forms, uniform ones first.
std::vector<std::vector<Form>> mixtures(std::size_t n) {
  std::vector<std::vector<Form>> all;
  for (const Form form : kForms) all.emplace_back(n, form);
  if (n > kMostMixed) return all;
  std::vector<Form> mixture(n);
  const std::function<void(std::size_t)> extend = [&](std::size_t i) {
    if (i == n) return all.push_back(mixture);
    for (const Form form : kForms) {
      mixture[i] = form;
      extend(i + 1);
    }
  };
  extend(0);
  return all;
}

// Products, quotients and sums of two or three parameters, and the sum of all.
std::vector<Combination> simple_combinations(std::size_t n) {
  std::vector<Combination> all;
  const auto add = [&](Form form, std::initializer_list<std::pair<std::size_t, double>> chosen) {
    Combination one{std::vector<Form>(n, form), std::vector<double>(n, 0.0)};
    for (const auto& [i, factor] : chosen) one.factors[i] = factor;
    all.push_back(one);
  };
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 1; j < n; ++j) {
      for (const double factor : {1.0, -1.0}) {
        add(Form::linear, {{i, 1.0}, {j, factor}});
        add(Form::logarithm, {{i, 1.0}, {j, factor}});
      }
      for (std::size_t k = j + 1; k < n; ++k)
        for (const Form form : {Form::linear, Form::logarithm}) add(form, {{i, 1.0}, {j, 1.0}, {k, 1.0}});
    }
  all.push_back({std::vector<Form>(n, Form::linear), std::vector<double>(n, 1.0)});
  return all;
}

// Whether one more gradient adds to the rank of those found.
bool is_new(const std::vector<Combination>& found, const Combination& candidate, const TiedPoint& at,
            const std::vector<double>& ranges) {
  Eigen::MatrixXd gradients(at.projection.rows(), static_cast<Eigen::Index>(found.size() + 1));
  for (std::size_t k = 0; k < found.size(); ++k)
    gradients.col(static_cast<Eigen::Index>(k)) = found[k].gradient(at.theta, ranges).normalized();
  gradients.rightCols(1) = candidate.gradient(at.theta, ranges).normalized();
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(gradients);
  qr.setThreshold(kIndependent);
  return qr.rank() == gradients.cols();
}

}  // namespace

std::vector<std::string> determined_combinations(const std::vector<std::string>& names,
                                                 const std::vector<TiedPoint>& points,
                                                 const std::vector<double>& ranges,
                                                 const NameOptions& options) {
  std::vector<Combination> found;
  if (options.n_wanted == 1)
    for (const std::vector<Form>& forms : mixtures(names.size())) {
      if (!logarithms_exist(forms, points)) continue;
      if (const auto one = fit_factors(forms, points, ranges, options.tolerance)) {
        found.push_back(*one);
        break;
      }
    }
  for (const Combination& candidate : simple_combinations(names.size())) {
    if (found.size() >= options.n_wanted) break;
    if (logarithms_exist(candidate.forms, points) &&
        is_determined(candidate, points, ranges, options.tolerance) &&
        is_new(found, candidate, points[0], ranges))
      found.push_back(candidate);
  }
  std::vector<std::string> texts;
  for (const Combination& one : found) texts.push_back(text_of_combination(one, names));
  return texts;
}

}  // namespace greybox
