// R and L of models with one or two parameters, over grids and at draws, from as few θ as the distribution
// allows.
#pragma once

#include <map>

#include "analysis/posterior/posterior.hpp"
#include "analysis/theta/interpolated_scan.hpp"
#include "core/stage_progress.hpp"

namespace greybox {

// What was computed once serves every grid within it.
class GridValues {
 public:
  // Of the request's windows and regularizer, whatever its limit of L; what it refers to must outlive it.
  explicit GridValues(const PosteriorRequest& request);

  // At all combinations of values of the axes, the last running fastest: right enough for exp(-β R).
  RegularizerValues over(const GridAxes& axes, double beta);
  // At draws (values × parameters) from such grids.
  RegularizerValues at(std::span<const double> theta, double beta);

 private:
  struct Interpolated {
    InterpolatedMeans means;
    // Of R.
    double error = 0;
  };

  const Interpolated* covering(const GridAxes& axes, double beta) const;
  const Interpolated* interpolate(const GridAxes& axes, double beta);
  RegularizerValues compute(std::span<const double> theta);
  RegularizerValues picked(ThetaValues values) const;

  const OpenedRun& run_;
  const std::vector<std::size_t>& windows_;
  std::size_t regularizer_;
  bool is_exact_;
  ThreadPool pool_;
  ThetaScan<double> scan_;
  StageProgress progress_;
  std::vector<Interpolated> interpolated_;
  std::map<GridAxes, RegularizerValues> computed_;
};

}  // namespace greybox
