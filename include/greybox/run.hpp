// What a run folder says about itself, and the ledger of which data were used for what.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "greybox/train.hpp"

namespace greybox {

// One use of a part of the data. Choosing a regularizer and estimating with it on the same part is what this
// makes visible.
struct LedgerEntry {
  std::string command;      // "train", "landscape", …
  std::string split;        // "train", "validation", "test", or a file
  std::string purpose;      // what it was used for
  std::string regularizer;  // empty when none took part
};

struct RunInfo {
  std::string version;  // of greybox
  TrainMode mode = TrainMode::adaptive;
  std::string regularizer;
  double lambda = 0;  // NaN in mode aphynity, which has none
  std::uint64_t seed = 0;
  std::filesystem::path data;
  std::string data_sha256, model_sha256;
  bool is_finished = false;
  std::map<std::string, double> theta;  // where the mode has one
  std::vector<LedgerEntry> ledger;
};

// Reads RUN/run.json; throws InputError when there is none or it is not sound.
RunInfo read_run(const std::filesystem::path& run);
// The data file that the run learned from; empty for a folder made elsewhere, which has no run.json.
std::filesystem::path recorded_data(const std::filesystem::path& run);
// Whole, also when several processes append at the same time.
void append_to_ledger(const std::filesystem::path& run, const LedgerEntry& entry);

}  // namespace greybox
