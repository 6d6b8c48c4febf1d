// Options that several functions share: which columns, which windows, which data, which networks.
#pragma once

#include <greybox/landscape.hpp>
#include <greybox/table.hpp>

#include "fields.hpp"

namespace greybox::python {

template <>
struct Fields<TableOptions> {
  using T = TableOptions;
  static constexpr auto list =
      std::tuple{Field{"series_column", &T::series_column}, Field{"time_column", &T::time_column},
                 Field{"time_unit", &T::time_unit},         Field{"renamed", &T::renamed},
                 Field{"missing_words", &T::missing_words}, Field{"variable_column", &T::variable_column},
                 Field{"value_column", &T::value_column},   Field{"columns_read", &T::columns_read},
                 Field{"needs_time", &T::needs_time},       Field{"may_repeat_times", &T::may_repeat_times}};
};

template <>
struct Names<Split> {
  static constexpr std::pair<Split, const char*> list[] = {
      {Split::train, "train"}, {Split::validation, "validation"}, {Split::test, "test"}};
};

template <>
struct Fields<InputRange> {
  using R = InputRange;
  static constexpr auto list = std::tuple{Field{"column", &R::column}, Field{"low", &R::low},
                                          Field{"high", &R::high}, Field{"n_points", &R::n_points}};
};

template <>
struct Fields<VariedParameter> {
  using V = VariedParameter;
  static constexpr auto list = std::tuple{Field{"name", &V::name}, Field{"low", &V::low},
                                          Field{"high", &V::high}, Field{"n_points", &V::n_points}};
};

// From ("splits", […]), ("index", 3), ("at", series, time) or ("points", […]), as `greybox._selection` makes
// them.
template <>
inline Selection from_python<Selection>(nb::handle value) {
  const auto kind = nb::cast<std::string>(value[0]);
  if (kind == "splits") return Splits{from_python<std::vector<Split>>(value[1])};
  if (kind == "index") return WindowIndex{nb::cast<std::size_t>(value[1])};
  if (kind == "at") return WindowAt{nb::cast<std::string>(value[1]), nb::cast<double>(value[2])};
  return Points{from_python<std::vector<InputRange>>(value[1])};
}

}  // namespace greybox::python
