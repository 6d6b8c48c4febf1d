#include "core/mapped_file.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <cerrno>
#include <system_error>

namespace greybox {
namespace {

// How much may have been read before pages are given back.
constexpr std::size_t kMostRead = std::size_t{1} << 26U;

}  // namespace

MappedFile::MappedFile(const Descriptor& file, std::size_t size) : size_(size) {
  if (size == 0) return;
  void* mapped = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file.number(), 0);
  if (mapped == MAP_FAILED)
    throw std::system_error(errno, std::generic_category(),
                            fmt::format("cannot map `{}`", file.reported_as().string()));
  begin_ = static_cast<const std::byte*>(mapped);
}

MappedFile::~MappedFile() {
  if (begin_ != nullptr) ::munmap(const_cast<std::byte*>(begin_), size_);
}

// Others may be reading: they get the same bytes again.
void MappedFile::add_read(std::size_t n_bytes) const {
  if (n_read_.fetch_add(n_bytes, std::memory_order_relaxed) + n_bytes < kMostRead) return;
  n_read_.store(0, std::memory_order_relaxed);
  ::madvise(const_cast<std::byte*>(begin_), size_, MADV_DONTNEED);
}

}  // namespace greybox
