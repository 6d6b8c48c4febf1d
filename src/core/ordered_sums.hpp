// Sums over blocks that may lie in several processes, added in block order: the same bits whoever has which.
#pragma once

#include <span>
#include <vector>

#include "core/aligned_buffer.hpp"
#include "core/block_range.hpp"
#include "greybox/communicator.hpp"

namespace greybox {

// Every process adds one slice of the values for all: it gets what the others' blocks have for the slice, and
// gives back the sums. So what a process sends does not grow with how many there are.
template <class T>
class OrderedSums {
 public:
  // `others` may be null: then all blocks are here.
  OrderedSums(Communicator* others, std::size_t n_values, std::size_t most_blocks);

  // What follows is added to `sums`, which is the same in all processes.
  void begin(std::span<T> sums, std::size_t n_blocks);
  // Of the next block of this process: zeros, to be filled and then put.
  std::span<T> addends();
  void put();
  // After the last block: all processes have the sums.
  void finish();

 private:
  std::size_t slice_begin(std::size_t rank) const { return rank * addends_.size() / n_ranks_; }

  Communicator* others_;
  std::size_t rank_, n_ranks_, n_blocks_ = 0, n_put_ = 0;
  BlockRange own_;
  std::span<T> sums_;
  AlignedBuffer<T> addends_, sent_, received_;
  // In bytes, an entry per rank and one more.
  std::vector<std::size_t> sent_begins_, received_begins_, slice_begins_;
};

extern template class OrderedSums<float>;
extern template class OrderedSums<double>;

}  // namespace greybox
