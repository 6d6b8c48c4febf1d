// Datasets: what a model makes of a table.
#include <greybox/dataset.hpp>

#include "fields.hpp"
#include "module.hpp"
#include "options.hpp"

namespace greybox::python {

template <>
struct Fields<WindowInfo> {
  using W = WindowInfo;
  static constexpr auto list = std::tuple{Field{"series", &W::series}, Field{"start", &W::start},
                                          Field{"n_snapshots", &W::n_snapshots}, Field{"split", &W::split}};
};

void bind_dataset(nb::module_& module) {
  nb::class_<Dataset>(module, "Dataset")
      .def(nb::init<const Model&, const Table&>(), nb::call_guard<nb::gil_scoped_release>())
      .def("table", &Dataset::table)
      .def("n_windows", [](const Dataset& dataset) { return dataset.n_windows(); })
      .def("windows", [](const Dataset& dataset) { return list_of(dataset.windows(), nb::handle()); })
      .def("n_dropped_rows", &Dataset::n_dropped_rows)
      .def("n_dropped_windows", &Dataset::n_dropped_windows);
}

}  // namespace greybox::python
