// `greybox landscape`: regularizers and errors of a trained model over its parameters.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace greybox {

struct VariedParameter {
  std::string name;
  std::optional<double> low, high;      // none: the prior's bounds, or its central 99 % where there are none
  std::optional<std::size_t> n_points;  // none: 101, or 41 where there are several landscapes
};

struct LandscapeOptions {
  std::filesystem::path run;              // folder with model.toml and weights.npz
  std::filesystem::path data;             // empty: what the run learned from
  std::vector<VariedParameter> vary;      // empty: all parameters; of more than two, every pair
  std::vector<std::string> regularizers;  // expressions beyond those of the model file
  std::string split;                      // train, validation, test, several joined by +, or all
  std::size_t sample = 0;                 // only so many windows, evenly spaced; 0: all of the split
  std::map<std::string, double> at;       // values of parameters that are not varied
  bool single_precision = false;
  std::size_t n_threads = 0;                               // 0: one per core; results do not depend on it
  std::function<void(std::size_t, std::size_t)> progress;  // (done, all), in pairs of θ and window
};

struct LandscapeAxis {
  std::string name, unit, about;
  std::vector<double> values;
};

struct LandscapeMinimum {
  std::vector<double> theta;  // one value per axis
  double value = 0;
};

// Values over the grid of the axes, the last axis running fastest; NaN where a trajectory left the finite
// numbers.
struct LandscapeMap {
  std::string name, expression;
  std::vector<double> values;
  std::vector<LandscapeMinimum>
      minima;  // lowest first; without those too shallow to tell from the grid's own roughness
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
};

struct LandscapeReport {
  std::vector<Landscape> landscapes;
  std::vector<std::string> warnings;
  std::string json;
};

// Throws InputError for the user's mistakes. The run's ledger remembers what was looked at.
LandscapeReport landscape(const LandscapeOptions& options);

// Writes landscape.npz, .csv, .svg and .png into the folder; of several landscapes, landscape-A-B.npz and so
// on. Returns what was written.
std::vector<std::filesystem::path> write_landscapes(const std::vector<Landscape>& landscapes,
                                                    const std::filesystem::path& folder);

}  // namespace greybox
