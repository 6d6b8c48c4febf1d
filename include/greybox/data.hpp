// `greybox data`: the data sets of the examples, made, converted or downloaded.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "greybox/execution.hpp"

namespace greybox {

enum class DataSet : std::uint8_t {
  toy,                 // made: y = sin(x) + cos(x) + noise
  reaction_diffusion,  // made: fields of two substances
  pendulum,            // published with Stable Baselines
  predator_prey,       // published by Blasius et al. on figshare
  damped_pendulum,     // made: pendulums with friction
};

struct DataOptions {
  DataSet set = DataSet::toy;
  std::filesystem::path output{};  // empty: the set's name in the current folder
  bool overwrite = false;          // replace a file that is there

  // Made data; a 0 means as in the paper (or, for threads, one per core).
  std::uint64_t seed = 2;  // an ordinary draw: the noise of draw 0 happens to favour a smaller toy amplitude
  std::size_t size = 0;    // rows of the toy, sequences of reaction–diffusion, pendulums
  std::size_t grid = 0;    // points per side
  std::vector<double>
      stiffness{};  // of the damped pendulums: one, or two to draw between; empty: the usual one
  Execution execution{};

  // Published data.
  std::filesystem::path from{};  // the published file, or the folder that holds it; empty: download
  std::string mirror{};          // address of a folder to download from; empty: the public home
  bool is_simulated = false;     // a simulated stand-in of the same form instead, made from `seed`
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
