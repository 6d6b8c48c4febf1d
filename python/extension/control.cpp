// Control: threads, progress, cancellation and processes of a long function.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <greybox/mpi_library.hpp>

#include "background.hpp"
#include "module.hpp"

namespace greybox::python {

void bind_control(nb::module_& module) {
  nb::class_<Control>(module, "Control")
      .def(
          "__init__",
          [](Control* self, std::size_t threads, nb::object progress, nb::object cancel,
             std::optional<int> communicator) {
            new (self) Control{threads, std::move(progress), std::move(cancel),
                               communicator ? communicator_of(*communicator) : nullptr};
          },
          nb::arg("threads") = 0, nb::arg("progress").none() = nb::none(),
          nb::arg("cancel").none() = nb::none(), nb::arg("communicator").none() = nb::none());
  module.def("mpi_library", &mpi_library);
}

}  // namespace greybox::python
