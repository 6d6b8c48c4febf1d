// Profiles of all regularizers and of the misfit over all parameters, from every source: what verdicts are
// read from where the data can be matched.
#pragma once

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

struct ThetaStudy {
  // Parameters that vary.
  std::vector<std::size_t> axes;
  // Coordinates of all parameters at points all over the prior.
  std::vector<std::vector<double>> spread;
  // Of each source.
  std::vector<std::size_t> networks;
  // [source][quantity]
  std::vector<std::vector<QuantityProfiles>> profiles;
  // Coordinates along an axis, [quantity][place among the axes].
  std::vector<std::vector<std::vector<double>>> positions;
  // Whether the data alone exclude θ, and from which misfit on.
  MisfitLimit limit;
  std::size_t n_windows = 0, n_resamples = 0;

  std::size_t misfit() const { return profiles[0].size() - 1; }
  std::size_t n_networks() const { return networks.empty() ? 0 : networks.back() + 1; }
};

// Throws Interruption when cancelled.
ThetaStudy study_theta(const OpenedRun& run, const MatchedSources& sources, const StudyOptions& options,
                       ThreadPool& pool);

}  // namespace greybox
