// The average of the parameters along a training, in which late ones count most.
#pragma once

#include <cstdint>

#include "core/aligned_buffer.hpp"

namespace greybox {

// Takes in the parameters after the `n_updates`-th update, counted from 1: with the weight that makes those
// of update t count as t^15 (Shamir and Zhang 2013). About the last sixteenth of a training then makes up
// most of the average, however long it is. Allocates nothing.
template <class T>
void take_into_average(const AlignedBuffer<T>& parameters, std::uint64_t n_updates,
                       AlignedBuffer<T>& average);

extern template void take_into_average(const AlignedBuffer<float>&, std::uint64_t, AlignedBuffer<float>&);
extern template void take_into_average(const AlignedBuffer<double>&, std::uint64_t, AlignedBuffer<double>&);

}  // namespace greybox
