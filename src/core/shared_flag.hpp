// A question that all processes answer at the same step, so that all go the same way from there.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "greybox/communicator.hpp"

namespace greybox {

class SharedFlag {
 public:
  // Null: this process alone.
  explicit SharedFlag(Communicator* others) : others_(others) {
    if (others == nullptr) return;
    flags_.resize(others->size());
    begins_.resize(others->size() + 1);
    std::iota(begins_.begin(), begins_.end(), std::size_t{0});
  }

  // Whether any process says yes. All must ask.
  bool is_raised(bool own) {
    if (others_ == nullptr) return own;
    flags_[others_->rank()] = std::byte{own};
    others_->exchange(flags_, begins_);
    return std::ranges::find(flags_, std::byte{1}) != flags_.end();
  }

 private:
  Communicator* others_;
  std::vector<std::byte> flags_;
  std::vector<std::size_t> begins_;
};

}  // namespace greybox
