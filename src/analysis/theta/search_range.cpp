#include "analysis/theta/search_range.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace greybox {
namespace {

constexpr std::size_t kMostWidenings = 8;
// Of coordinates: e^±690 are still numbers, with room to multiply.
constexpr double kFarthest = 690;

}  // namespace

SearchRange::SearchRange(const ThetaBox& box) : box_(&box) {
  for (std::size_t p = 0; p < box.size(); ++p) {
    low_.push_back(box.coordinate(p, box.likely_low()[p]));
    high_.push_back(box.coordinate(p, box.likely_high()[p]));
  }
}

// Rounding must not leave the bounds.
double SearchRange::theta_low(std::size_t parameter) const {
  return std::clamp(box_->theta(parameter, low_[parameter]), box_->low()[parameter], box_->high()[parameter]);
}

double SearchRange::theta_high(std::size_t parameter) const {
  return std::clamp(box_->theta(parameter, high_[parameter]), box_->low()[parameter],
                    box_->high()[parameter]);
}

SearchRange SearchRange::around(const std::vector<double>& theta, double factor) const {
  SearchRange range(*box_);
  for (std::size_t p = 0; p < theta.size(); ++p) {
    const double middle = box_->coordinate(p, theta[p]), half = factor * (range.high_[p] - range.low_[p]) / 2;
    const bool is_log = box_->is_log(p);
    const double least = std::max(box_->coordinate(p, box_->low()[p]), is_log ? -kFarthest : -HUGE_VAL);
    const double most = std::min(box_->coordinate(p, box_->high()[p]), is_log ? kFarthest : HUGE_VAL);
    range.low_[p] = std::max(middle - half, least);
    range.high_[p] = std::min(middle + half, most);
  }
  return range;
}

std::vector<std::size_t> SearchRange::at_open_ends(const std::vector<double>& theta, double margin) const {
  std::vector<std::size_t> found;
  for (std::size_t p = 0; p < theta.size(); ++p) {
    const double at = box_->coordinate(p, theta[p]), room = margin * (high_[p] - low_[p]);
    const bool is_low = at <= low_[p] + room && low_[p] > box_->coordinate(p, box_->low()[p]);
    const bool is_high = at >= high_[p] - room && high_[p] < box_->coordinate(p, box_->high()[p]);
    if (is_low || is_high) found.push_back(p);
  }
  return found;
}

PointEstimate search_beyond(const ThetaBox& box, double margin,
                            const std::function<PointEstimate(const SearchRange&)>& search) {
  const SearchRange likely(box);
  PointEstimate best = search(likely);
  std::vector<std::size_t> open = likely.at_open_ends(best.theta, margin);
  std::size_t n_evaluations = best.n_evaluations;
  // Whether something lower was found.
  const auto look_around = [&](double factor) {
    const SearchRange range = likely.around(best.theta, factor);
    PointEstimate found = search(range);
    n_evaluations += found.n_evaluations;
    if (!(found.total < best.total)) return false;
    best = std::move(found);
    open = range.at_open_ends(best.theta, margin);
    return true;
  };
  double factor = 1;
  for (std::size_t k = 0; k < kMostWidenings && !open.empty() && look_around(factor); ++k) factor *= 2;
  // A wide range is coarse: the last look is at the usual distance.
  if (factor > 2 && open.empty()) look_around(1);
  best.at_open_ends = std::move(open);
  best.n_evaluations = n_evaluations;
  return best;
}

}  // namespace greybox
