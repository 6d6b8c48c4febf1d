// Which parameters can be trusted under which regularizer.
#include "verdicts.hpp"

#include "background.hpp"
#include "module.hpp"

namespace greybox::python {

void bind_verdicts(nb::module_& module) {
  bind_result<Verdicts>(module, "Verdicts");
  module.def("judge", [](const Run& run, const nb::dict& fields, const Control& control) {
    auto options = from_python<JudgeOptions>(fields);
    return in_background(control, [&](const Execution& execution) {
      options.execution = execution;
      return judge(run, options);
    });
  });
}

}  // namespace greybox::python
