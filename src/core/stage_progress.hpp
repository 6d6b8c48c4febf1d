// One stage of a long computation: its progress reported, and its end once it is cancelled.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "greybox/error.hpp"
#include "greybox/execution.hpp"

namespace greybox {

// How far one loop has come; called by code that knows nothing of stages. What it throws ends the loop.
using LoopProgress = std::function<void(std::size_t n_done, std::size_t n_total)>;

class StageProgress {
 public:
  StageProgress(const Execution& execution, std::string stage, std::string unit)
      : execution_(execution), stage_(std::move(stage)), unit_(std::move(unit)) {}

  // Throws Interruption once the computation is cancelled.
  void stop_if_cancelled() const {
    if (execution_.is_cancelled()) throw Interruption(stage_ + " interrupted");
  }
  // The same, and reports.
  void show(std::size_t n_done, std::size_t n_total) const {
    stop_if_cancelled();
    report(n_done, n_total);
  }
  void report(std::size_t n_done, std::size_t n_total) const {
    if (execution_.progress)
      execution_.progress({.stage = stage_, .unit = unit_, .n_done = n_done, .n_total = n_total});
  }

 private:
  const Execution& execution_;
  std::string stage_, unit_;
};

inline constexpr const char* kPairs = "pairs of θ and window";

}  // namespace greybox
