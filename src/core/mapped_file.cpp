#include "core/mapped_file.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <string>
#include <system_error>

#include "greybox/mapped_files.hpp"

namespace greybox {
namespace {

// How much may have been read before pages are given back.
constexpr std::size_t kMostRead = std::size_t{1} << 26U;

// What a handler of signals may read: nothing here is ever freed, and no lock is taken.
struct KnownMapping {
  std::atomic<bool> is_taken = false;
  std::atomic<std::uintptr_t> begin = 0, end = 0;
  std::array<char, 1024> name{};
};
static_assert(std::atomic<std::uintptr_t>::is_always_lock_free);

// More files are mapped unnamed.
std::array<KnownMapping, 32> known_mappings;

// Control characters of both sets, which could steer a terminal.
bool is_control(char before, char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte == 0x7F || (before == '\xC2' && byte >= 0x80 && byte < 0xA0);
}

std::string printable(std::string name) {
  for (std::size_t i = 0; i < name.size(); ++i)
    if (is_control(i > 0 ? name[i - 1] : '\0', name[i])) name[i] = '?';
  return name;
}

void remember(const void* mapped, std::size_t size, const std::string& name) {
  for (KnownMapping& known : known_mappings) {
    if (known.is_taken.exchange(true)) continue;
    known.name[printable(name).copy(known.name.data(), known.name.size() - 1)] = '\0';
    known.end = reinterpret_cast<std::uintptr_t>(mapped) + size;
    known.begin = reinterpret_cast<std::uintptr_t>(mapped);
    return;
  }
}

void forget(const void* mapped) {
  for (KnownMapping& known : known_mappings) {
    if (known.begin != reinterpret_cast<std::uintptr_t>(mapped)) continue;
    known.begin = known.end = 0;
    known.is_taken = false;
    return;
  }
}

}  // namespace

const char* mapped_file_at(const void* address) noexcept {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  for (const KnownMapping& known : known_mappings)
    if (const std::uintptr_t begin = known.begin; begin != 0 && begin <= at && at < known.end)
      return known.name.data();
  return nullptr;
}

MappedFile::MappedFile(const Descriptor& file, std::size_t size) : size_(size) {
  if (size == 0) return;
  void* mapped = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file.number(), 0);
  if (mapped == MAP_FAILED)
    throw std::system_error(errno, std::generic_category(),
                            fmt::format("cannot map `{}`", file.reported_as().string()));
  begin_ = static_cast<const std::byte*>(mapped);
  remember(begin_, size, file.reported_as().string());
}

MappedFile::~MappedFile() {
  if (begin_ == nullptr) return;
  forget(begin_);
  ::munmap(const_cast<std::byte*>(begin_), size_);
}

// Others may be reading: they get the same bytes again.
void MappedFile::add_read(std::size_t n_bytes) const {
  if (n_read_.fetch_add(n_bytes, std::memory_order_relaxed) + n_bytes < kMostRead) return;
  n_read_.store(0, std::memory_order_relaxed);
  ::madvise(const_cast<std::byte*>(begin_), size_, MADV_DONTNEED);
}

}  // namespace greybox
