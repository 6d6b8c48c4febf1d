// Profiles of a regularizer or of the misfit over all parameters, from every source: what verdicts are read
// from where the data can be matched.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "analysis/matching/matched_sources.hpp"
#include "analysis/verdict/axis_profiles.hpp"
#include "greybox/execution.hpp"

namespace greybox {

struct StudyOptions {
  // Parameters that are not varied.
  Theta held{};
  std::size_t n_resamples = 32;
  std::uint64_t seed = 0;
  Execution execution{};
};

// Of one quantity.
struct ThetaStudy {
  bool is_of_misfit = false;
  // Whether what the data ask for had to be found by smoothing them; not in algebraic models.
  bool is_smoothed = false;
  // Parameters that vary.
  std::vector<std::size_t> axes;
  // Coordinates of all parameters at points all over the prior.
  std::vector<std::vector<double>> spread;
  // Of each source, and of each once more where the data exclude θ.
  std::vector<std::size_t> networks;
  // Likewise.
  std::vector<QuantityProfiles> profiles;
  // Coordinates along an axis, [place among the axes].
  std::vector<std::vector<double>> positions;
  // Whether the data alone exclude θ, and from which misfit on.
  MisfitLimit limit;
  // Whether a descent from the lowest point that was found still lowers the quantity.
  bool still_falls = false;
  std::size_t n_windows = 0, n_resamples = 0;

  std::size_t n_networks() const {
    return networks.empty() ? 0 : *std::max_element(networks.begin(), networks.end()) + 1;
  }
};

// Studies one quantity at a time: memory does not grow with the number of regularizers.
class ThetaStudies {
 public:
  // Everything must outlive the studies. Begins with the misfit, which limits θ for all regularizers.
  ThetaStudies(const OpenedRun& run, const MatchedSources& sources, const StudyOptions& options,
               ThreadPool& pool);
  ~ThetaStudies();

  // Of a regularizer, or of the misfit, which is numbered after them; replaces the study before. Throws
  // Interruption when cancelled.
  const ThetaStudy& study(std::size_t quantity);
  const ThetaStudy& last() const;
  // The lowest value of the last quantity, for the first source, over some of the parameters from `u` down.
  ProfilePoint lowest_from(const std::vector<double>& u, const std::vector<std::size_t>& free);

 private:
  class Worker;
  std::unique_ptr<Worker> worker_;
};

}  // namespace greybox
