// Estimates that a run keeps: in RUN/estimates.json, or in memory.
#pragma once

#include <optional>

#include "analysis/run/opened_run.hpp"
#include "data/json_file.hpp"

namespace greybox {

class KeptEstimates {
 public:
  // As they are now. Throws InputError when the file is no list of estimates.
  explicit KeptEstimates(const OpenedRun& run);

  // All of them, as the report shows them.
  const Json& json() const { return estimates_; }

  struct One {
    Theta theta;
    std::string regularizer;
  };
  // The last that is one θ for all windows.
  std::optional<One> last_theta() const;

 private:
  std::string place_;
  Json estimates_;
};

// Whole, also when several processes append at the same time. Throws std::runtime_error when that cannot be
// done.
void keep_estimate(const OpenedRun& run, const Json& estimate);

}  // namespace greybox
