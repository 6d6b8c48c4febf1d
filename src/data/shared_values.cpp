#include "data/shared_values.hpp"

#include "core/memory_limit.hpp"

namespace greybox {

void require_memory_to_change(std::size_t n_bytes) {
  require_memory(
      static_cast<double>(n_bytes), [] { return "changing a large array of the data"; },
      "give it without gaps to be filled or dropped, and the rows of a series one after another");
}

}  // namespace greybox
