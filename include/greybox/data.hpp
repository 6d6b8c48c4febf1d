// `greybox data`: the data sets of the examples, made, converted or downloaded.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "greybox/execution.hpp"

namespace greybox {

enum class DataSet : std::uint8_t {
  // Made: y = sin(x) + cos(x) + noise.
  toy,
  // Made: fields of two substances.
  reaction_diffusion,
  // Published with Stable Baselines.
  pendulum,
  // Published by Blasius et al. on figshare.
  predator_prey,
  // Made: pendulums with friction.
  damped_pendulum,
};

struct DataOptions {
  DataSet set = DataSet::toy;
  // Empty: the set's name in the current folder.
  std::filesystem::path output{};
  // Replace a file that is there.
  bool overwrite = false;

  // Of made data, as are the next three; 0 of a size means as in the paper. Not 0 by default: the toy's noise
  // of seed 0 happens to favour a smaller amplitude.
  std::uint64_t seed = 2;
  // Rows of the toy, sequences of reaction–diffusion, pendulums.
  std::size_t size = 0;
  // Points per side.
  std::size_t grid = 0;
  // Of the damped pendulums: one, or two to draw between; empty: the usual one.
  std::vector<double> stiffness{};
  Execution execution{};

  // Of published data, as are the next three: the published file, or the folder that holds it; empty:
  // download.
  std::filesystem::path from{};
  // Address of a folder to download from; empty: the public home.
  std::string mirror{};
  // A simulated stand-in of the same form instead, made from `seed`.
  bool is_simulated = false;
  // Of the simulated pendulum: one, or two to draw between, written in a column; empty: the usual one.
  std::vector<double> gravity{};
};

struct DataReport {
  std::filesystem::path file;
  std::size_t n_rows = 0;
  std::size_t n_series = 0;
  // Of the file.
  std::string sha256;
};

// Where `make_data` writes when no output is given.
std::filesystem::path default_output(DataSet set);

// Writes a data set in the form the examples expect. Throws InputError for the user's mistakes (a file that
// is already there, or published data whose checksum is wrong) and std::runtime_error when downloading or
// writing fails; nothing is written then.
DataReport make_data(const DataOptions& options);

std::string to_json(const DataReport& report);

}  // namespace greybox
