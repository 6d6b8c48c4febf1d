#include "train/ledger.hpp"

#include <algorithm>
#include <tuple>

#include "core/refuse.hpp"
#include "train/run_folder.hpp"

namespace greybox {
namespace {

// Not the lock of a training: who adds to the ledger waits, and does not write anything else.
constexpr const char* kLedgerLock = ".ledger.lock";

auto tied(const LedgerEntry& entry) {
  return std::tie(entry.command, entry.split, entry.purpose, entry.regularizer);
}

// A record that cannot be read has none, and is about to be replaced.
std::vector<LedgerEntry> ledger_there(const std::filesystem::path& folder) {
  try {
    return has_record(folder) ? read_record(folder).ledger : std::vector<LedgerEntry>();
  } catch (const InputError&) {
    return {};
  }
}

}  // namespace

void update_record(const std::filesystem::path& folder, RunRecord& record) {
  const FileLock lock = FileLock::when_free(folder / kLedgerLock);
  for (LedgerEntry& entry : ledger_there(folder))
    if (std::ranges::find(record.ledger, tied(entry), tied) == record.ledger.end())
      record.ledger.push_back(std::move(entry));
  write_record(folder, record);
}

std::vector<LedgerEntry> append_to_ledger(const std::filesystem::path& folder,
                                          const std::vector<LedgerEntry>& entries) {
  if (!has_record(folder))
    refuse(folder / kRecordName, "there is no such file", "give a folder that a training made");
  const FileLock lock = FileLock::when_free(folder / kLedgerLock);
  RunRecord record = read_record(folder);
  record.ledger.insert(record.ledger.end(), entries.begin(), entries.end());
  write_record(folder, record);
  return record.ledger;
}

}  // namespace greybox
