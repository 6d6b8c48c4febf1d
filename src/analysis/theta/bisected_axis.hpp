// The points of an axis in levels, each of which halves the intervals of the one before.
#pragma once

#include <cstddef>
#include <vector>

namespace greybox {

// Between neighbouring points of a level; `middle` is the next level's point between them, or the low end
// where there is none.
struct BisectedInterval {
  std::size_t low, high, middle;
  bool is_divided() const { return middle != low; }
};

class BisectedAxis {
 public:
  // Of points 0 to n - 1. The first level has up to five.
  explicit BisectedAxis(std::size_t n);

  std::size_t n_points() const { return levels_.back().size(); }
  std::size_t n_levels() const { return levels_.size(); }
  // Levels beyond the last are like it.
  const std::vector<std::size_t>& points(std::size_t level) const;
  // Between them; of a single point one without a middle.
  std::vector<BisectedInterval> intervals(std::size_t level) const;

 private:
  std::vector<std::vector<std::size_t>> levels_;
};

}  // namespace greybox
