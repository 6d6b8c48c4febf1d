// A file in the process's addresses: what is read of it takes memory, and only for a while.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <span>

#include "core/descriptor.hpp"

namespace greybox {

// Whoever maps a file shares its pages with all processes of the computer. It must not be made shorter
// meanwhile.
class MappedFile {
 public:
  // The descriptor may be closed afterwards. Throws std::system_error.
  MappedFile(const Descriptor& file, std::size_t size);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::span<const std::byte> bytes() const { return {begin_, size_}; }

  // About so many bytes have been read since the last call. From time to time the pages that were read are
  // given back; the system keeps those in its cache that it has room for.
  void add_read(std::size_t n_bytes) const;

 private:
  const std::byte* begin_ = nullptr;
  std::size_t size_ = 0;
  mutable std::atomic<std::size_t> n_read_ = 0;
};

}  // namespace greybox
