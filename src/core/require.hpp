// Assertions at public methods: what a caller inside the project promised, with a sentence when it did not.
#pragma once

#include <stdexcept>

namespace greybox {

[[noreturn]] inline void fail_requirement(const char* sentence) {
  throw std::logic_error(sentence);
}

// For conditions that cost nothing beside the work they guard, so that release builds check them too.
inline void require(bool condition, const char* sentence) {
  if (!condition) [[unlikely]]
    fail_requirement(sentence);
}

}  // namespace greybox
