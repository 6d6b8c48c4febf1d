// The shards of a job array joined: all there, all alike, and their trials in one comparison.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "core/atomic_file.hpp"
#include "core/refuse.hpp"
#include "data/json_file.hpp"
#include "greybox/shard.hpp"
#include "train/run_folder.hpp"
#include "train/shard_folder.hpp"

namespace greybox {
namespace {

namespace fs = std::filesystem;

// "3-of-8"; none for other names.
std::optional<Shard> shard_named(const std::string& name) {
  Shard shard;
  const std::size_t middle = name.find("-of-");
  if (middle == std::string::npos) return std::nullopt;
  const auto parse = [](std::string_view text, std::size_t& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size();
  };
  const std::string_view text = name;
  if (!parse(text.substr(0, middle), shard.index) || !parse(text.substr(middle + 4), shard.count))
    return std::nullopt;
  return shard;
}

std::vector<Shard> shards_in(const fs::path& folder) {
  std::vector<Shard> shards;
  if (fs::is_directory(folder / "shards"))
    for (const fs::directory_entry& entry : fs::directory_iterator(folder / "shards"))
      if (const std::optional<Shard> shard = shard_named(entry.path().filename().string()))
        shards.push_back(*shard);
  std::ranges::sort(shards, {}, [](const Shard& shard) { return std::pair(shard.count, shard.index); });
  return shards;
}

// How many there are to be; refuses where that is not clear.
std::size_t count_of(const fs::path& folder) {
  const std::vector<Shard> shards = shards_in(folder);
  if (shards.empty())
    refuse(folder, "there are no shards here",
           "give the folder that the jobs wrote to: that of the comparison or reproduction, or the run");
  if (shards.front().count != shards.back().count)
    refuse(folder / "shards",
           fmt::format("some shards are of {}, others of {}", shards.front().count, shards.back().count),
           "remove the folders of those that are out of date");
  return shards.front().count;
}

ShardRecord read_shard_record(const fs::path& folder, const Shard& shard) {
  const fs::path file = shard_folder(folder, shard) / "shard.json";
  const Json json = *read_json_file(file);
  const JsonValue record(json, file.string());
  ShardRecord result{.shard = shard};
  for (const Json& word : json.at("command")) result.command.push_back(word.get<std::string>());
  result.directory = record.at("directory").text();
  return result;
}

std::vector<ShardRecord> finished_shards(const fs::path& folder) {
  const std::size_t count = count_of(folder);
  std::vector<std::size_t> missing;
  std::vector<ShardRecord> records;
  for (std::size_t i = 1; i <= count; ++i) {
    const Shard shard{i, count};
    if (fs::exists(shard_folder(folder, shard) / "shard.json"))
      records.push_back(read_shard_record(folder, shard));
    else
      missing.push_back(i);
  }
  if (!missing.empty())
    refuse(folder,
           fmt::format("{} of {} shards {} not finished: {}", missing.size(), count,
                       missing.size() == 1 ? "is" : "are", fmt::join(missing, ", ")),
           "run these shards again (option `shard`); what they have done already is kept");
  for (const ShardRecord& record : records)
    if (record.command != records.front().command)
      refuse(shard_folder(folder, record.shard),
             fmt::format("shard {} is of `greybox {}`, and shard 1 of `greybox {}`", record.shard.index,
                         fmt::join(record.command, " "), fmt::join(records.front().command, " ")),
             "run all shards with the same arguments");
  return records;
}

std::vector<std::string> lines_of(const fs::path& file) {
  std::ifstream in(file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// Mode, λ and number: what a row of trials.csv is of.
std::string key_of(const std::string& row) {
  std::size_t end = 0;
  for (int comma = 0; comma < 3; ++comma) end = row.find(',', end) + 1;
  return row.substr(0, end);
}

// By number first, as trials are run.
bool is_before(const std::string& a, const std::string& b) {
  const auto number = [](const std::string& row) {
    const std::size_t second = row.find(',', row.find(',') + 1) + 1;
    return std::stoull(row.substr(second));
  };
  return std::pair(number(a), a) < std::pair(number(b), b);
}

// Of the version alone shards may differ, as those of a comparison that is continued may.
Json identity_in(const fs::path& folder) {
  Json identity = read_json_file(folder / "compare.json").value_or(Json());
  return {{"model", identity["model"]["sha256"]},
          {"data", identity["data"]["sha256"]},
          {"options", identity["options"]}};
}

struct GatheredTrials {
  std::string header;
  std::vector<std::string> rows;
};

GatheredTrials gather_trials(const fs::path& comparison, const std::vector<ShardRecord>& records) {
  GatheredTrials all;
  const fs::path first = shard_folder(comparison, records.front().shard);
  for (const ShardRecord& record : records) {
    const fs::path own = shard_folder(comparison, record.shard);
    if (identity_in(own) != identity_in(first))
      refuse(own, "its trials are of another model, other data or other options than those of shard 1",
             "remove this folder, and run the shard again");
    const std::vector<std::string> lines = lines_of(own / "trials.csv");
    if (lines.empty()) continue;
    if (all.header.empty()) all.header = lines.front();
    if (lines.front() != all.header)
      refuse(own / "trials.csv", "it has other columns than that of shard 1",
             "remove this folder, and run the shard again");
    all.rows.insert(all.rows.end(), lines.begin() + 1, lines.end());
  }
  std::ranges::sort(all.rows, is_before);
  return all;
}

std::size_t merge_trials(const fs::path& comparison, const std::vector<ShardRecord>& records) {
  const GatheredTrials gathered = gather_trials(comparison, records);
  const fs::path first = shard_folder(comparison, records.front().shard);
  const FileLock lock(comparison / ".lock");
  if (fs::exists(comparison / "compare.json")) {
    if (identity_in(comparison) != identity_in(first))
      refuse(comparison, "it holds trials of another model, other data or other options than its shards",
             "move those files elsewhere, or remove the shards");
  } else {
    write_file_atomically(comparison / "compare.json",
                          read_json_file(first / "compare.json")->dump(2) + '\n');
  }
  std::vector<std::string> lines = lines_of(comparison / "trials.csv");
  if (lines.empty()) lines.push_back(gathered.header);
  std::set<std::string> known;
  for (const std::string& row : lines) known.insert(key_of(row));
  const std::size_t n_before = lines.size();
  for (const std::string& row : gathered.rows)
    if (known.insert(key_of(row)).second) lines.push_back(row);
  if (lines.size() > n_before)
    write_file_atomically(comparison / "trials.csv", fmt::format("{}\n", fmt::join(lines, "\n")));
  return lines.size() - n_before;
}

}  // namespace

MergedShards merge_shards(const fs::path& folder) {
  const std::vector<ShardRecord> records = finished_shards(folder);
  MergedShards merged{
      .n_shards = records.size(), .command = records.front().command, .directory = records.front().directory};
  for (const fs::path& comparison : {folder, folder / "compare"})
    if (fs::exists(shard_folder(comparison, records.front().shard) / "compare.json"))
      merged.n_trials += merge_trials(comparison, records);
  return merged;
}

}  // namespace greybox
