// How much memory the library may take.
#pragma once

#include <cstddef>

namespace greybox {

// Bytes of memory that may be taken for what files and options ask of the library: what would need more is
// refused with a message. For the whole program; by default half of the machine's memory, which 0 sets again.
std::size_t memory_limit();
void set_memory_limit(std::size_t bytes);

}  // namespace greybox
