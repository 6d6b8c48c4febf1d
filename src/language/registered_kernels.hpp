// Kernels of the functions added from outside: one number after the other.
#pragma once

#include "language/kernels.hpp"

namespace greybox {

template <class T>
void forward_registered(const Block<T>& block, const Instruction& code);
template <class T>
void reverse_registered(const Block<T>& block, const Instruction& code);
template <class T>
void tangent_registered(const Block<T>& block, const Instruction& code);

}  // namespace greybox
