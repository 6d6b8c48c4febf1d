// How often a test program has allocated memory, for tests that promise not to.
#pragma once

#include <cstddef>

namespace greybox::test {

std::size_t n_allocations();

}  // namespace greybox::test
