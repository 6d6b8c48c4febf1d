// Tables made of arrays.
#include <greybox/table.hpp>

#include "fields.hpp"
#include "module.hpp"

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
  if (values.ndim() != 3)
    throw std::invalid_argument("`" + name + "` must have one axis, or rows × height × width");
  table.field(std::move(name), span_of(values), values.shape(1), values.shape(2));
}

}  // namespace

void bind_table(nb::module_& module) {
  nb::class_<Table>(module, "Table")
      .def(nb::init<>())
      .def("set_series", [](Table& table, const std::vector<std::string>& names) { table.series(names); })
      .def("set_time", [](Table& table, const Array<double>& values) { table.time(span_of(values)); })
      .def("add", &add_field<double>, nb::arg("name"), nb::arg("values").noconvert())
      .def("add", &add_field<float>, nb::arg("name"), nb::arg("values").noconvert())
      .def("set_name", [](Table& table, std::string name) { table.named(std::move(name)); })
      .def("n_rows", &Table::n_rows)
      .def("columns", &Table::columns);
}

}  // namespace greybox::python
