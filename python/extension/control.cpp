// Control: threads, progress and cancellation of a long function.
#include "background.hpp"
#include "module.hpp"

namespace greybox::python {

void bind_control(nb::module_& module) {
  nb::class_<Control>(module, "Control")
      .def(
          "__init__",
          [](Control* self, std::size_t threads, nb::object progress, nb::object cancel) {
            new (self) Control{threads, std::move(progress), std::move(cancel)};
          },
          nb::arg("threads") = 0, nb::arg("progress").none() = nb::none(),
          nb::arg("cancel").none() = nb::none());
}

}  // namespace greybox::python
