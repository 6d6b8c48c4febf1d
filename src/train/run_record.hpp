// run.json as a document: read, written, and pointed at in messages.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

#include "greybox/run.hpp"

namespace greybox {

using Json = nlohmann::ordered_json;

inline constexpr const char* kRecordName = "run.json";

Json read_record(const std::filesystem::path& run);
void write_record(const std::filesystem::path& run, const Json& record);

Json to_json(const LedgerEntry& entry);
// All at once, as append_to_ledger does it for one.
void append_all_to_ledger(const std::filesystem::path& run, const std::vector<LedgerEntry>& entries);

}  // namespace greybox
