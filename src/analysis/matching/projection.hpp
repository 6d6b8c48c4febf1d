// What a network could give where its inputs do not determine everything that the theory depends on, or where
// it is odd, even or zero at zero: the part of a function on the points that is such a function of the
// network's inputs.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "analysis/matching/matched_data.hpp"

namespace greybox {

// What a network reads at the points.
struct NetworkInputs {
  // [input][point]
  std::vector<std::vector<double>> values{};
  // Where the network is called once more, and what that counts for: 1 of an even network, else -1.
  std::vector<std::vector<double>> twin{};
  double twin_sign = -1;
};

// A linear map of values at the points: ridge regression on random features of the network's inputs, every
// window predicted from the others.
class Projection {
 public:
  // `units`: of each window, those of one unit are predicted together; `targets`: what the network may have
  // to give, [θ][output][point]; `leverage`: how much a squared error counts at each point. The ridge is the
  // one with which some θ is explained best.
  Projection(const MatchingPoints& points, const NetworkInputs& inputs, const std::vector<std::size_t>& units,
             const std::vector<std::vector<std::vector<double>>>& targets,
             const std::vector<double>& leverage);

  void apply(const double* values, double* projected) const;
  void apply_transposed(const double* values, double* projected) const;

 private:
  std::size_t n_points_;
  // [point][point]
  std::vector<double> map_;
};

// One entry per free output of the networks, or none at all; null where the network can give anything.
using Projections = std::vector<std::shared_ptr<const Projection>>;

// Whether some network does not see what the right-hand side that it feeds depends on, or has a twin.
bool needs_projection(const BoundModel& model);

Projections make_projections(const LoadedModel& loaded, const MatchingPoints& points, const MatchedData& data,
                             const std::vector<double>& theta);

}  // namespace greybox
