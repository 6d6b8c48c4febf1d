// --shard I/N: the part of a job of an array.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <greybox/shard.hpp>
#include <string>
#include <vector>

namespace greybox::apps {

void add_shard_option(CLI::App& command, std::string& shard);

// What the flag says, or else what Slurm says of a job array, which is then told. Throws InputError.
Shard parse_shard(const std::string& text);

// From now on results must go into `folder`, because a file says which command makes them.
void allow_results_only_in(const std::filesystem::path& folder);
// Throws InputError where that forbids results in `folder`.
void check_place_of_results(const std::filesystem::path& folder);

// For the records of shards: what the program was called with, without its name.
void remember_arguments(int argc, const char* const* argv);

// Leaves the record of a shard that has finished, and says how to go on.
void end_shard(const std::filesystem::path& folder, const Shard& shard, const std::string& what_was_done);

}  // namespace greybox::apps
