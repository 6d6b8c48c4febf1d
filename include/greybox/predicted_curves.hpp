// Predictions as curves beside what was measured, with bands over networks and over draws of θ.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "greybox/picture.hpp"
#include "greybox/run.hpp"
#include "greybox/theta_from.hpp"

namespace greybox {

struct CurveOptions {
  // A value for every parameter; empty: as `theta_from` says. From a distribution, curves are at its mean,
  // and there is a band over its draws.
  Theta theta{};
  ThetaFrom theta_from = ThetaFrom::automatic;
  // Other data than the run's own.
  std::optional<Table> data{};
  // By default the test windows.
  Selection on{};
  // Of these windows, so many, from all series and times; of an algebraic model, points.
  std::size_t n_shown = 6, n_points = 2000;
  // Networks that there is a band over: the run's and others, as for landscapes.
  std::size_t seeds = 1;
  std::vector<Run> with{};
  std::size_t draws = 50;
  // Share of the draws that their band holds.
  double level = 0.9;
  Execution execution{};
};

// At the places of a curve; empty where there is none.
struct CurveBand {
  std::vector<double> low, high;
};

struct PredictedCurve {
  // An observed variable.
  std::string name;
  // NaN where nothing was measured.
  std::vector<double> measured_at{}, measured{};
  std::vector<double> at{}, predicted{};
  // From the lowest to the highest network, and between quantiles of the draws.
  CurveBand networks{}, draws{};
};

struct CurvesOfWindow {
  // "C1, from 171"; of points nothing.
  std::string name;
  std::vector<PredictedCurve> curves{};
};

struct PredictedCurves {
  std::string model, on;
  // Time, or the first input of an algebraic model, with its unit.
  std::string across;
  // Points over one of several inputs: lines do not join them.
  bool is_scattered = false;
  Theta theta;
  // The names in `theta`, in the order of the model file.
  std::vector<std::string> parameters;
  std::size_t n_networks = 1, n_draws = 1;
  double level = 0.9;
  std::vector<CurvesOfWindow> windows;
  std::vector<std::string> warnings;
};

// Throws InputError for the user's mistakes and for fields, Interruption when cancelled.
PredictedCurves predicted_curves(const Run& run, const CurveOptions& options = {});

// predictions.svg and predictions.png, and predictions.pdf where a style is asked for.
std::vector<std::filesystem::path> draw_pictures(const PredictedCurves& curves,
                                                 const std::filesystem::path& folder,
                                                 const PictureStyle& style = {});

}  // namespace greybox
