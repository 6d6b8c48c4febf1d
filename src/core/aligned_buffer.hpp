// Zero-initialised memory aligned for vector loads, allocated once and reused.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <utility>

namespace greybox {

inline constexpr std::size_t kAlignment = 64;

// Rounds a count of T up so that the bytes fill whole cache lines: arrays padded this way start aligned.
template <class T>
constexpr std::size_t padded(std::size_t count) {
  constexpr std::size_t per_line = kAlignment / sizeof(T);
  return (count + per_line - 1) / per_line * per_line;
}

// Owns `size` elements of T, aligned to a cache line and zero at birth.
template <class T>
class AlignedBuffer {
 public:
  AlignedBuffer() = default;
  explicit AlignedBuffer(std::size_t size) : size_(size) {
    if (size == 0) return;
    // One spare line lets kernels read a whole vector past the end.
    const std::size_t bytes = padded<T>(size) * sizeof(T) + kAlignment;
    data_.reset(static_cast<T*>(::operator new (bytes, std::align_val_t{kAlignment})));
    std::fill_n(data_.get(), bytes / sizeof(T), T{});
  }

  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  std::size_t size() const { return size_; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  std::span<T> span() { return {data(), size_}; }
  std::span<const T> span() const { return {data(), size_}; }
  void fill(T value) { std::fill_n(data(), size_, value); }

  // Makes room for `size` elements; keeps the memory when it is large enough, so that steady use never
  // allocates.
  void ensure(std::size_t size) {
    if (size > size_) *this = AlignedBuffer(size);
  }

 private:
  struct Free {
    void operator()(T* p) const { ::operator delete (p, std::align_val_t{kAlignment}); }
  };
  std::unique_ptr<T[], Free> data_;
  std::size_t size_ = 0;
};

}  // namespace greybox
