// Where the numbers that are made for a sample stand: in the order of the tensors, and in the rows that
// kernels read.
#pragma once

#include <cstddef>
#include <vector>

#include "core/aligned_buffer.hpp"
#include "nn/conditioned_mlp.hpp"

namespace greybox {

struct MadeLayout {
  // Of a layer's part in the row, and the width of its lines; `n_inputs` lines of a matrix before the last
  // one.
  struct Part {
    std::size_t offset = 0, width = 0, n_inputs = 0;
  };
  std::vector<Part> parts;
  // Of each number: scale by scale and shift by shift, or weight by weight (out × in) and bias by bias.
  std::vector<std::size_t> places;
  std::size_t n_places = 0;
};

// A matrix and a bias for every layer, or scales and shifts of all but the last one. `sizes` are those of the
// inputs and of all layers.
template <class T>
MadeLayout made_layout(const std::vector<std::size_t>& sizes, MadeWeights made) {
  MadeLayout layout;
  const bool is_film = made == MadeWeights::scales_and_shifts;
  for (std::size_t l = 0; l + 1 < sizes.size() - (is_film ? 1 : 0); ++l) {
    const MadeLayout::Part part{layout.n_places, padded<T>(sizes[l + 1]), is_film ? 1 : sizes[l]};
    for (std::size_t o = 0; o < sizes[l + 1] && !is_film; ++o)
      for (std::size_t i = 0; i < sizes[l]; ++i) layout.places.push_back(part.offset + i * part.width + o);
    for (std::size_t line = is_film ? 0 : part.n_inputs; line <= part.n_inputs; ++line)
      for (std::size_t o = 0; o < sizes[l + 1]; ++o)
        layout.places.push_back(part.offset + line * part.width + o);
    layout.n_places += (part.n_inputs + 1) * part.width;
    layout.parts.push_back(part);
  }
  return layout;
}

}  // namespace greybox
