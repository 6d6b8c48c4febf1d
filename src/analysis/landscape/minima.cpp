#include "analysis/landscape/minima.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace greybox {
namespace {

constexpr std::size_t kDry = static_cast<std::size_t>(-1);

// Rising water: points are flooded from the lowest up. Pools grow, and where two meet the one with the higher
// bottom ends; how far it rose is the depth of its minimum.
class Flood {
 public:
  Flood(std::span<const double> values, std::span<const std::size_t> shape)
      : values_(values), shape_(shape), pool_(values.size(), kDry) {}

  std::vector<std::size_t> minima(double min_depth) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < values_.size(); ++i)
      if (!std::isnan(values_[i])) order.push_back(i);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return values_[a] < values_[b]; });
    std::vector<std::size_t> found;
    for (std::size_t point : order) {
      pool_[point] = point;
      for_neighbours(point, shape_, [&](std::size_t neighbour) {
        if (pool_[neighbour] == kDry) return;
        const std::size_t ended = join(point, neighbour);
        if (ended != kDry && values_[point] - values_[ended] >= min_depth) found.push_back(ended);
      });
    }
    for (std::size_t point : order)
      if (pool_[point] == point) found.push_back(point);
    std::stable_sort(found.begin(), found.end(),
                     [&](std::size_t a, std::size_t b) { return values_[a] < values_[b]; });
    return found;
  }

 private:
  // A pool is known by its lowest point.
  std::size_t bottom(std::size_t point) {
    while (pool_[point] != point) point = pool_[point] = pool_[pool_[point]];
    return point;
  }

  // Returns the bottom of the pool that ended, if it was more than this point alone.
  std::size_t join(std::size_t point, std::size_t neighbour) {
    std::size_t lower = bottom(point), higher = bottom(neighbour);
    if (lower == higher) return kDry;
    if (values_[higher] < values_[lower] || (values_[higher] == values_[lower] && higher < lower))
      std::swap(lower, higher);
    pool_[higher] = lower;
    return higher == point ? kDry : higher;
  }

  std::span<const double> values_;
  std::span<const std::size_t> shape_;
  std::vector<std::size_t> pool_;
};

}  // namespace

std::vector<std::size_t> find_minima(std::span<const double> values, std::span<const std::size_t> shape,
                                     double min_depth) {
  return Flood(values, shape).minima(min_depth);
}

}  // namespace greybox
