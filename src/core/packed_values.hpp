// Values as bytes for another process of the same program, exactly.
#pragma once

#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "core/require.hpp"

namespace greybox {

class PackedValues {
 public:
  template <class V>
  PackedValues& put(const V& value) {
    static_assert(std::is_trivially_copyable_v<V>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
    return *this;
  }
  PackedValues& put(const std::string& text) {
    put(text.size());
    bytes_ += text;
    return *this;
  }
  template <class V>
  PackedValues& put(const std::vector<V>& values) {
    static_assert(std::is_trivially_copyable_v<V>);
    put(values.size());
    bytes_.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(V));
    return *this;
  }

  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// Takes them in the order in which they were put.
class UnpackedValues {
 public:
  explicit UnpackedValues(const std::string& bytes) : bytes_(bytes) {}

  template <class V>
  V get() {
    if constexpr (std::is_same_v<V, std::string>) {
      const auto size = get<std::size_t>();
      return std::string(next(size), size);
    } else {
      static_assert(std::is_trivially_copyable_v<V>);
      V value;
      std::memcpy(&value, next(sizeof value), sizeof value);
      return value;
    }
  }
  template <class V>
  std::vector<V> get_all() {
    std::vector<V> values(get<std::size_t>());
    for (V& value : values) value = get<V>();
    return values;
  }

 private:
  const char* next(std::size_t size) {
    require(size <= bytes_.size() - at_, "packed values end too early");
    at_ += size;
    return bytes_.data() + at_ - size;
  }

  const std::string& bytes_;
  std::size_t at_ = 0;
};

}  // namespace greybox
