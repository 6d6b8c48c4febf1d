// The numbers of a column: copies share them, and they may stand in a file.
#pragma once

#include <algorithm>
#include <cmath>
#include <compare>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include "core/mapped_file.hpp"

namespace greybox {

// Numbers in a mapped file, not aligned, and what was found out when it was read once.
struct ValuesInFile {
  std::shared_ptr<const MappedFile> file;
  // Of the first in the file.
  std::size_t offset = 0;
  std::size_t size = 0;
  std::size_t n_missing = 0;
  bool has_infinite = false;
};

// Throws InputError when numbers of a file that are to be changed do not fit into memory.
void require_memory_to_change(std::size_t n_bytes);

template <class T>
class SharedValues {
 public:
  class Iterator {
   public:
    using iterator_category = std::random_access_iterator_tag;
    using value_type = T;
    using difference_type = std::ptrdiff_t;
    using pointer = const T*;
    using reference = T;

    Iterator() = default;
    explicit Iterator(const std::byte* at) : at_(at) {}
    T operator*() const { return load(at_); }
    T operator[](std::ptrdiff_t n) const { return *(*this + n); }
    Iterator& operator+=(std::ptrdiff_t n) {
      at_ += n * kSize;
      return *this;
    }
    Iterator& operator-=(std::ptrdiff_t n) { return *this += -n; }
    Iterator& operator++() { return *this += 1; }
    Iterator& operator--() { return *this -= 1; }
    Iterator operator++(int) { return std::exchange(*this, *this + 1); }
    Iterator operator--(int) { return std::exchange(*this, *this - 1); }
    friend Iterator operator+(Iterator it, std::ptrdiff_t n) { return it += n; }
    friend Iterator operator+(std::ptrdiff_t n, Iterator it) { return it += n; }
    friend Iterator operator-(Iterator it, std::ptrdiff_t n) { return it -= n; }
    friend std::ptrdiff_t operator-(Iterator a, Iterator b) { return (a.at_ - b.at_) / kSize; }
    auto operator<=>(const Iterator&) const = default;

   private:
    const std::byte* at_ = nullptr;
  };
  using value_type = T;
  using const_iterator = Iterator;

  SharedValues() = default;
  SharedValues(std::vector<T> values)  // NOLINT(google-explicit-constructor): a column is made of a vector
      : own_(std::make_shared<std::vector<T>>(std::move(values))) {
    look_at_own();
  }
  explicit SharedValues(ValuesInFile values) : in_file_(std::move(values)) {
    begin_ = in_file_.file->bytes().data() + in_file_.offset;
    size_ = in_file_.size;
  }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T operator[](std::size_t i) const { return load(begin_ + i * sizeof(T)); }
  Iterator begin() const { return Iterator(begin_); }
  Iterator end() const { return Iterator(begin_ + size_ * sizeof(T)); }
  bool is_in_file() const { return in_file_.file != nullptr; }
  const ValuesInFile& in_file() const { return in_file_; }
  // Numbers that there is room for in memory.
  std::size_t capacity() const { return own_ ? own_->capacity() : 0; }

  // Calls use(value) for each of n from the first on, in order; those of a file do not stay in memory.
  template <class Use>
  void for_each(std::size_t first, std::size_t n, const Use& use) const {
    constexpr std::size_t at_once = std::size_t{1} << 20U;
    for (const std::size_t end = first + n; first < end;) {
      const std::size_t stop = std::min(end, first + at_once);
      if (is_in_file()) in_file_.file->add_read((stop - first) * sizeof(T));
      for (; first < stop; ++first) use((*this)[first]);
    }
  }
  template <class Use>
  void for_each(const Use& use) const {
    for_each(0, size_, use);
  }

  std::size_t n_missing() const {
    if (is_in_file()) return in_file_.n_missing;
    return static_cast<std::size_t>(std::count_if(begin(), end(), [](T value) { return std::isnan(value); }));
  }
  bool has_infinite() const {
    if (is_in_file()) return in_file_.has_infinite;
    return std::any_of(begin(), end(), [](T value) { return std::isinf(value); });
  }

  // Calls edit(std::vector<T>&) on numbers that nobody else has.
  template <class Edit>
  void change(const Edit& edit) {
    if (is_in_file()) require_memory_to_change(size_ * sizeof(T));
    if (!own_ || own_.use_count() > 1) own_ = std::make_shared<std::vector<T>>(begin(), end());
    in_file_ = {};
    edit(*own_);
    look_at_own();
  }

  friend bool operator==(const SharedValues& a, const SharedValues& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }
  friend bool operator==(const SharedValues& a, const std::vector<T>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  static constexpr auto kSize = static_cast<std::ptrdiff_t>(sizeof(T));

  static T load(const std::byte* at) {
    T value;
    std::memcpy(&value, at, sizeof(T));
    return value;
  }
  void look_at_own() {
    begin_ = reinterpret_cast<const std::byte*>(own_->data());
    size_ = own_->size();
  }

  std::shared_ptr<std::vector<T>> own_;
  ValuesInFile in_file_;
  const std::byte* begin_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace greybox
