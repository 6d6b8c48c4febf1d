// Small texts that commands leave in folders which may come from strangers.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace greybox {

// The first `most_bytes` of a file. Empty where there is none, or something else than a file: a link, which
// might lead to another's file, a pipe, a folder.
std::string kept_text(const std::filesystem::path& file, std::size_t most_bytes);

}  // namespace greybox
