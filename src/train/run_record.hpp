// run.json: the one reader and the one writer of a run's record.
#pragma once

#include <filesystem>

#include "data/json_file.hpp"
#include "greybox/run_record.hpp"

namespace greybox {

inline constexpr const char* kRecordName = "run.json";

bool has_record(const std::filesystem::path& folder);
// Throws InputError when there is none, or when anything in it is missing or of another type.
RunRecord read_record(const std::filesystem::path& folder);
// Whole or not at all.
void write_record(const std::filesystem::path& folder, const RunRecord& record);
// Whole, also when several processes append at the same time. Returns the ledger as it is then.
std::vector<LedgerEntry> append_to_ledger(const std::filesystem::path& folder,
                                          const std::vector<LedgerEntry>& entries);

Json json_of(const RunRecord& record);
Json json_of(const FitJudgement& fit);
Json json_of(const RecordedOptions& options);
Json json_of(const LedgerEntry& entry);

}  // namespace greybox
