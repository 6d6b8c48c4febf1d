// The explorer's server.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <greybox/explore.hpp>

#include "background.hpp"
#include "module.hpp"

namespace greybox::python {

void bind_explore(nb::module_& module) {
  nb::class_<Explorer>(module, "Explorer")
      .def(
          "__init__",
          [](Explorer* self, const Run& run, std::uint16_t port, std::size_t n_threads) {
            const nb::gil_scoped_release released;
            new (self) Explorer(run, {.port = port, .execution = {.n_threads = n_threads}});
          },
          nb::arg("run"), nb::arg("port"), nb::arg("threads"))
      .def_prop_ro("address", &Explorer::address)
      .def_prop_ro("warnings", &Explorer::warnings)
      .def("wait",
           [](const Explorer& self, const Control& control) {
             in_background(control, [&](const Execution& execution) {
               self.wait(*execution.cancel);
               return true;
             });
           })
      .def("stop", &Explorer::stop, nb::call_guard<nb::gil_scoped_release>());
}

}  // namespace greybox::python
