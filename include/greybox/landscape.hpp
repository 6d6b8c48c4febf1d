// Landscapes: regularizers and errors of a trained model over its parameters.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "greybox/fit.hpp"
#include "greybox/run.hpp"
#include "greybox/shard.hpp"
#include "greybox/verdict.hpp"

namespace greybox {

struct VariedParameter {
  std::string name;
  // None: the prior's bounds, or its central 99 % where there are none.
  std::optional<double> low{}, high{};
  // None: 101, or 41 where there are several grids.
  std::optional<std::size_t> n_points{};
};

// Where the parameters that are not varied are held.
enum class ReferencePoint : std::uint8_t {
  // θ of the run if it has one, else the prior's median.
  prior,
  // What the model's [estimator] gives, the mean over the windows.
  estimator,
  // The last estimate of the run.
  estimate,
};

// A plane through all parameters instead of axes along them.
struct RandomPlane {};
struct PrincipalPlane {
  // The plane through the draws of the prior with the lowest values of this regularizer; empty: of the
  // training's.
  std::string regularizer{};
};
using LandscapePlane = std::variant<std::monostate, RandomPlane, PrincipalPlane>;

struct LandscapeOptions {
  // Empty: all parameters; of more than two, every pair.
  std::vector<VariedParameter> vary{};
  // Expressions beyond those of the model file.
  std::vector<std::string> regularizers{};
  // By default the validation windows, so that an estimate on the test windows uses others.
  Selection on{};
  // Only so many windows, drawn by `seed`, one from each of as many equal parts of them; 0: all.
  std::size_t n_windows = 0;
  // Other data than the run's own.
  std::optional<Table> data{};
  ReferencePoint reference = ReferencePoint::prior;
  // Values of parameters that are not varied, whatever the reference says.
  Theta at{};
  // Instead of `vary`.
  LandscapePlane plane{};
  // Of the windows that are drawn, of planes, and of the θ for `retrain`.
  std::uint64_t seed = 0;
  // Total number of networks, including the run's own; more than one give bands. The others are trained with
  // the seeds that follow the run's, once: they are kept in the run (of a folder, in RUN/seeds).
  std::size_t seeds = 1;
  // Further finished runs of the same model.
  std::vector<Run> with{};
  // Compare with so many trainings at fixed θ.
  std::size_t retrain = 0;
  // Short refits per grid, at most, where θ do not fit and the data alone do not tell why; 0: none.
  std::size_t refits = 3;
  // Compute every θ, even where values between few of them can be interpolated without a visible error.
  bool exact = false;
  bool single_precision = false;
  // Of `train_networks`.
  Shard shard{};
  Execution execution{};
};

struct LandscapeAxis {
  std::string name, unit, about;
  std::vector<double> values;
  // Evenly spaced logarithms instead of evenly spaced values.
  bool is_log = false;
};

struct LandscapeMinimum {
  std::vector<double> theta;  // one value per axis
  double value = 0;
  // Standard deviation over the networks there; 0 for one network.
  double spread = 0;
  // The parameters that the axes determine: in a plane, all of them.
  Theta parameters{};
  // It lies beside θ that do not fit, where R is lower still: R may have no minimum here.
  bool is_cut_off = false;
};

// What several networks say about one quantity; all empty for one network.
struct LandscapeBand {
  std::vector<double> spread;                 // standard deviation over the networks, per point
  std::vector<std::vector<double>> networks;  // the values of each
};

// Values over the grid of the axes (of several networks, their mean), the last axis running fastest; NaN
// where a trajectory became non-finite.
struct LandscapeMap {
  std::string name, expression;
  std::vector<double> values;
  // Among θ that fit and are not excluded, lowest first; without those too shallow to tell from the grid's
  // own roughness.
  std::vector<LandscapeMinimum> minima;
  LandscapeBand band{};
  std::vector<std::vector<LandscapeMinimum>> network_minima{};  // of each network
  // Points that might be the lowest for another network: their height above the lowest point of the mean is
  // within twice the spread of that height. Empty for one network.
  std::vector<std::uint8_t> may_be_lowest{};
  // R of the correction that the data ask for at each θ: what a network that fitted them perfectly would
  // give. Empty where the states are not measured, and for models with fields.
  std::vector<double> matched{};
  // 95 % band of the R of the true correction: from the lower to the higher of what the matched values on
  // resampled windows and the networks' prediction interval say. Empty where `matched` is.
  std::vector<double> low{}, high{};
  // Median distance of the values from the matched ones, without what is common to all points, as a part of
  // their rise.
  double matched_difference = 0;
  // Errors of each observed variable where the values are lowest, of the run's own network; empty where
  // nothing is measured.
  std::vector<OutputError> outputs{};
  // The lowest point of all, where that does not fit the data or is excluded by them.
  std::optional<LandscapeMinimum> unconstrained{};
};

// A plane through the parameter space: θ = origin + Σ coordinate of an axis · its direction.
struct LandscapeView {
  std::string kind;  // random or pca; empty: axes are parameters
  std::vector<std::string> parameters;
  std::vector<double> origin;                   // one value per parameter
  std::vector<std::vector<double>> directions;  // [axis][parameter]
};

// What a network that learns a little longer for this θ alone makes of L.
struct RefittedPoint {
  // One value per axis.
  std::vector<double> point;
  Theta theta;
  double rmse = 0, refitted_rmse = 0;
  // Now it does: the network had not adapted to this θ. Else the data exclude it, or the network is too
  // small.
  bool fits = false;
};

// One grid over one or two parameters, or over a plane.
struct LandscapeGrid {
  std::string model, split;
  std::size_t n_windows = 0;
  std::vector<LandscapeAxis> axes;  // one or two
  // Parameters that are not varied, and their names in the order of the model file.
  Theta held;
  std::vector<std::string> held_names{};
  std::vector<LandscapeMap> maps;   // one per regularizer
  std::vector<double> rmse, nrmse;  // nrmse: rmse over the range of the data
  // θ that do not fit the data: L is above the run's `fit.loss_limit`, or not a number.
  std::vector<std::uint8_t> is_poor;
  // θ that the data exclude whatever the network: they ask for a derivative or output that none with these
  // inputs and outputs can give. Empty where that is not known.
  std::vector<std::uint8_t> is_excluded{};
  // Where it is not known: networks that learned a little longer for one poor θ alone.
  std::vector<RefittedPoint> refits{};
  // A sentence about poor θ, and why they are.
  std::string adaptivity;
  LandscapeBand rmse_band{}, nrmse_band{};
  std::vector<std::uint64_t> seeds{};  // of the networks
  LandscapeView view{};
  // θ at which networks were evaluated; values at the others are interpolated, and R is wrong by no more than
  // `interpolation_error` of its range wherever that was checked.
  std::size_t n_computed = 0;
  double interpolation_error = 0;
};

// R at a fixed θ: what the adaptive networks say, and a network trained for this θ alone.
struct RetrainedValue {
  std::string regularizer;
  double adaptive = 0, spread = 0;  // mean and standard deviation over the networks
  // Half-width of the 95 % prediction interval for one more network; like the spread NaN for one network.
  double band = 0;
  double retrained = 0;
  bool is_within = false;  // the band
};

struct RetrainedPoint {
  Theta theta;
  double adaptive_rmse = 0, retrained_rmse = 0;
  std::vector<RetrainedValue> values;  // one per regularizer
};

// How far the two agree about one regularizer, over all θ that were retrained.
struct RetrainedSummary {
  std::string regularizer;
  std::size_t n_points = 0;      // without trainings that diverged
  std::size_t n_within = 0;      // their bands
  double median_difference = 0;  // as a part of the range of R over these θ
  double rank_correlation = 0;   // Spearman's
};

struct Landscape {
  // One; over more than two parameters, one for every pair.
  std::vector<LandscapeGrid> grids;
  // With `retrain`.
  std::vector<RetrainedPoint> retrained;
  std::vector<RetrainedSummary> retrained_summary;
  std::vector<std::string> warnings;
};

// Throws InputError for the user's mistakes, Interruption when cancelled. The run's ledger remembers what was
// looked at.
Landscape landscape(const Run& run, const LandscapeOptions& options = {});

struct TrainedNetworks {
  // Trainings of this shard, and those of them that had been finished before.
  std::size_t n_trainings = 0, n_kept = 0;
};

// Trains what `seeds` and `retrain` of a landscape need beside the run, and keeps it there; of a shard its
// part alone. A landscape of the same options then finds them. Throws as `landscape` does.
TrainedNetworks train_networks(const Run& run, const LandscapeOptions& options);

// One JSON object: minima, ranges and sentences, not the values of the grids; with verdicts where they are
// given.
std::string to_json(const Landscape& landscape, const Verdicts* verdicts = nullptr);

// Where `folder` holds another landscape (other axes, networks, windows or held values, or regularizers that
// this one lacks), moves that folder out of the way; returns where it is now, or an empty path.
std::filesystem::path set_aside_other_landscape(const Landscape& landscape,
                                                const std::filesystem::path& folder);

// Writes landscape.npz, .csv, .svg and .png into the folder; of several grids, landscape-A-B.npz and so on.
// Returns what was written.
std::vector<std::filesystem::path> write_grids(const std::vector<LandscapeGrid>& grids,
                                               const std::filesystem::path& folder);
// The same, with landscape.json and, where there is a comparison with retrained networks, retrained.csv, .svg
// and .png.
std::vector<std::filesystem::path> write_landscape(const Landscape& landscape,
                                                   const std::filesystem::path& folder,
                                                   const Verdicts* verdicts = nullptr);

}  // namespace greybox
