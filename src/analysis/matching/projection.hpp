// What a network could give where its inputs do not determine everything that the theory depends on: the
// part of a function on the points that is a function of the network's inputs.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "analysis/matching/matched_data.hpp"

namespace greybox {

// A linear map of values at the points: ridge regression on random features of the network's inputs, every
// window predicted from the others.
class Projection {
 public:
  // `inputs`: [input][point]; `units`: of each window, those of one unit are predicted together; `targets`:
  // what the network may have to give, [θ][output][point]. The ridge is the one with which some θ is
  // explained best.
  Projection(const MatchingPoints& points, const std::vector<std::vector<double>>& inputs,
             const std::vector<std::size_t>& units,
             const std::vector<std::vector<std::vector<double>>>& targets);

  void apply(const double* values, double* projected) const;
  void apply_transposed(const double* values, double* projected) const;

 private:
  std::size_t n_points_;
  // [point][point]
  std::vector<double> map_;
};

// One entry per free output of the networks, or none at all; null where the network's inputs determine
// everything.
using Projections = std::vector<std::shared_ptr<const Projection>>;

// Whether some network does not see what the right-hand side that it feeds depends on.
bool has_constrained_network(const BoundModel& model);

Projections make_projections(const LoadedModel& loaded, const MatchingPoints& points, const MatchedData& data,
                             const std::vector<double>& theta);

}  // namespace greybox
