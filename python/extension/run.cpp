// Runs: opened, saved, asked what they are.
#include <greybox/run.hpp>

#include "fields.hpp"
#include "module.hpp"

namespace greybox::python {
namespace {

// A copy: the weights are the run's own.
nb::object trained_weights(const Run& run) {
  auto* weights = new std::vector<double>(run.weights());
  const nb::capsule owner(weights,
                          [](void* memory) noexcept { delete static_cast<std::vector<double>*>(memory); });
  return array_of(*weights, {weights->size()}, owner);
}

// One array per column of the curves.
nb::dict curves_of(const Run& run) {
  const std::vector<EpochReport> epochs = run.curves();
  nb::dict curves;
  const auto add = [&](const char* name, auto value) {
    nb::list values;
    for (const EpochReport& epoch : epochs) values.append(value(epoch));
    curves[name] = values;
  };
  add("epoch", [](const EpochReport& e) { return e.epoch; });
  add("loss", [](const EpochReport& e) { return e.loss; });
  add("regularizer", [](const EpochReport& e) { return e.regularizer; });
  add("validation_loss", [](const EpochReport& e) { return e.validation_loss; });
  add("validation_regularizer", [](const EpochReport& e) { return e.validation_regularizer; });
  add("rate", [](const EpochReport& e) { return e.rate; });
  add("multiplier", [](const EpochReport& e) { return e.multiplier; });
  return curves;
}

std::optional<std::string> record_of(const Run& run) {
  const std::optional<RunRecord> record = run.record();
  if (!record) return std::nullopt;
  return to_json(*record);
}

}  // namespace

void bind_run(nb::module_& module) {
  nb::class_<Run>(module, "Run")
      .def_static("open", &Run::open, nb::call_guard<nb::gil_scoped_release>())
      .def("save", &Run::save, nb::call_guard<nb::gil_scoped_release>())
      .def("in_memory", &Run::in_memory, nb::call_guard<nb::gil_scoped_release>())
      .def("model", &Run::model)
      .def("dataset", &Run::dataset, nb::call_guard<nb::gil_scoped_release>())
      .def("record", &record_of)
      .def("folder", &Run::folder)
      .def("weights", &trained_weights)
      .def("curves", &curves_of)
      .def("outcome", [](const Run& run) { return to_string(run.outcome()); })
      .def("message", &Run::message)
      .def("warnings", &Run::warnings)
      .def("evaluator", &Run::evaluator, nb::arg("theta"), nb::arg("window").none() = nb::none());
}

}  // namespace greybox::python
