// The parts of the extension module, one per object.
#pragma once

#include <nanobind/nanobind.h>

namespace greybox::python {

void bind_errors(nanobind::module_& module);
void bind_control(nanobind::module_& module);
void bind_table(nanobind::module_& module);
void bind_model(nanobind::module_& module);
void bind_dataset(nanobind::module_& module);
void bind_structure(nanobind::module_& module);
void bind_run(nanobind::module_& module);
void bind_train(nanobind::module_& module);
void bind_landscape(nanobind::module_& module);
void bind_verdicts(nanobind::module_& module);
void bind_estimate(nanobind::module_& module);
void bind_posterior(nanobind::module_& module);
void bind_prediction(nanobind::module_& module);
void bind_simulation(nanobind::module_& module);
void bind_explanation(nanobind::module_& module);
void bind_comparison(nanobind::module_& module);
void bind_theories(nanobind::module_& module);
void bind_evaluator(nanobind::module_& module);
void bind_report(nanobind::module_& module);
void bind_explore(nanobind::module_& module);
void bind_data_sets(nanobind::module_& module);

}  // namespace greybox::python
