// greybox._core: the library for Python, without comfort; the package `greybox` is what people use.
#include "module.hpp"

#include <nanobind/stl/string_view.h>

#include <greybox/version.hpp>

NB_MODULE(_core, module) {
  using namespace greybox::python;
  nanobind::set_leak_warnings(false);  // what lives at exit is not lost
  module.def("version", &greybox::version);
  bind_errors(module);
  bind_control(module);
  bind_table(module);
  bind_model(module);
  bind_dataset(module);
  bind_structure(module);
  bind_run(module);
  bind_train(module);
  bind_landscape(module);
  bind_verdicts(module);
  bind_estimate(module);
  bind_posterior(module);
  bind_prediction(module);
  bind_simulation(module);
  bind_explanation(module);
  bind_comparison(module);
  bind_theories(module);
  bind_evaluator(module);
  bind_report(module);
  bind_explore(module);
  bind_data_sets(module);
}
