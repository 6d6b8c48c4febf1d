#include "analysis/verdict/flat_directions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "analysis/theta/spread.hpp"

namespace greybox {
namespace {

constexpr int kLargestFactor = 3;       // of factors that are taken for simple
constexpr double kAsGoodAs = 1.3;       // simple factors may leave an interval wider by this much
constexpr double kMuchNarrower = 0.5;   // a tie is worth telling when it is so much narrower than its parts
constexpr double kSumIsBetter = 0.7;    // a sum is reported instead of a product when it is so much narrower
constexpr double kConstant = 0.08;      // a combination is named when the valley varies it by no more
constexpr double kTails = 0.05;         // left out at either end of a spread
constexpr std::size_t kMostSimple = 3;  // parameters for which all simple factors are tried
// Of its parameters' ranges, where a sum is named whose factors are no whole numbers.
constexpr double kLong = 1.0 / 3;
// Coefficients of a sum that somebody would write down.
constexpr double kSmallestFactor = 0.02, kDigitsOfFactor = 2;

// Of a combination that is tried, over the whole prior.
constexpr std::size_t kPointsAlong = 12;

using Factors = std::vector<double>;

double range_of(std::vector<double>& values) {
  std::sort(values.begin(), values.end());
  const auto at = [&](double share) {
    return values[static_cast<std::size_t>(std::lround(share * static_cast<double>(values.size() - 1)))];
  };
  return at(1 - kTails) - at(kTails);
}

// Points of the sublevel set and of the whole prior in coordinates in which a tie is a linear form: θ or log
// θ.
class TieSearch {
 public:
  TieSearch(const Valley& valley, std::vector<std::size_t> axes, const VariedParameters& varied,
            bool is_product)
      : axes_(std::move(axes)),
        varied_(varied),
        is_product_(is_product),
        is_long_(is_long(valley)),
        best_(coordinates(valley.best)) {
    add(valley.all, all_);
    add(valley.low, low_);
  }

  std::optional<Tie> best() const {
    if (low_.size() < 3 * axes_.size() || all_.size() < 3 * axes_.size()) return {};
    Factors factors = narrowest();
    double share = share_of(factors);
    if (const auto simple = simplest(share); simple) {
      factors = *simple;
      share = share_of(factors);
    }
    double narrowest_part = 1;
    for (std::size_t k = 0; k < axes_.size(); ++k) {
      Factors alone(axes_.size());
      alone[k] = 1;
      narrowest_part = std::min(narrowest_part, share_of(alone));
    }
    if (!is_simple(factors)) {
      if (is_product_ || axes_.size() > 2 || !is_long_ || !is_writable(factors[1])) return {};
      // It is the sum as it is written that has to be constant.
      factors[1] = rounded(factors[1]);
      share = share_of(factors);
    }
    if (share > kMuchNarrower * narrowest_part || whole_share_of(factors) > kConstant) return {};
    return described(factors, share);
  }

 private:
  // Whether the valley leaves each of the parameters open: a short piece of any curve is a line.
  bool is_long(const Valley& valley) const {
    return std::ranges::all_of(axes_, [&](std::size_t axis) {
      std::vector<double> u{valley.best[axis]};
      for (const std::vector<double>& point : valley.low) u.push_back(point[axis]);
      const auto [first, last] = std::ranges::minmax_element(u);
      return *last - *first > kLong;
    });
  }

  std::vector<double> coordinates(const std::vector<double>& u) const {
    std::vector<double> row;
    for (std::size_t axis : axes_) {
      const double theta = varied_.in_units(axis, u[axis]);
      row.push_back(is_product_ ? std::log(theta) : theta);
    }
    return row;
  }

  void add(const std::vector<std::vector<double>>& points, std::vector<std::vector<double>>& rows) const {
    for (const std::vector<double>& u : points) {
      std::vector<double> row = coordinates(u);
      if (std::all_of(row.begin(), row.end(), [](double x) { return std::isfinite(x); }))
        rows.push_back(std::move(row));
    }
  }

  static std::vector<double> form(const Factors& factors, const std::vector<std::vector<double>>& rows) {
    std::vector<double> values;
    for (const std::vector<double>& row : rows)
      values.push_back(std::inner_product(row.begin(), row.end(), factors.begin(), 0.0));
    return values;
  }

  double share_of(const Factors& factors) const {
    std::vector<double> low = form(factors, low_), all = form(factors, all_);
    return range_of(low) / range_of(all);
  }

  // Without leaving out tails: the whole valley must agree.
  double whole_share_of(const Factors& factors) const {
    const std::vector<double> low = form(factors, low_), all = form(factors, all_);
    const auto [low_first, low_last] = std::minmax_element(low.begin(), low.end());
    const auto [first, last] = std::minmax_element(all.begin(), all.end());
    return (*low_last - *low_first) / (*last - *first);
  }

  static bool is_simple(const Factors& factors) {
    return std::all_of(factors.begin(), factors.end(), [](double factor) {
      return std::abs(factor) <= kLargestFactor && factor == std::round(factor);
    });
  }

  static bool is_writable(double factor) {
    return std::abs(factor) >= kSmallestFactor && std::abs(factor) <= 1 / kSmallestFactor;
  }

  static double rounded(double factor) {
    const double unit = std::pow(10, std::floor(std::log10(std::abs(factor))) + 1 - kDigitsOfFactor);
    return std::round(factor / unit) * unit;
  }

  // With 1 for the first parameter.
  Factors narrowest() const {
    Factors factors = narrowest_form(low_, all_);
    const double first = factors[0];
    for (double& factor : factors) factor /= first;
    return factors;
  }

  // The smallest whole numbers that are about as good.
  std::optional<Factors> simplest(double share) const {
    if (axes_.size() > kMostSimple) return {};
    std::optional<Factors> found;
    double found_size = 0, found_share = 0;
    for_simple_factors([&](const Factors& factors) {
      const double size = std::accumulate(factors.begin(), factors.end(), 0.0,
                                          [](double sum, double k) { return sum + std::abs(k); });
      if (found && size > found_size) return;
      const double own = share_of(factors);
      if (own > kAsGoodAs * share || (found && size == found_size && own >= found_share)) return;
      found = factors;
      found_size = size;
      found_share = own;
    });
    return found;
  }

  template <class F>
  void for_simple_factors(F&& f) const {
    Factors factors(axes_.size(), -kLargestFactor);
    factors[0] = 1;
    for (;;) {
      if (std::find(factors.begin(), factors.end(), 0) == factors.end()) f(factors);
      std::size_t k = factors.size();
      while (k > 0 && factors[k - 1] == kLargestFactor) --k;
      if (k == 0) return;
      factors[k - 1] += 1;
      for (; k < factors.size(); ++k) factors[k] = -kLargestFactor;
    }
  }

  Tie described(const Factors& factors, double share) const {
    Tie tie{axes_, factors, is_product_, share, 0, {}};
    const auto value = [&](double form) { return is_product_ ? std::exp(form) : form; };
    tie.best = value(form(factors, {best_})[0]);
    const std::vector<double> low = form(factors, low_);
    const auto [first, last] = std::minmax_element(low.begin(), low.end());
    tie.interval = {value(*first), value(*last)};
    return tie;
  }

  std::vector<std::size_t> axes_;
  const VariedParameters& varied_;
  bool is_product_;
  bool is_long_;
  std::vector<double> best_;
  std::vector<std::vector<double>> all_, low_;
};

std::optional<Tie> tie_of(const Valley& valley, const std::vector<std::size_t>& axes,
                          const VariedParameters& varied) {
  const std::optional<Tie> sum = TieSearch(valley, axes, varied, false).best();
  const bool may_be_product =
      std::all_of(axes.begin(), axes.end(), [&](std::size_t a) { return varied.in_units(a, 0) >= 0; });
  if (!may_be_product) return sum;
  const std::optional<Tie> product = TieSearch(valley, axes, varied, true).best();
  if (!product) return sum;
  return sum && sum->share < kSumIsBetter * product->share ? sum : product;
}

}  // namespace

std::vector<Tie> find_ties(const Valley& valley, const std::vector<std::size_t>& open,
                           const VariedParameters& varied) {
  std::vector<Tie> ties;
  for (std::size_t i = 0; i < open.size(); ++i)
    for (std::size_t j = i + 1; j < open.size(); ++j)
      if (const auto tie = tie_of(valley, {open[i], open[j]}, varied)) ties.push_back(*tie);
  if (ties.empty() && open.size() > 2)
    if (const auto tie = tie_of(valley, open, varied)) ties.push_back(*tie);
  return ties;
}

std::vector<std::vector<double>> points_along(const Tie& tie, const Valley& valley,
                                              const VariedParameters& varied) {
  const auto form_of = [&](double theta) { return tie.is_product ? std::log(theta) : theta; };
  const std::size_t last = tie.axes.back();
  std::vector<std::vector<double>> points;
  for (const std::vector<double>& drawn : valley.all) {
    if (points.size() == kPointsAlong) break;
    std::vector<double> u = valley.best;
    double rest = form_of(tie.best);
    for (std::size_t k = 0; k + 1 < tie.axes.size(); ++k) {
      const std::size_t axis = tie.axes[k];
      u[axis] = drawn[axis];
      rest -= tie.factors[k] * form_of(varied.in_units(axis, u[axis]));
    }
    rest /= tie.factors.back();
    const double theta = tie.is_product ? std::exp(rest) : rest;
    if (!(theta >= varied.in_units(last, 0) && theta <= varied.in_units(last, 1))) continue;
    u[last] = varied.coordinates.coordinate(varied.parameters[last], theta);
    points.push_back(std::move(u));
  }
  return points;
}

std::string tie_text(const Tie& tie, const std::vector<std::string>& names) {
  std::string above, below, sum;
  for (std::size_t k = 0; k < tie.axes.size(); ++k) {
    const std::string& name = names[tie.axes[k]];
    const double size = std::abs(tie.factors[k]);
    std::string& side = tie.factors[k] > 0 ? above : below;
    side +=
        fmt::format("{}{}", side.empty() ? "" : "·", size == 1 ? name : fmt::format("{}^{:.2g}", name, size));
    sum += fmt::format("{}{}{}",
                       k == 0               ? ""
                       : tie.factors[k] > 0 ? " + "
                                            : " - ",
                       size == 1 ? "" : fmt::format("{:.2g}·", size), name);
  }
  if (!tie.is_product) return sum;
  if (below.empty()) return above;
  if (below.find("·") != std::string::npos) below = fmt::format("({})", below);
  return fmt::format("{}/{}", above, below);
}

}  // namespace greybox
