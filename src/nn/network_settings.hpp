// Settings of a network by key, as a model file or a program gives them.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace greybox {

// Reading a key that is not there, or as another type, throws: a kind is given all keys that it declares.
class NetworkSettings {
 public:
  using Value = std::variant<bool, double, std::size_t, std::vector<std::size_t>, std::string>;

  NetworkSettings& set(std::string_view key, Value value) {
    values_.insert_or_assign(std::string(key), std::move(value));
    return *this;
  }
  // A choice is kept as the position of its enumerator.
  template <class Enumeration>
  requires std::is_enum_v<Enumeration> NetworkSettings& set(std::string_view key, Enumeration choice) {
    return set(key, Value(static_cast<std::size_t>(choice)));
  }

  bool flag(std::string_view key) const { return get<bool>(key); }
  double number(std::string_view key) const { return get<double>(key); }
  std::size_t count(std::string_view key) const { return get<std::size_t>(key); }
  const std::vector<std::size_t>& counts(std::string_view key) const {
    return get<std::vector<std::size_t>>(key);
  }
  const std::string& text(std::string_view key) const { return get<std::string>(key); }
  template <class Enumeration>
  Enumeration choice(std::string_view key) const {
    return static_cast<Enumeration>(count(key));
  }

 private:
  template <class T>
  const T& get(std::string_view key) const {
    return std::get<T>(values_.at(std::string(key)));
  }

  std::map<std::string, Value, std::less<>> values_;
};

}  // namespace greybox
