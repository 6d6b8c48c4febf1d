// What must hold of a file's text before it is parsed.
#pragma once

#include "model/spec.hpp"

namespace greybox {

inline constexpr std::size_t max_model_file_bytes = 1'000'000;

// Refuses what is not text, is far too large to be a model, or would nest the parser too deeply; throws
// InputError.
void check_text(const SourceFile& source);

// Line and column of a byte of the text.
SourceSpan place_of(const SourceFile& source, std::size_t offset, std::size_t length = 1);

}  // namespace greybox
