// Which machine a result was made on.
#pragma once

#include <string>

namespace greybox {

// The processor's name and how many of them, e.g. "Intel(R) Xeon(R) Processor, 2 cores".
std::string machine_name();

// The vector instructions that kernels use here, e.g. "AVX2": with others, sums may differ in their last
// bits.
std::string vector_instructions();

}  // namespace greybox
