// Where the entries of a zip archive stand in its file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace greybox {

// Of each entry, in the order of the archive's directory, where its bytes begin; none for entries that are
// compressed or encrypted. Empty when the directory is not understood. What is found is to be compared with
// what an archive reader gives.
std::vector<std::optional<std::uint64_t>> stored_entries(std::span<const std::byte> archive);

}  // namespace greybox
