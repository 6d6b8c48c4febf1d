// The end of the archive names its directory, whose records name the entries' own headers; sizes that do not
// fit into 32 bits stand in further records (zip64).
#include "data/zip_directory.hpp"

#include <algorithm>
#include <cstring>

namespace greybox {
namespace {

constexpr std::uint32_t kEnd = 0x06054b50, kEnd64 = 0x06064b50, kEnd64Locator = 0x07064b50,
                        kRecord = 0x02014b50, kEntry = 0x04034b50;
constexpr std::size_t kEndSize = 22, kLocatorSize = 20, kRecordSize = 46, kEntrySize = 30;
constexpr std::size_t kLongestComment = 0xFFFF;
constexpr std::uint32_t kElsewhere = 0xFFFFFFFF;
constexpr std::uint16_t kSizesOf64 = 1;

// Bytes of the archive; what lies beyond its end reads as 0.
class ArchiveBytes {
 public:
  explicit ArchiveBytes(std::span<const std::byte> bytes) : bytes_(bytes) {}

  std::uint64_t size() const { return bytes_.size(); }
  bool has(std::uint64_t at, std::uint64_t n) const { return at <= size() && n <= size() - at; }
  template <class T>
  T get(std::uint64_t at) const {
    T value{};
    if (has(at, sizeof(T))) std::memcpy(&value, bytes_.data() + at, sizeof(T));
    return value;
  }

 private:
  std::span<const std::byte> bytes_;
};

struct Directory {
  std::uint64_t begin = 0, n_entries = 0;
};

std::optional<Directory> find_directory(const ArchiveBytes& bytes) {
  for (std::uint64_t back = kEndSize; back <= std::min(bytes.size(), kEndSize + kLongestComment); ++back) {
    const std::uint64_t end = bytes.size() - back;
    if (bytes.get<std::uint32_t>(end) != kEnd) continue;
    Directory found{bytes.get<std::uint32_t>(end + 16), bytes.get<std::uint16_t>(end + 10)};
    if (end < kLocatorSize || bytes.get<std::uint32_t>(end - kLocatorSize) != kEnd64Locator) return found;
    const auto end64 = bytes.get<std::uint64_t>(end - kLocatorSize + 8);
    if (bytes.get<std::uint32_t>(end64) != kEnd64) return std::nullopt;
    return Directory{bytes.get<std::uint64_t>(end64 + 48), bytes.get<std::uint64_t>(end64 + 32)};
  }
  return std::nullopt;
}

// One record of the directory.
class Record {
 public:
  Record(const ArchiveBytes& bytes, std::uint64_t at) : bytes_(bytes), at_(at) {}

  bool is_sound() const { return bytes_.get<std::uint32_t>(at_) == kRecord && bytes_.has(at_, size()); }
  std::uint64_t size() const { return kRecordSize + name_size() + extra_size() + comment_size(); }

  std::optional<std::uint64_t> stored_bytes() const {
    const bool is_plain =
        bytes_.get<std::uint16_t>(at_ + 10) == 0 && (bytes_.get<std::uint16_t>(at_ + 8) & 1U) == 0;
    const std::optional<std::uint64_t> entry = entry_begin();
    if (!is_plain || !entry || bytes_.get<std::uint32_t>(*entry) != kEntry) return std::nullopt;
    return *entry + kEntrySize + bytes_.get<std::uint16_t>(*entry + 26) +
           bytes_.get<std::uint16_t>(*entry + 28);
  }

 private:
  std::uint64_t name_size() const { return bytes_.get<std::uint16_t>(at_ + 28); }
  std::uint64_t extra_size() const { return bytes_.get<std::uint16_t>(at_ + 30); }
  std::uint64_t comment_size() const { return bytes_.get<std::uint16_t>(at_ + 32); }

  std::optional<std::uint64_t> entry_begin() const {
    const auto begin = bytes_.get<std::uint32_t>(at_ + 42);
    if (begin != kElsewhere) return begin;
    // After the two sizes, as far as those stand there too.
    std::uint64_t before = 0;
    for (const std::uint64_t place : {std::uint64_t{24}, std::uint64_t{20}})
      if (bytes_.get<std::uint32_t>(at_ + place) == kElsewhere) before += sizeof(std::uint64_t);
    const std::uint64_t end = at_ + kRecordSize + name_size() + extra_size();
    for (std::uint64_t field = at_ + kRecordSize + name_size(); field + 4 <= end;) {
      const std::uint64_t length = bytes_.get<std::uint16_t>(field + 2);
      if (bytes_.get<std::uint16_t>(field) == kSizesOf64 && length >= before + sizeof(std::uint64_t))
        return bytes_.get<std::uint64_t>(field + 4 + before);
      field += 4 + length;
    }
    return std::nullopt;
  }

  const ArchiveBytes& bytes_;
  std::uint64_t at_;
};

}  // namespace

std::vector<std::optional<std::uint64_t>> stored_entries(std::span<const std::byte> archive) {
  const ArchiveBytes bytes(archive);
  const std::optional<Directory> directory = find_directory(bytes);
  if (!directory) return {};
  std::vector<std::optional<std::uint64_t>> begins;
  std::uint64_t at = directory->begin;
  for (std::uint64_t i = 0; i < directory->n_entries; ++i) {
    const Record record(bytes, at);
    if (!record.is_sound()) return {};
    begins.push_back(record.stored_bytes());
    at += record.size();
  }
  return begins;
}

}  // namespace greybox
