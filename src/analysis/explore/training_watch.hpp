// How the training of an explored run goes on while it is explored.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "greybox/run_record.hpp"

namespace greybox {

// What another process changes in the folder of a run that it trains; not what looking at it changes.
struct TrainingStamp {
  std::filesystem::file_time_type weights{}, checkpoint{};
  TrainOutcome outcome = TrainOutcome::finished;
  std::size_t epochs_done = 0;
  // Trainings with other seeds that have ended.
  std::size_t n_seeds = 0;

  bool operator==(const TrainingStamp&) const = default;
};

// Of a run in memory, or a folder made elsewhere: always the same. Throws InputError while a folder is being
// replaced.
TrainingStamp stamp_of(const std::filesystem::path& folder);

// Trainings with other seeds that run at this moment: their folders.
std::vector<std::filesystem::path> seeds_in_training(const std::filesystem::path& folder);

struct TrainingWatch {
  // A process trains the run at this moment.
  bool is_running = false;
  // How often other weights were taken.
  std::uint64_t generation = 0;
  // The folder holds another model by now, or other data: what is shown is the run that was.
  bool is_replaced = false;
};

}  // namespace greybox
