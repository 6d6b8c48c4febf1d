// Tables made of arrays.
#include <greybox/column_roles.hpp>

#include "fields.hpp"
#include "module.hpp"
#include "options.hpp"

namespace greybox::python {
namespace {

template <class T>
using Array = nb::ndarray<const T, nb::c_contig, nb::device::cpu>;

template <class T>
std::span<const T> span_of(const Array<T>& array) {
  return {array.data(), array.size()};
}

template <class T>
void add_field(Table& table, std::string name, const Array<T>& values) {
  if (values.ndim() == 1) {
    table.column(std::move(name), span_of(values));
    return;
  }
  if (values.ndim() > 3 || values.ndim() < 1)
    throw std::invalid_argument("`" + name +
                                "` must have one axis, or rows × width, or rows × height × width");
  table.field(std::move(name), span_of(values), values.ndim() == 3 ? values.shape(1) : 1,
              values.shape(values.ndim() - 1));
}

// Places of series and time.
auto roles_of(const std::vector<std::string>& names, const nb::dict& options, const std::string& table) {
  const ColumnRoles roles = column_roles(names, from_python<TableOptions>(options), table);
  return std::pair(roles.series, roles.time);
}

}  // namespace

void bind_table(nb::module_& module) {
  nb::class_<Table>(module, "Table")
      .def(nb::init<>())
      .def("copy", [](const Table& table) { return Table(table); })
      .def("set_series", [](Table& table, const std::vector<std::string>& names) { table.series(names); })
      .def("set_time", [](Table& table, const Array<double>& values) { table.time(span_of(values)); })
      .def("add", &add_field<double>, nb::arg("name"), nb::arg("values").noconvert())
      .def("add", &add_field<float>, nb::arg("name"), nb::arg("values").noconvert())
      .def("set_name", [](Table& table, std::string name) { table.named(std::move(name)); })
      .def("set_input",
           [](Table& table, std::string name, const Table& values) { table.input(std::move(name), values); })
      .def("n_rows", &Table::n_rows)
      .def("columns", &Table::columns);
  module.def("column_roles", &roles_of);
}

}  // namespace greybox::python
