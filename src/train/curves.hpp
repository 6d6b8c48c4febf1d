// curves.csv: one row per epoch, growing while the training runs.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "core/descriptor.hpp"
#include "train/trainer.hpp"

namespace greybox {

// Whether an epoch has a row: each of the first hundred thousand, then every tenth up to a million, every
// hundredth up to ten million and so on. Nobody can look at more, and the file stays small.
bool has_row(std::size_t epoch);

class Curves {
 public:
  // Keeps the rows of the first `n_epochs` epochs of a file that is there, and cuts what follows. Throws
  // std::system_error with the system's reason, as all of its functions do.
  Curves(const std::filesystem::path& file, std::size_t n_epochs);

  // Reaches the file within a fraction of a second, or with the next `flush`.
  void add(const EpochResult& result);
  void flush();

 private:
  Descriptor file_;
  std::string pending_;
  std::chrono::steady_clock::time_point last_flush_;
};

// The rows of a curves.csv; none when there is no such file. Of a file with more than a million rows, every
// second, fourth, … so that a million is enough. Throws InputError.
std::vector<EpochResult> read_curves(const std::filesystem::path& file);

}  // namespace greybox
