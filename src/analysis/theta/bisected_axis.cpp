#include "analysis/theta/bisected_axis.hpp"

#include <algorithm>

namespace greybox {
namespace {

constexpr std::size_t kFirstPoints = 5;

std::vector<std::size_t> halved(const std::vector<std::size_t>& points) {
  std::vector<std::size_t> next = {points.front()};
  for (std::size_t i = 1; i < points.size(); ++i) {
    if (points[i] - points[i - 1] > 1) next.push_back((points[i - 1] + points[i]) / 2);
    next.push_back(points[i]);
  }
  return next;
}

}  // namespace

BisectedAxis::BisectedAxis(std::size_t n) {
  std::vector<std::size_t> points = {0};
  if (n > 1) points.push_back(n - 1);
  while (points.size() < std::min(n, kFirstPoints)) points = halved(points);
  levels_.push_back(points);
  while (levels_.back().size() < n) levels_.push_back(halved(levels_.back()));
}

const std::vector<std::size_t>& BisectedAxis::points(std::size_t level) const {
  return levels_[std::min(level, levels_.size() - 1)];
}

std::vector<BisectedInterval> BisectedAxis::intervals(std::size_t level) const {
  const std::vector<std::size_t>&own = points(level), &next = points(level + 1);
  if (own.size() == 1) return {{own[0], own[0], own[0]}};
  std::vector<BisectedInterval> intervals;
  for (std::size_t i = 1; i < own.size(); ++i) {
    const std::size_t after = *std::upper_bound(next.begin(), next.end(), own[i - 1]);
    intervals.push_back({own[i - 1], own[i], after == own[i] ? own[i - 1] : after});
  }
  return intervals;
}

}  // namespace greybox
