// Any text either parses as an equation or is refused with a range inside it.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "language/syntax.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    greybox::to_mathematics(*greybox::parse_equation(text));
  } catch (const greybox::EquationError& error) {
    const bool is_inside = error.range.begin <= error.range.end && error.range.end <= size;
    if (!is_inside || error.message.empty()) std::abort();
  }
  return 0;
}
