#include "analysis/landscape/map_work.hpp"

#include <algorithm>
#include <cmath>

namespace greybox {
namespace {

// An interpolation takes at most so much of a map, and one that has taken more than half of that is about to.
constexpr double kShareAtMost = 1.0 / 3, kGrowth = 1.5;
// Before any map is done.
constexpr double kFirstShare = 1.0 / 3;

}  // namespace

void MapWork::begin(std::size_t n_map, bool may_take_less) {
  n_map_ = static_cast<double>(n_map);
  n_left_ = std::max(n_left_ - n_map_, 0.0);
  n_before_ = n_shown_ = 0;
  may_take_less_ = may_take_less;
}

void MapWork::show(std::size_t n_done) {
  n_shown_ = static_cast<double>(n_done);
}

void MapWork::begin_again(bool may_take_less) {
  n_before_ = of_this_map();
  n_shown_ = 0;
  may_take_less_ = may_take_less;
}

void MapWork::end() {
  share_ += n_map_ > 0 ? of_this_map() / n_map_ : 1;
  ++n_ended_;
  n_done_ += of_this_map();
  n_map_ = n_before_ = n_shown_ = 0;
}

std::size_t MapWork::n_done() const {
  return static_cast<std::size_t>(n_done_ + of_this_map());
}

std::size_t MapWork::n_total() const {
  const double usual =
      n_ended_ > 0 ? share_ / static_cast<double>(n_ended_) : (may_take_less_ ? kFirstShare : 1.0);
  const double likely = std::min(std::min(usual, kShareAtMost) * n_map_, n_map_);
  const double map =
      may_take_less_ ? std::max(likely, std::min(kGrowth * of_this_map(), n_map_)) : n_before_ + n_map_;
  return static_cast<std::size_t>(std::ceil(n_done_ + map + usual * n_left_));
}

}  // namespace greybox
