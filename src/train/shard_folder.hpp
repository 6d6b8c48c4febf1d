// Where shards keep what they have done, beside what all of them belong to.
#pragma once

#include <filesystem>

#include "greybox/shard.hpp"

namespace greybox {

// More shards than this are a slip of the keyboard.
inline constexpr std::size_t kMostShards = 100'000;

// FOLDER/shards/INDEX-of-COUNT.
std::filesystem::path shard_folder(const std::filesystem::path& folder, const Shard& shard);

// Throws InputError for a shard that there is not.
void check_shard(const Shard& shard);

}  // namespace greybox
