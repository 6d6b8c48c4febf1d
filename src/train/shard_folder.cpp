#include "train/shard_folder.hpp"

#include <fmt/format.h>

#include "core/atomic_file.hpp"
#include "core/refuse.hpp"
#include "data/json_file.hpp"
#include "data/utf8.hpp"

namespace greybox {

std::filesystem::path shard_folder(const std::filesystem::path& folder, const Shard& shard) {
  return folder / "shards" / fmt::format("{}-of-{}", shard.index, shard.count);
}

void check_shard(const Shard& shard) {
  if (shard.count == 0)
    refuse_option("shard", "there are 0 shards, and there must be 1 or more",
                  "give which of how many it is, for instance 1 of 4");
  if (shard.count > kMostShards)
    refuse_option("shard", fmt::format("{} shards are more than {}", shard.count, kMostShards),
                  "no more than there are trainings or trials are of use");
  if (shard.index == 0)
    refuse_option("shard", "it is 0, and shards are counted from 1",
                  fmt::format("give 1 to {}", shard.count));
  if (shard.index > shard.count)
    refuse_option("shard", fmt::format("there is no shard {} of {}", shard.index, shard.count),
                  fmt::format("give 1 to {}", shard.count));
}

void write_shard_record(const std::filesystem::path& folder, const ShardRecord& record) {
  check_shard(record.shard);
  const std::filesystem::path own = shard_folder(folder, record.shard);
  std::filesystem::create_directories(own);
  const Json json = {{"shard", record.shard.index},
                     {"of", record.shard.count},
                     {"command", record.command},
                     {"directory", path_text(record.directory)}};
  write_file_atomically(own / "shard.json", json.dump(2) + '\n');
}

}  // namespace greybox
