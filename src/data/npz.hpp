// numpy's .npz archives, read and written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "data/shared_values.hpp"

namespace greybox {

// One array in C order. Integers and booleans are widened to int64, float16 to float32.
struct NpyArray {
  std::vector<std::size_t> shape;
  std::variant<std::vector<float>, std::vector<double>, std::vector<std::int64_t>> values;

  std::size_t size() const;  // product of the shape
  std::vector<double> to_doubles() const;
};

using NamedArray = std::pair<std::string, NpyArray>;

// All arrays of an archive in their order; throws InputError on anything that is not a valid archive of
// numeric arrays.
std::vector<NamedArray> read_npz(const std::filesystem::path& file);
struct NpzArrays {
  std::vector<NamedArray> arrays;
  // Of the file.
  std::string sha256;
};
NpzArrays read_npz_arrays(const std::filesystem::path& file);

// Writes to a temporary name and renames, so that a half-written file never replaces a good one. The same
// arrays give the same bytes. Throws std::runtime_error with the system's reason (disk full, read-only) when
// it cannot.
void write_npz(const std::filesystem::path& file, std::span<const NamedArray> arrays);

// An array that may also be text (numpy's `<U`), which then has one string per element and no values.
struct NpzEntry {
  std::string name;
  NpyArray numbers;
  std::vector<std::string> text;
  bool is_text = false;
  // What is left in the file instead: numbers of single or double precision in C order.
  std::variant<std::monostate, SharedValues<float>, SharedValues<double>> in_file{};

  std::vector<double> to_doubles() const;
};

struct NpzFile {
  std::vector<NpzEntry> entries;
  // Of the file.
  std::string sha256;
};

// As read_npz, but lets text arrays pass. Large arrays that are not compressed and have at least
// `least_axes_in_file` axes are left in the file.
NpzFile read_npz_file(const std::filesystem::path& file,
                      std::size_t least_axes_in_file = std::numeric_limits<std::size_t>::max());

}  // namespace greybox
