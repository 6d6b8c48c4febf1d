// What the network learned: f_D against what it depends on, its share, and a formula that may stand for it.
#pragma once

#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "greybox/run.hpp"
#include "greybox/theta_from.hpp"

namespace greybox {

struct ExplainOptions {
  // A value for every parameter; empty: as `theta_from` says.
  Theta theta{};
  ThetaFrom theta_from = ThetaFrom::automatic;
  // By default the training windows, where the network was fitted.
  Selection on{};
  // Other data than the run's own.
  std::optional<Table> data{};
  // Terms of a candidate at the most.
  std::size_t most_terms = 4;
  // Further terms to try beside the usual ones, as expressions in states and inputs:
  // "velocity*abs(velocity)".
  std::vector<std::string> terms{};
  Execution execution{};
};

// What f_D may depend on: a state, an input, the time, or a column of an algebraic model.
struct ExplainedVariable {
  std::string name;
  // Where the data are: its values at the points looked at, sorted.
  std::vector<double> data;
};

// f_D of one component with one variable set to each value of x, all others as in the data.
struct PartialDependence {
  std::string component, variable;
  std::vector<double> x;
  // Over the points: their mean, and their 5 % and 95 % quantiles.
  std::vector<double> mean, low, high;
  // Standard deviation of the mean over that of f_D; near 0 where the variable does not matter by itself.
  double strength = 0;
};

// Sizes of theory and network part of one component.
struct ComponentShare {
  std::string component;
  // Root mean squares.
  double theory = 0, network = 0;
  // Of the squares: f_D² over f_T² + f_D².
  double share = 0;
  // The same by time since the window's start; empty for algebraic models.
  std::vector<double> time, theory_over_time, network_over_time;
};

struct CandidateTerm {
  // In the model file's language.
  std::string text;
  double coefficient = 0;
};

// A formula for f_D of one component, found by forward selection.
struct FormulaCandidate {
  std::string component;
  std::vector<CandidateTerm> terms;
  // "-0.2*velocity", and the component's equation with it added to the theory.
  std::string formula, theory;
  // Against f_D at points of windows left out of the regression: error, share of the variance explained.
  double rmse = std::numeric_limits<double>::quiet_NaN();
  double r2 = std::numeric_limits<double>::quiet_NaN();
  // Root mean square of f_D, for comparison.
  double network = 0;
  // The error by the number of terms, from none on.
  std::vector<double> rmse_by_size;
};

struct Explanation {
  std::string model;
  Theta theta;
  // The windows: a split, or a data file.
  std::string on;
  std::size_t n_windows = 0, n_points = 0;
  std::vector<ExplainedVariable> variables;
  // One per component, as all below.
  std::vector<ComponentShare> shares;
  // By component, then variable; only components with a network part.
  std::vector<PartialDependence> dependences;
  std::vector<FormulaCandidate> candidates;
  std::vector<std::string> warnings;
  // The names in `theta`, in the order of the model file.
  std::vector<std::string> parameters{};
};

// Throws InputError for the user's mistakes, Interruption when cancelled.
Explanation explain(const Run& run, const ExplainOptions& options = {});

// The text of a model file with the candidates in its theory, to be trained again. It is to stand in
// `folder`, from where its data file is found. Throws InputError where the theory cannot be changed.
std::string model_with_candidates(const Run& run, const Explanation& explanation,
                                  const std::filesystem::path& folder);

std::string to_json(const Explanation& explanation);
// Writes explanation.json, dependence.csv, explanation.svg and .png into the folder; returns what was
// written.
std::vector<std::filesystem::path> write_explanation(const Explanation& explanation,
                                                     const std::filesystem::path& folder);

}  // namespace greybox
