// One stage of a long computation: its progress reported, and its end once it is cancelled.
#pragma once

#include <string>
#include <utility>

#include "greybox/error.hpp"
#include "greybox/execution.hpp"

namespace greybox {

class StageProgress {
 public:
  StageProgress(const Execution& execution, std::string stage, std::string unit)
      : execution_(execution), stage_(std::move(stage)), unit_(std::move(unit)) {}

  // Throws Interruption once the computation is cancelled.
  void show(std::size_t n_done, std::size_t n_total) const {
    if (execution_.is_cancelled()) throw Interruption(stage_ + " interrupted");
    if (execution_.progress)
      execution_.progress({.stage = stage_, .unit = unit_, .n_done = n_done, .n_total = n_total});
  }

 private:
  const Execution& execution_;
  std::string stage_, unit_;
};

inline constexpr const char* kPairs = "pairs of θ and window";

}  // namespace greybox
