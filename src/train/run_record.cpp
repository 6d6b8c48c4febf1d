#include "train/run_record.hpp"

#include <fmt/format.h>

#include <fstream>
#include <limits>
#include <sstream>

#include "core/atomic_file.hpp"
#include "greybox/error.hpp"
#include "train/run_folder.hpp"
#include "train/settings.hpp"

namespace greybox {
namespace {

// Not the lock of a training: who adds to the ledger waits, and does not write anything else.
constexpr const char* kLedgerLock = ".ledger.lock";

[[noreturn]] void refuse_record(const std::filesystem::path& run, const std::string& message) {
  throw InputError(
      Diagnostic{.file = (run / kRecordName).string(),
                 .message = message,
                 .help = "give a folder that `greybox train` made; `--overwrite` starts a run anew"});
}

// Answers are looked up by name: what is missing or of another type makes the file unsound.
template <class F>
auto sound(const std::filesystem::path& run, F&& read) {
  try {
    return read();
  } catch (const Json::exception& error) {
    refuse_record(run, fmt::format("this is not a sound record of a run ({})", error.what()));
  }
}

LedgerEntry to_entry(const Json& json) {
  return {json.at("command"), json.at("split"), json.at("purpose"), json.at("regularizer")};
}

RunInfo to_info(const Json& record) {
  const Json& options = record.at("options");
  RunInfo info;
  info.version = record.at("version");
  info.mode = mode_from(options.at("mode").get<std::string>());
  info.regularizer = options.at("regularizer");
  info.lambda = options.at("lambda").is_null() ? std::numeric_limits<double>::quiet_NaN()
                                               : options.at("lambda").get<double>();
  info.seed = options.at("seed");
  info.data = record.at("data").at("file").get<std::string>();
  info.data_sha256 = record.at("data").at("sha256");
  info.model_sha256 = record.at("model").at("sha256");
  info.is_finished = record.at("finished");
  if (record.contains("theta")) info.theta = record.at("theta").get<std::map<std::string, double>>();
  for (const Json& entry : record.at("ledger")) info.ledger.push_back(to_entry(entry));
  return info;
}

}  // namespace

Json read_record(const std::filesystem::path& run) {
  std::ifstream file(run / kRecordName);
  if (!file) refuse_record(run, "there is no such file");
  std::ostringstream text;
  text << file.rdbuf();
  return sound(run, [&] { return Json::parse(text.str()); });
}

void write_record(const std::filesystem::path& run, const Json& record) {
  write_file_atomically(run / kRecordName, record.dump(2) + '\n');
}

Json to_json(const LedgerEntry& entry) {
  return {{"command", entry.command},
          {"split", entry.split},
          {"purpose", entry.purpose},
          {"regularizer", entry.regularizer}};
}

RunInfo read_run(const std::filesystem::path& run) {
  const Json record = read_record(run);
  return sound(run, [&] { return to_info(record); });
}

std::filesystem::path recorded_data(const std::filesystem::path& run) {
  if (!std::filesystem::exists(run / kRecordName)) return {};
  return read_run(run).data;
}

void append_all_to_ledger(const std::filesystem::path& run, const std::vector<LedgerEntry>& entries) {
  if (!std::filesystem::exists(run / kRecordName)) refuse_record(run, "there is no such file");
  const FileLock lock = FileLock::when_free(run / kLedgerLock);
  Json record = read_record(run);
  sound(run, [&] {
    for (const LedgerEntry& entry : entries) record.at("ledger").push_back(to_json(entry));
  });
  write_record(run, record);
}

void append_to_ledger(const std::filesystem::path& run, const LedgerEntry& entry) {
  append_all_to_ledger(run, {entry});
}

}  // namespace greybox
