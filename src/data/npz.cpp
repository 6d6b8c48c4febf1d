// Archives of arrays, read and written through libzip.
#include "data/npz.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <numeric>
#include <set>
#include <stdexcept>

#include "core/atomic_file.hpp"
#include "data/npy_header.hpp"
#include "data/npy_reader.hpp"
#include "data/zip_writer.hpp"

namespace greybox {
namespace {

static_assert(std::endian::native == std::endian::little,
              "arrays are written in the machine's byte order as `<`");

constexpr std::string_view kEnding = ".npy";
// libzip refuses to write an archive without entries: nothing but the record that ends one.
constexpr std::string_view kEmptyArchive("PK\5\6\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 22);

std::string array_name(const ZipReader& archive, std::size_t index, const std::string& file) {
  const std::string entry = archive.name(index);
  if (entry.size() <= kEnding.size() || !entry.ends_with(kEnding)) {
    Place{file, fmt::format("entry {}", in_backquotes(entry))}.refuse(
        "not a numpy array: its name does not end in .npy", "an npz archive holds nothing but arrays");
  }
  return entry.substr(0, entry.size() - kEnding.size());
}

std::string header_of(const NpyArray& array) {
  constexpr std::string_view kTypes[] = {"<f4", "<f8", "<i8"};
  return format_npy_header(kTypes[array.values.index()], array.shape);
}

std::string_view bytes_of(const NpyArray& array) {
  const auto view = [](const auto& values) {
    return std::string_view(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(values[0]));
  };
  return std::visit(view, array.values);
}

}  // namespace

std::size_t NpyArray::size() const {
  return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
}

std::vector<double> NpyArray::to_doubles() const {
  return std::visit([](const auto& kept) { return std::vector<double>(kept.begin(), kept.end()); }, values);
}

std::vector<double> NpzEntry::to_doubles() const {
  if (const auto* single = std::get_if<1>(&in_file)) return {single->begin(), single->end()};
  if (const auto* twofold = std::get_if<2>(&in_file)) return {twofold->begin(), twofold->end()};
  return numbers.to_doubles();
}

NpzFile read_npz_file(const std::filesystem::path& file, std::size_t least_axes_in_file) {
  ZipReader archive(file);
  NpzFile read{.entries = {}, .sha256 = archive.digest()};
  std::set<std::string> names;
  for (std::size_t i = 0; i < archive.n_entries(); ++i) {
    const std::string name = array_name(archive, i, file.string());
    const Place place{file.string(), fmt::format("array {}", in_backquotes(name))};
    // Which of them another program would read is its own choice.
    if (!names.insert(name).second)
      place.refuse("the archive has two arrays of this name", "write it again with one of them");
    ZipEntry stream = archive.open(i, place);
    read.entries.push_back(read_npy(stream, least_axes_in_file));
    read.entries.back().name = name;
  }
  return read;
}

NpzArrays read_npz_arrays(const std::filesystem::path& file) {
  NpzFile read = read_npz_file(file);
  NpzArrays result{.arrays = {}, .sha256 = std::move(read.sha256)};
  for (NpzEntry& entry : read.entries) {
    if (entry.is_text) {
      Place{file.string(), fmt::format("array {}", in_backquotes(entry.name))}.refuse(
          "an array of text", "only numbers are expected here");
    }
    result.arrays.emplace_back(std::move(entry.name), std::move(entry.numbers));
  }
  return result;
}

std::vector<NamedArray> read_npz(const std::filesystem::path& file) {
  return read_npz_arrays(file).arrays;
}

void write_npz(const std::filesystem::path& file, std::span<const NamedArray> arrays) {
  if (arrays.empty()) return write_file_atomically(file, kEmptyArchive);
  std::vector<std::string> headers;
  for (const auto& [name, array] : arrays) headers.push_back(header_of(array));
  AtomicFile written(file);
  try {
    ZipWriter archive(written.descriptor());
    for (std::size_t i = 0; i < arrays.size(); ++i)
      archive.add(arrays[i].first + std::string(kEnding), headers[i], bytes_of(arrays[i].second));
    archive.close();
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(fmt::format("cannot write {}: {}", file.string(), error.what()));
  }
  written.commit();
}

}  // namespace greybox
