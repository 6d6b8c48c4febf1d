// A part of a computation's trainings or trials, for jobs that know nothing of each other.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace greybox {

// Of tasks in their order, every `count`-th beginning with `index`.
struct Shard {
  // From 1.
  std::size_t index = 1;
  std::size_t count = 1;

  bool is_whole() const { return count == 1; }
  // Of a task counted from 0.
  bool has(std::size_t task) const { return task % count == index - 1; }
  bool operator==(const Shard&) const = default;
};

// What a job of an array leaves in FOLDER/shards/INDEX-of-COUNT when it has finished.
struct ShardRecord {
  Shard shard{};
  // How to ask for all shards at once: the arguments of the command without the shard, and where it was run.
  std::vector<std::string> command{};
  std::filesystem::path directory{};
};

void write_shard_record(const std::filesystem::path& folder, const ShardRecord& record);

struct MergedShards {
  std::size_t n_shards = 0;
  // Trials that were added; trainings need no joining.
  std::size_t n_trials = 0;
  // Of all shards.
  std::vector<std::string> command{};
  std::filesystem::path directory{};
};

// Joins what the shards in FOLDER/shards have: their trials go to the comparison that FOLDER is, or, of a
// reproduction, to that in FOLDER/compare. Called again, it adds nothing. Throws InputError when a shard is
// missing, has not finished or is of another command, and when trials do not belong together.
MergedShards merge_shards(const std::filesystem::path& folder);

}  // namespace greybox
