// The data, smoothed in several ways: what a verdict may rest on has to hold for each.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "analysis/matching/matched_model.hpp"
#include "analysis/run/networks.hpp"
#include "analysis/run/window_choice.hpp"

namespace greybox {

struct MatchedSource {
  std::size_t network = 0;
  MatchedData data;
  Projections projections;
  // At which the network smoothed the data.
  std::vector<double> theta;
};

struct MatchedSources {
  // Why there are none; empty: there are.
  std::string obstacle{};
  // How states that are not measured were found; empty: all are.
  std::string note{};
  // What would make verdicts surer there.
  std::string advice{};
  // What the equations of hidden states are taken to lack, as a part of their rates.
  double lack = 0;
  MatchingPoints points{};
  std::vector<MatchedSource> sources{};
};

MatchedSources make_sources(const OpenedRun& run, const Networks& networks, const WindowChoice& choice,
                            ThreadPool& pool);

// Where starts are learned: one more source, which asks for about as much more than the learned starts as the
// least ones ask for less. For bands: verdicts are about the least correction.
void add_opposite_starts(MatchedSources& made);

}  // namespace greybox
