// How much work several maps are, which is known only by and by: a map may be interpolated from a part of its
// points, or turn out to need all of them.
#pragma once

#include <cstddef>

namespace greybox {

class MapWork {
 public:
  // In any unit, of all maps together.
  explicit MapWork(std::size_t n_all) : n_left_(static_cast<double>(n_all)) {}

  // The next map; `may_take_less`: a part of its points may do.
  void begin(std::size_t n_map, bool may_take_less);
  // So much of it is done.
  void show(std::size_t n_done);
  // What is done of it did not do: it is computed in another way.
  void begin_again(bool may_take_less);
  void end();

  std::size_t n_done() const;
  // What is done, and what is expected still.
  std::size_t n_total() const;

 private:
  double of_this_map() const { return n_before_ + n_shown_; }

  // Of maps that are done, and of those after the present one.
  double n_done_ = 0, n_left_;
  // Of those that are done, as a part of what they were thought to be.
  double share_ = 0;
  std::size_t n_ended_ = 0;
  double n_map_ = 0, n_before_ = 0, n_shown_ = 0;
  bool may_take_less_ = false;
};

}  // namespace greybox
