// How the state of many samples lies in memory.
#pragma once

#include <cstddef>
#include <vector>

#include "core/aligned_buffer.hpp"

namespace greybox {

// How the state of n samples lies in memory: components one after another, each `widths[c]` values per sample
// (1 for a scalar, the number of grid points for a field), padded to a multiple of `padding` values.
class StateLayout {
 public:
  StateLayout(std::vector<std::size_t> widths, std::size_t capacity, std::size_t padding);
  std::size_t n_components() const { return widths_.size(); }
  std::size_t width(std::size_t c) const { return widths_[c]; }
  std::size_t offset(std::size_t c) const { return offsets_[c]; }
  std::size_t size() const { return size_; }

 private:
  std::vector<std::size_t> widths_, offsets_;
  std::size_t size_ = 0;
};

// The first samples of a layout: what arithmetic on states runs over.
struct StateBatch {
  const StateLayout& layout;
  std::size_t n_samples;
};

// Several states, one after another in memory.
template <class T>
class StateRows {
 public:
  StateRows(const StateLayout& layout, std::size_t n_rows)
      : stride_(layout.size()), memory_(n_rows * stride_) {}
  T* operator[](std::size_t row) { return memory_.data() + row * stride_; }
  const T* operator[](std::size_t row) const { return memory_.data() + row * stride_; }
  // Contents are lost when the memory has to grow.
  void ensure(std::size_t n_rows) { memory_.ensure(n_rows * stride_); }

 private:
  std::size_t stride_;
  AlignedBuffer<T> memory_;
};

}  // namespace greybox
