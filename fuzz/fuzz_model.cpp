// Any text either reads as a model file or is refused with a message.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "greybox/error.hpp"
#include "model/spec.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    greybox::parse_model_spec(std::string(reinterpret_cast<const char*>(data), size), "fuzz.toml");
  } catch (const greybox::InputError& error) {
    if (error.diagnostics().empty()) std::abort();
  }
  return 0;
}
