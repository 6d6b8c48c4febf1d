// Neighbouring blocks of a batch, and which of them each process has.
#pragma once

#include <cstddef>

namespace greybox {

struct BlockRange {
  std::size_t first = 0, end = 0;

  std::size_t size() const { return end - first; }
  bool is_empty() const { return first == end; }
};

// Sizes differ by one at most; with more ranks than blocks some have none.
inline BlockRange share_of(std::size_t rank, std::size_t n_ranks, std::size_t n_blocks) {
  return {rank * n_blocks / n_ranks, (rank + 1) * n_blocks / n_ranks};
}

}  // namespace greybox
