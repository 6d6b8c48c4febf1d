// curves.csv: one row per epoch, growing while the training runs.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "train/trainer.hpp"

namespace greybox {

class Curves {
 public:
  // Keeps the rows of the first `n_epochs` epochs of a file that is there, and cuts what follows. Throws
  // std::system_error with the system's reason, as all of its functions do.
  Curves(std::filesystem::path file, std::size_t n_epochs);
  ~Curves();
  Curves(const Curves&) = delete;
  Curves& operator=(const Curves&) = delete;

  // Reaches the file within a fraction of a second, or with the next `flush`.
  void add(const EpochResult& result);
  void flush();

 private:
  std::filesystem::path file_;
  int descriptor_ = -1;
  std::string pending_;
  std::chrono::steady_clock::time_point last_flush_;
};

// The rows of a curves.csv; none when there is no such file. Throws InputError.
std::vector<EpochResult> read_curves(const std::filesystem::path& file);

}  // namespace greybox
