// The shards of a job array joined: all there, all alike, and their trials in one comparison.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include "core/atomic_file.hpp"
#include "core/refuse.hpp"
#include "data/json_file.hpp"
#include "data/line_reader.hpp"
#include "greybox/shard.hpp"
#include "train/run_folder.hpp"
#include "train/shard_folder.hpp"

namespace greybox {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRunAgain = "remove this folder, and run the shard again";

bool parse_number(std::string_view text, std::size_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

// "3-of-8"; none for other names.
std::optional<Shard> shard_named(const std::string& name) {
  Shard shard;
  const std::size_t middle = name.find("-of-");
  if (middle == std::string::npos) return std::nullopt;
  const std::string_view text = name;
  if (!parse_number(text.substr(0, middle), shard.index) ||
      !parse_number(text.substr(middle + 4), shard.count) || shard.index == 0 || shard.index > shard.count ||
      shard.count > kMostShards)
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
  ShardRecord result{.shard = shard, .command = record.at("command").texts()};
  if (result.command.empty()) record.at("command").refuse("a command");
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
  std::vector<std::string> lines;
  if (!fs::exists(file)) return lines;
  LineReader reader(file);
  while (const auto line = reader.next()) lines.emplace_back(*line);
  return lines;
}

// A row of trials.csv: what it is of are mode, λ and number, in its first cells.
struct ShardRow {
  std::size_t number = 0;
  std::string row, key;

  // By number first, as trials are run.
  auto operator<=>(const ShardRow&) const = default;
};

ShardRow shard_row(const std::string& row, const fs::path& file) {
  std::size_t begin = 0, end = 0;
  for (int cell = 0; cell < 3; ++cell) {
    begin = end == 0 ? 0 : end + 1;
    end = row.find(',', begin);
    if (end == std::string::npos) break;
  }
  ShardRow trial{.row = row, .key = row.substr(0, end)};
  if (end == std::string::npos ||
      !parse_number(std::string_view(row).substr(begin, end - begin), trial.number))
    refuse(file, "a row does not begin with mode, λ and number of a trial", kRunAgain);
  return trial;
}

// Of the version alone shards may differ, as those of a comparison that is continued may.
Json identity_in(const fs::path& folder) {
  const fs::path file = folder / "compare.json";
  const std::optional<Json> json = read_json_file(file);
  if (!json) return {};
  const JsonValue identity(*json, file.string());
  return {{"model", identity.at("model").at("sha256").text()},
          {"data", identity.at("data").at("sha256").text()},
          {"options", identity.at("options").json()}};
}

struct GatheredTrials {
  std::string header;
  std::vector<ShardRow> rows;
};

GatheredTrials gather_trials(const fs::path& comparison, const std::vector<ShardRecord>& records) {
  GatheredTrials all;
  const fs::path first = shard_folder(comparison, records.front().shard);
  for (const ShardRecord& record : records) {
    const fs::path own = shard_folder(comparison, record.shard);
    if (identity_in(own) != identity_in(first))
      refuse(own, "its trials are of another model, other data or other options than those of shard 1",
             kRunAgain);
    const std::vector<std::string> lines = lines_of(own / "trials.csv");
    if (lines.empty()) continue;
    if (all.header.empty()) all.header = lines.front();
    if (lines.front() != all.header)
      refuse(own / "trials.csv", "it has other columns than that of shard 1", kRunAgain);
    for (std::size_t row = 1; row < lines.size(); ++row)
      all.rows.push_back(shard_row(lines[row], own / "trials.csv"));
  }
  std::ranges::sort(all.rows);
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
  for (std::size_t row = 1; row < lines.size(); ++row)
    known.insert(shard_row(lines[row], comparison / "trials.csv").key);
  const std::size_t n_before = lines.size();
  for (const ShardRow& trial : gathered.rows)
    if (known.insert(trial.key).second) lines.push_back(trial.row);
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
