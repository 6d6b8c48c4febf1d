// Structs of the library as Python dictionaries and back, from one list of members each.
//
//   template <>
//   struct Fields<Profile> {
//     static constexpr auto list = std::tuple{Field{"theta", &Profile::theta}, …};
//   };
//
// A vector of numbers becomes a numpy array that shares its memory; `owner` is the Python object that keeps
// it alive.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <filesystem>
#include <greybox/error.hpp>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

namespace greybox::python {

namespace nb = nanobind;

template <class Struct, class Member>
struct Field {
  const char* name;
  Member Struct::*member;
};

// Specialised for every struct that crosses the border.
template <class Struct>
struct Fields;
template <class T>
concept Described = requires {
  Fields<T>::list;
};

// Specialised for every enumeration: pairs of a value and its name in Python.
template <class Enumeration>
struct Names;

template <class T>
struct IsVector : std::false_type {};
template <class T>
struct IsVector<std::vector<T>> : std::true_type {};
template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};
template <class T>
struct IsMap : std::false_type {};
template <class T>
struct IsMap<std::map<std::string, T>> : std::true_type {};

template <class Enumeration>
std::string name_in_python(Enumeration value) {
  for (const auto& [known, name] : Names<Enumeration>::list)
    if (known == value) return name;
  throw std::logic_error("an enumerator without a name");
}

template <class Enumeration>
Enumeration named_in_python(const std::string& name) {
  for (const auto& [known, own] : Names<Enumeration>::list)
    if (name == own) return known;
  throw std::invalid_argument("unknown name `" + name + "`");
}

// Flags of the library are bytes; Python sees booleans.
template <class T>
using NumpyElement = std::conditional_t<std::is_same_v<T, std::uint8_t>, bool, T>;

template <class T>
nb::object array_of(const std::vector<T>& values, std::initializer_list<std::size_t> shape,
                    nb::handle owner) {
  using Element = NumpyElement<T>;
  auto* data = reinterpret_cast<Element*>(const_cast<T*>(values.data()));
  return nb::cast(nb::ndarray<nb::numpy, Element>(data, shape, owner));
}

template <class T>
nb::object to_python(const T& value, nb::handle owner);

template <class Struct>
nb::dict fields_of(const Struct& value, nb::handle owner) {
  nb::dict fields;
  std::apply(
      [&](const auto&... field) { ((fields[field.name] = to_python(value.*field.member, owner)), ...); },
      Fields<Struct>::list);
  return fields;
}

template <class T>
nb::object list_of(const std::vector<T>& values, nb::handle owner) {
  nb::list list;
  for (const T& value : values) list.append(to_python(value, owner));
  return list;
}

template <class T>
nb::object to_python(const T& value, nb::handle owner) {
  if constexpr (Described<T>) {
    return fields_of(value, owner);
  } else if constexpr (std::is_enum_v<T>) {
    return nb::cast(name_in_python(value));
  } else if constexpr (std::is_same_v<T, std::filesystem::path>) {
    return nb::cast(value.string());  // Python's Path of an empty one is the current folder
  } else if constexpr (IsOptional<T>::value) {
    return value ? to_python(*value, owner) : nb::none();
  } else if constexpr (IsVector<T>::value) {
    if constexpr (std::is_arithmetic_v<typename T::value_type>)
      return array_of(value, {value.size()}, owner);
    else
      return list_of(value, owner);
  } else if constexpr (IsMap<T>::value) {
    nb::dict entries;
    for (const auto& [key, one] : value) entries[key.c_str()] = to_python(one, owner);
    return entries;
  } else {
    return nb::cast(value);
  }
}

template <class T>
T from_python(nb::handle value);

// What a field takes, in the words of a message.
template <class T>
constexpr const char* wanted_in_python() {
  if constexpr (IsOptional<T>::value)
    return wanted_in_python<typename T::value_type>();
  else if constexpr (std::is_same_v<T, bool>)
    return "True or False";
  else if constexpr (std::is_integral_v<T>)
    return "a whole number, 0 or more";
  else if constexpr (std::is_floating_point_v<T>)
    return "a number";
  else if constexpr (std::is_same_v<T, std::string>)
    return "a text";
  else if constexpr (IsVector<T>::value)
    return "a list";
  else
    return "a value of another type";
}

[[noreturn]] inline void refuse_value(const char* field, nb::handle given, const char* wanted) {
  const auto text = nb::cast<std::string>(nb::repr(given));
  throw InputError(Diagnostic{
      .option = field, .message = text + " has the wrong type", .help = std::string("give ") + wanted});
}

template <class Struct>
void set_fields(Struct& target, nb::handle value) {
  const auto fields = nb::cast<nb::dict>(value);
  const auto set = [&]<class Member>(const Field<Struct, Member>& field) {
    if (!fields.contains(field.name)) return;
    const nb::object given = fields[field.name];
    if (given.is_none()) return;
    try {
      target.*field.member = from_python<Member>(given);
    } catch (const std::bad_cast&) {
      refuse_value(field.name, given, wanted_in_python<Member>());
    }
  };
  std::apply([&](const auto&... field) { (set(field), ...); }, Fields<Struct>::list);
}

template <class T>
std::vector<T> numbers_from(nb::handle value) {
  using Element = NumpyElement<T>;
  const auto array = nb::cast<nb::ndarray<const Element, nb::ndim<1>, nb::c_contig, nb::device::cpu>>(value);
  return std::vector<T>(array.data(), array.data() + array.size());
}

template <class T>
T from_python(nb::handle value) {
  if constexpr (Described<T>) {
    T result{};
    set_fields(result, value);
    return result;
  } else if constexpr (std::is_enum_v<T>) {
    return named_in_python<T>(nb::cast<std::string>(value));
  } else if constexpr (IsOptional<T>::value) {
    if (value.is_none()) return std::nullopt;
    return from_python<typename T::value_type>(value);
  } else if constexpr (IsVector<T>::value) {
    using Element = typename T::value_type;
    if constexpr (std::is_arithmetic_v<Element>) {
      if (nb::ndarray_check(value)) return numbers_from<Element>(value);
      return nb::cast<T>(value);
    } else {
      T list;
      for (nb::handle one : value) list.push_back(from_python<Element>(one));
      return list;
    }
  } else if constexpr (IsMap<T>::value) {
    T entries;
    for (auto [key, one] : nb::cast<nb::dict>(value))
      entries.emplace(nb::cast<std::string>(key), from_python<typename T::mapped_type>(one));
    return entries;
  } else {
    return nb::cast<T>(value);
  }
}

// A result as Python sees it: its fields, its JSON, and pickling by way of the fields.
template <class Result>
nb::class_<Result> bind_result(nb::module_& module, const char* name) {
  return nb::class_<Result>(module, name)
      .def("fields", [](nb::handle self) { return fields_of(nb::cast<const Result&>(self), self); })
      .def("to_json", [](const Result& result) { return to_json(result); })
      .def("__getstate__", [](nb::handle self) { return fields_of(nb::cast<const Result&>(self), self); })
      .def("__setstate__",
           [](Result& self, const nb::dict& fields) { new (&self) Result(from_python<Result>(fields)); });
}

}  // namespace greybox::python
