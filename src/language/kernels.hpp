// The code behind the instructions of a program: whole sections at a time, compiled once per SIMD target and
// chosen at run time.
#pragma once

#include <span>

#include "language/program.hpp"

namespace greybox {

// One block of samples in the registers of a frame. The arrays of pointers are indexed by register.
template <class T>
struct Block {
  const Grid& grid;
  std::size_t n_samples;
  T* const* values;
  T* const* gradients;  // null where not wanted
  T* const* tangents;   // null where zero
  T* bordered;          // room for one sample's field inside a border
};

void run_forward(std::span<const Instruction> section, const Block<float>& block);
void run_forward(std::span<const Instruction> section, const Block<double>& block);
void run_reverse(std::span<const Instruction> section, const Block<float>& block);
void run_reverse(std::span<const Instruction> section, const Block<double>& block);
void run_tangent(std::span<const Instruction> section, const Block<float>& block);
void run_tangent(std::span<const Instruction> section, const Block<double>& block);

}  // namespace greybox
