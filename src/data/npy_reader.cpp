// Arrays decoded piece by piece into the type and order that the library keeps.
#include "data/npy_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

#include "data/npy_header.hpp"
#include "data/utf8.hpp"

namespace greybox {
namespace {

constexpr std::size_t kLongestHeader = std::size_t{1} << 16;
constexpr std::size_t kPieceBytes = std::size_t{1} << 16;

struct Half {
  std::uint16_t bits;

  explicit operator float() const {
    const std::uint32_t sign = (bits & 0x8000u) << 16;
    const std::uint32_t exponent = (bits >> 10) & 0x1Fu;
    const std::uint32_t fraction = bits & 0x3FFu;
    if (exponent == 0) {  // zero or subnormal: a multiple of 2^-24
      const float magnitude = static_cast<float>(fraction) * 0x1p-24f;
      return sign != 0 ? -magnitude : magnitude;
    }
    const std::uint32_t wide_exponent = exponent == 31 ? 255 : exponent + 112;
    return std::bit_cast<float>(sign | (wide_exponent << 23) | (fraction << 13));
  }
};

template <class Stored>
Stored load(const std::byte* from, bool is_big_endian) {
  std::array<std::byte, sizeof(Stored)> bytes;
  std::memcpy(bytes.data(), from, sizeof(Stored));
  if (is_big_endian) std::reverse(bytes.begin(), bytes.end());
  return std::bit_cast<Stored>(bytes);
}

// Calls use(element) for each of `count` elements in the order of the file.
template <class Stored, class Use>
void for_each_element(ZipEntry& entry, bool is_big_endian, std::size_t count, const Use& use) {
  std::vector<std::byte> piece(kPieceBytes / sizeof(Stored) * sizeof(Stored));
  while (count > 0) {
    const std::size_t n = std::min(count, piece.size() / sizeof(Stored));
    entry.read(std::span(piece).first(n * sizeof(Stored)));
    for (std::size_t i = 0; i < n; ++i) use(load<Stored>(piece.data() + i * sizeof(Stored), is_big_endian));
    count -= n;
  }
}

template <class T>
std::vector<T> to_c_order(const std::vector<T>& values, const std::vector<std::size_t>& shape) {
  std::vector<T> result(values.size());
  std::vector<std::size_t> index(shape.size(), 0);
  std::vector<std::size_t> strides(shape.size(), 1);
  for (std::size_t axis = 1; axis < shape.size(); ++axis) strides[axis] = strides[axis - 1] * shape[axis - 1];
  std::size_t from = 0;
  for (T& value : result) {
    value = values[from];
    // Count up in C order: the last axis runs fastest.
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      from += strides[axis];
      if (++index[axis] < shape[axis]) break;
      from -= strides[axis] * shape[axis];
      index[axis] = 0;
    }
  }
  return result;
}

template <class Stored, class Kept>
void read_values(ZipEntry& entry, const NpyHeader& header, NpyArray& array) {
  std::vector<Kept> values;
  values.reserve(array.size());
  for_each_element<Stored>(entry, header.is_big_endian, array.size(), [&](Stored element) {
    if constexpr (std::is_same_v<Stored, std::uint64_t>) {
      if (element > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
        entry.place().refuse(fmt::format("the integer {} is too large", element),
                             "save the array as float64");
      }
    }
    values.push_back(static_cast<Kept>(element));
  });
  array.values =
      header.is_fortran_order && array.shape.size() > 1 ? to_c_order(values, array.shape) : std::move(values);
}

void read_text(ZipEntry& entry, const NpyHeader& header, NpzEntry& result) {
  if (header.shape.size() > 1) {
    entry.place().refuse("text in more than one dimension", "only a list of series names may be text");
  }
  if (header.item_size == 0) entry.place().refuse("text without characters", kWriteAgain);
  result.is_text = true;
  result.text.assign(result.numbers.size(), {});
  std::size_t position = 0;
  const std::size_t n_characters = result.text.size() * header.item_size;
  for_each_element<std::uint32_t>(entry, header.is_big_endian, n_characters, [&](std::uint32_t code_point) {
    std::string& text = result.text[position++ / header.item_size];
    // Shorter strings are padded with NULs at their end.
    if (code_point != 0 && !append_utf8(text, code_point)) {
      entry.place().refuse("text that is not Unicode", kWriteAgain);
    }
  });
}

using ReadValues = void (*)(ZipEntry&, const NpyHeader&, NpyArray&);

struct NumericType {
  char kind;
  std::size_t item_size;
  ReadValues read;
};

constexpr std::array kNumericTypes = {
    NumericType{'f', 2, read_values<Half, float>},
    NumericType{'f', 4, read_values<float, float>},
    NumericType{'f', 8, read_values<double, double>},
    NumericType{'i', 1, read_values<std::int8_t, std::int64_t>},
    NumericType{'i', 2, read_values<std::int16_t, std::int64_t>},
    NumericType{'i', 4, read_values<std::int32_t, std::int64_t>},
    NumericType{'i', 8, read_values<std::int64_t, std::int64_t>},
    NumericType{'u', 1, read_values<std::uint8_t, std::int64_t>},
    NumericType{'u', 2, read_values<std::uint16_t, std::int64_t>},
    NumericType{'u', 4, read_values<std::uint32_t, std::int64_t>},
    NumericType{'u', 8, read_values<std::uint64_t, std::int64_t>},
    NumericType{'b', 1, read_values<std::uint8_t, std::int64_t>},
};

std::string kind_name(char kind) {
  switch (kind) {
    case 'O':
      return "Python objects";
    case 'S':
      return "byte strings";
    case 'c':
      return "complex numbers";
    case 'M':
      return "dates";
    case 'm':
      return "time differences";
    case 'V':
      return "raw records";
    default:
      return fmt::format("elements of type {}", in_backquotes({&kind, 1}));
  }
}

ReadValues reader_for(const NpyHeader& header, const Place& place) {
  for (const NumericType& type : kNumericTypes) {
    if (type.kind == header.kind && type.item_size == header.item_size) return type.read;
  }
  place.refuse(header.kind == 'f' ? fmt::format("floating-point numbers of {} bytes", header.item_size)
                                  : fmt::format("an array of {}", kind_name(header.kind)),
               "save real numbers, e.g. with x.astype(\"float64\")");
}

std::string read_header_text(ZipEntry& entry) {
  std::array<std::byte, 8> start{};
  if (entry.unread() < 10) entry.place().refuse("the array is cut short", kWriteAgain);
  entry.read(start);
  if (std::memcmp(start.data(), "\x93NUMPY", 6) != 0)
    entry.place().refuse("not a numpy array (wrong magic)", kWriteAgain);
  const auto version = std::to_integer<unsigned>(start[6]);
  if (version < 1 || version > 3) {
    entry.place().refuse(fmt::format("version {} of the npy format", version),
                         "versions 1 to 3 are understood");
  }
  std::array<std::byte, 4> length_bytes{};
  entry.read(std::span(length_bytes).first(version == 1 ? 2 : 4));
  const auto length = load<std::uint32_t>(length_bytes.data(), false);
  if (length > kLongestHeader) entry.place().refuse(fmt::format("a header of {} bytes", length), kWriteAgain);
  std::string text(length, '\0');
  entry.read(std::as_writable_bytes(std::span(text)));
  return text;
}

// Throws unless the entry holds exactly the bytes that the header promises; nothing is allocated before.
void check_size(ZipEntry& entry, const NpyHeader& header) {
  std::uint64_t bytes = header.kind == 'U' ? 4 : 1;
  bool overflows = __builtin_mul_overflow(bytes, header.item_size, &bytes);
  const bool is_empty = std::find(header.shape.begin(), header.shape.end(), 0) != header.shape.end();
  for (const std::size_t length : header.shape) overflows |= __builtin_mul_overflow(bytes, length, &bytes);
  if (is_empty) bytes = 0;
  if (overflows && !is_empty) entry.place().refuse("a shape larger than any memory", kWriteAgain);
  if (bytes != entry.unread())
    entry.place().refuse(
        fmt::format("the header promises {} bytes of data, but there are {}", bytes, entry.unread()),
        kWriteAgain);
}

// Before memory is taken.
void claim_memory(ZipEntry& entry, const NpyHeader& header) {
  const std::uint64_t bytes = entry.unread();
  if (bytes == 0) return;
  const std::uint64_t n_elements = bytes / (header.item_size * (header.kind == 'U' ? 4 : 1));
  const std::size_t least = header.kind == 'U'                            ? sizeof(std::string)
                            : header.kind == 'f' && header.item_size <= 4 ? sizeof(float)
                                                                          : sizeof(double);
  const bool has_copy = header.is_fortran_order && header.shape.size() > 1;
  entry.claim(std::max(bytes, n_elements * least) * (has_copy ? 2 : 1), bytes);
}

bool stays_in_file(const ZipEntry& entry, const NpyHeader& header, std::size_t least_axes) {
  const bool is_as_in_memory = header.kind == 'f' && header.item_size >= 4 && !header.is_big_endian &&
                               (!header.is_fortran_order || header.shape.size() < 2);
  return is_as_in_memory && header.shape.size() >= least_axes && entry.stays_in_file(entry.unread());
}

// Reads the array once, and remembers where it stands. What the archive gives, whose checksum is verified,
// must be what stands there.
template <class T>
SharedValues<T> left_in_file(ZipEntry& entry) {
  ValuesInFile values{.file = entry.file(), .offset = entry.position(), .size = entry.unread() / sizeof(T)};
  const std::byte* expected = values.file->bytes().data() + values.offset;
  std::vector<std::byte> piece(kPieceBytes);
  while (entry.unread() > 0) {
    const std::size_t n = std::min<std::uint64_t>(piece.size(), entry.unread());
    entry.read(std::span(piece).first(n));
    if (std::memcmp(piece.data(), expected, n) != 0)
      entry.place().refuse("the archive's directory is damaged", kWriteAgain);
    for (std::size_t at = 0; at < n; at += sizeof(T)) {
      const T value = load<T>(piece.data() + at, false);
      values.n_missing += std::isnan(value) ? 1 : 0;
      values.has_infinite |= std::isinf(value);
    }
    values.file->add_read(n);
    expected += n;
  }
  return SharedValues<T>(std::move(values));
}

}  // namespace

NpzEntry read_npy(ZipEntry& entry, std::size_t least_axes_in_file) {
  const NpyHeader header = parse_npy_header(read_header_text(entry), entry.place());
  const ReadValues read = header.kind == 'U' ? nullptr : reader_for(header, entry.place());
  check_size(entry, header);
  NpzEntry result;
  result.numbers.shape = header.shape;
  if (stays_in_file(entry, header, least_axes_in_file)) {
    if (header.item_size == sizeof(float))
      result.in_file = left_in_file<float>(entry);
    else
      result.in_file = left_in_file<double>(entry);
  } else {
    claim_memory(entry, header);
    read != nullptr ? read(entry, header, result.numbers) : read_text(entry, header, result);
  }
  entry.expect_end();
  return result;
}

}  // namespace greybox
