// The header of a .npy file: element type, order and shape.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "data/mistakes.hpp"

namespace greybox {

struct NpyHeader {
  char kind = 'f';  // f float, i signed, u unsigned, b boolean, U text, and others that are refused later
  std::size_t item_size = 8;  // bytes; for text, characters
  bool is_big_endian = false;
  bool is_fortran_order = false;
  std::vector<std::size_t> shape;
};

// Reads the Python literal `{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }`; throws InputError
// at `place`.
NpyHeader parse_npy_header(std::string_view text, const Place& place);
// The header in version 1.0, padded so that the data start at a multiple of 64 bytes.
std::string format_npy_header(std::string_view type, const std::vector<std::size_t>& shape);

}  // namespace greybox
