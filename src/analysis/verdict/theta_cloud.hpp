// Regularizers at many θ all over the prior, for every network and many resampled sets of windows: what
// verdicts are read from.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "analysis/run/networks.hpp"
#include "analysis/run/window_choice.hpp"
#include "analysis/verdict/theta_study.hpp"

namespace greybox {

// One network on one set of windows.
struct CloudReplicate {
  std::size_t network = 0;
  std::vector<std::vector<double>> regularizers;  // [regularizer of the cloud][point]
};

// Points are in coordinates in which the likely range of every varied parameter is [0, 1].
struct ThetaCloud {
  std::vector<std::size_t> parameters;     // which of the model's vary
  std::size_t n_bins = 0;                  // along each of them
  std::size_t n_spread = 0;                // these points fill the box evenly; the rest crowd where R is low
  std::vector<double> points;              // points × varied parameters
  std::vector<std::uint8_t> is_poor;       // the network did not adapt, or values are not finite
  std::vector<CloudReplicate> replicates;  // [0] is the run's own network on the windows as they are
  std::size_t n_networks = 1, n_windows = 0;

  std::size_t n_axes() const { return parameters.size(); }
  std::size_t size() const { return is_poor.size(); }
  double at(std::size_t point, std::size_t axis) const { return points[point * n_axes() + axis]; }
  std::size_t bin(std::size_t point, std::size_t axis) const;
  double bin_middle(std::size_t bin) const;
};

// Which of the model's regularizers a cloud is of.
struct CloudRange {
  std::size_t first = 0, n = 0;
};

// How many regularizers a cloud can take at once in the memory that all clouds keep to (256 MiB), with points
// enough for each; at least one.
std::size_t regularizers_at_once(const OpenedRun& run, const Networks& networks, const WindowChoice& choice,
                                 const StudyOptions& options);

// Of the regularizers in the range alone. Throws Interruption when cancelled.
ThetaCloud make_cloud(const OpenedRun& run, const Networks& networks, const WindowChoice& choice,
                      const StudyOptions& options, const CloudRange& range);

}  // namespace greybox
