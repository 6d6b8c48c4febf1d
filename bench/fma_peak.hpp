// What the processor can do at most: fused multiply-adds out of registers, with the widest vectors it has.
#pragma once

namespace greybox::bench {

// GFLOP/s of single precision on one thread: the best of several short runs, so that a pause of the machine
// does not count.
double fma_peak_gflops();

}  // namespace greybox::bench
