// `greybox landscape`: regularizers and errors of a trained model over its parameters.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "greybox/networks.hpp"
#include "greybox/verdict.hpp"

namespace greybox {

struct VariedParameter {
  std::string name;
  std::optional<double> low, high;      // none: the prior's bounds, or its central 99 % where there are none
  std::optional<std::size_t> n_points;  // none: 101, or 41 where there are several landscapes
};

// Where the parameters that are not varied are held.
enum class ReferencePoint : std::uint8_t {
  prior,      // θ of the run if it has one, else the prior's median
  estimator,  // what the model's [estimator] says, the mean over the windows
  estimate,   // the last estimate in RUN/estimates.json
};

struct LandscapeOptions {
  std::filesystem::path run;              // folder with model.toml and weights.npz
  std::filesystem::path data;             // empty: what the run learned from
  std::vector<VariedParameter> vary;      // empty: all parameters; of more than two, every pair
  std::vector<std::string> regularizers;  // expressions beyond those of the model file
  std::string split;                      // train, validation, test, several joined by +, or all
  std::size_t sample = 0;                 // only so many windows, evenly spaced; 0: all of the split
  std::string window;                     // one window instead: its number, or SERIES:TIME
  ReferencePoint reference = ReferencePoint::prior;
  std::map<std::string, double> at;  // values of parameters that are not varied, whatever the reference says
  std::string view;                  // instead of `vary`, a plane: random, pca or pca:REGULARIZER
  std::uint64_t seed = 0;            // of views and of the θ for `retrain`
  NetworkOptions networks;           // more than one give bands; its threads are those below
  std::size_t retrain = 0;           // compare with so many trainings at fixed θ
  bool verdicts = true;              // on every parameter that `at` does not hold
  bool single_precision = false;
  std::size_t n_threads = 0;                               // 0: one per core; results do not depend on it
  std::function<void(std::size_t, std::size_t)> progress;  // (done, all), in pairs of θ and window
  std::function<void(std::size_t, std::size_t)> verdict_progress;
};

struct LandscapeAxis {
  std::string name, unit, about;
  std::vector<double> values;
};

struct LandscapeMinimum {
  std::vector<double> theta;  // one value per axis
  double value = 0;
  double spread = 0;  // standard deviation over the networks there; 0 for one network
  std::map<std::string, double> parameters{};  // what the axes say about them: in a view, all of them
};

// What several networks say about one quantity; all empty for one network.
struct LandscapeBand {
  std::vector<double> spread;                 // standard deviation over the networks, per point
  std::vector<std::vector<double>> networks;  // the values of each
};

// Values over the grid of the axes (of several networks, their mean), the last axis running fastest; NaN
// where a trajectory left the finite numbers.
struct LandscapeMap {
  std::string name, expression;
  std::vector<double> values;
  std::vector<LandscapeMinimum>
      minima;  // lowest first; without those too shallow to tell from the grid's own roughness
  LandscapeBand band{};
  std::vector<std::vector<LandscapeMinimum>> network_minima{};  // of each network
  // Points that might be the lowest for another network: their height above the lowest point of the mean is
  // within twice the spread of that height. Empty for one network.
  std::vector<std::uint8_t> may_be_lowest{};
};

// A plane through the space of parameters: θ = origin + Σ coordinate of an axis · its direction.
struct LandscapeView {
  std::string kind;  // random or pca; empty: axes are parameters
  std::vector<std::string> parameters;
  std::vector<double> origin;                   // one value per parameter
  std::vector<std::vector<double>> directions;  // [axis][parameter]
};

struct Landscape {
  std::string model, split;
  std::size_t n_windows = 0;
  std::vector<LandscapeAxis> axes;     // one or two
  std::map<std::string, double> held;  // parameters that are not varied
  std::vector<LandscapeMap> maps;      // one per regularizer
  std::vector<double> rmse, nrmse;     // nrmse: rmse over the range of the data
  // Where the network did not adapt: L is more than twice its median over the grid, or not a number.
  std::vector<std::uint8_t> is_poor;
  std::string adaptivity;  // a sentence about it
  LandscapeBand rmse_band{}, nrmse_band{};
  std::vector<std::uint64_t> seeds{};  // of the networks
  LandscapeView view{};
};

// R at a fixed θ: what the adaptive networks say, and a network trained for this θ alone.
struct RetrainedValue {
  std::string regularizer;
  double adaptive = 0, spread = 0;  // mean and standard deviation over the networks
  double band =
      0;  // one more network is expected so near to the mean (95 %); like the spread NaN for one network
  double retrained = 0;
  bool is_within = false;  // the band
};

struct RetrainedPoint {
  std::map<std::string, double> theta;
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

struct LandscapeReport {
  std::vector<Landscape> landscapes;
  std::vector<RetrainedPoint> retrained;  // with `retrain`
  std::vector<RetrainedSummary> retrained_summary;
  VerdictReport verdicts;  // unless they were not asked for
  std::vector<std::string> warnings;
  std::string json;
};

// Throws InputError for the user's mistakes, Interruption when cancelled. The run's ledger remembers what was
// looked at.
LandscapeReport landscape(const LandscapeOptions& options);

// Writes landscape.npz, .csv, .svg and .png into the folder; of several landscapes, landscape-A-B.npz and so
// on. Returns what was written.
std::vector<std::filesystem::path> write_landscapes(const std::vector<Landscape>& landscapes,
                                                    const std::filesystem::path& folder);
// The same, with landscape.json and, where there is a comparison with retrained networks, retrained.csv, .svg
// and .png.
std::vector<std::filesystem::path> write_landscape_report(const LandscapeReport& report,
                                                          const std::filesystem::path& folder);

}  // namespace greybox
