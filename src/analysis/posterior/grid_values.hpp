// R and L of models with one or two parameters, over grids and at draws, from as few θ as the distribution
// allows.
#pragma once

#include <deque>
#include <map>

#include "analysis/posterior/posterior.hpp"
#include "analysis/theta/refined_scan.hpp"
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

  // Where that takes too many points: over one grid, as right as its density asks for.
  struct Refined {
    GridAxes axes;
    double beta;
    ThetaValues values;
    std::vector<std::vector<double>> positions;
    // Means, then log L.
    Quantities quantities;
  };

  const Refined& refined(const GridAxes& axes, double beta);
  // At draws; NaN where its grid does not tell.
  RegularizerValues between(const Refined& refined, const std::vector<std::vector<double>>& draws) const;
  const Interpolated* covering(const GridAxes& axes, double beta) const;
  const Interpolated* interpolate(const GridAxes& axes, double beta);
  RegularizerValues compute(std::span<const double> theta);
  RegularizerValues picked(ThetaValues values) const;
  std::vector<double> positions_on(const Refined& refined, std::span<const double> theta) const;

  const OpenedRun& run_;
  const std::vector<std::size_t>& windows_;
  std::size_t regularizer_;
  bool is_exact_;
  ThreadPool pool_;
  ThetaScan<double> scan_;
  StageProgress progress_;
  std::vector<Interpolated> interpolated_;
  bool is_rough_ = false;
  std::deque<Refined> refined_;
  std::map<GridAxes, RegularizerValues> computed_;
};

}  // namespace greybox
