// Training, resumed and at fixed parameters; expert augmentation.
#include <greybox/augment.hpp>
#include <greybox/train.hpp>

#include "background.hpp"
#include "fields.hpp"
#include "module.hpp"

namespace greybox::python {

template <>
struct Names<TrainMode> {
  static constexpr std::pair<TrainMode, const char*> list[] = {
      {TrainMode::adaptive, "adaptive"},         {TrainMode::inductive, "inductive"},
      {TrainMode::transductive, "transductive"}, {TrainMode::refit, "refit"},
      {TrainMode::aphynity, "aphynity"},         {TrainMode::tailored, "tailored"}};
};

template <>
struct Fields<TrainOptions> {
  using T = TrainOptions;
  static constexpr auto list = std::tuple{Field{"mode", &T::mode},
                                          Field{"lambda", &T::lambda},
                                          Field{"regularizer", &T::regularizer},
                                          Field{"epochs", &T::epochs},
                                          Field{"batch", &T::batch},
                                          Field{"seed", &T::seed},
                                          Field{"single_precision", &T::single_precision},
                                          Field{"theta", &T::theta},
                                          Field{"folder", &T::folder},
                                          Field{"resume", &T::resume},
                                          Field{"overwrite", &T::overwrite},
                                          Field{"command", &T::command}};
};

template <>
struct Fields<AugmentedRange> {
  using A = AugmentedRange;
  static constexpr auto list =
      std::tuple{Field{"name", &A::name}, Field{"low", &A::low}, Field{"high", &A::high}};
};

template <>
struct Fields<AugmentOptions> {
  using A = AugmentOptions;
  static constexpr auto list =
      std::tuple{Field{"theta", &A::theta},   Field{"at", &A::at},     Field{"windows", &A::windows},
                 Field{"epochs", &A::epochs}, Field{"seed", &A::seed}, Field{"folder", &A::folder}};
};

template <>
struct Fields<EstimatorError> {
  using E = EstimatorError;
  static constexpr auto list =
      std::tuple{Field{"name", &E::name}, Field{"before", &E::before}, Field{"after", &E::after}};
};

namespace {

// An exception of Python's takes the interrupted run with it, as its attribute `core_run`.
[[noreturn]] void raise_with(nb::python_error error, const std::optional<Run>& run) {
  if (run) {
    const nb::object handle = nb::cast(*run);
    if (PyObject_SetAttrString(error.value().ptr(), "core_run", handle.ptr()) != 0) PyErr_Clear();
  }
  throw error;
}

template <class Work>
Run train_in_background(const Control& control, Work work) {
  std::optional<Run> run;
  std::optional<nb::python_error> error =
      listen(control, [&](const Execution& execution) { run.emplace(work(execution)); });
  if (error) raise_with(std::move(*error), run);
  return std::move(*run);
}

TrainOptions options_of(const nb::dict& fields) {
  return from_python<TrainOptions>(fields);
}

Run train_table(const Model& model, const Table& table, const nb::dict& fields, const Control& control) {
  TrainOptions options = options_of(fields);
  return train_in_background(control, [&](const Execution& execution) {
    options.execution = execution;
    return train(model, table, options);
  });
}

Run train_own(const Model& model, const nb::dict& fields, const Control& control) {
  TrainOptions options = options_of(fields);
  return train_in_background(control, [&](const Execution& execution) {
    options.execution = execution;
    return train(model, options);
  });
}

Run refit_run(const Run& run, const Theta& theta, const std::optional<Table>& table, const nb::dict& fields,
              const Control& control) {
  TrainOptions options = options_of(fields);
  return train_in_background(control, [&](const Execution& execution) {
    options.execution = execution;
    return table ? refit(run, theta, *table, options) : refit(run, theta, options);
  });
}

nb::dict augment_run(const Run& run, const nb::dict& fields, const Control& control) {
  auto options = from_python<AugmentOptions>(fields);
  const Augmentation made = in_background(control, [&](const Execution& execution) {
    options.execution = execution;
    return augment(run, options);
  });
  nb::dict result;
  result["run"] = nb::cast(made.run);
  result["n_windows"] = made.n_windows;
  result["errors"] = list_of(made.errors, nb::handle());
  result["warnings"] = nb::cast(made.warnings);
  return result;
}

}  // namespace

void bind_train(nb::module_& module) {
  module.def("train", &train_table);
  module.def("train", &train_own);
  module.def("resume", [](const Run& run, const Control& control) {
    return train_in_background(control, [&](const Execution& execution) { return resume(run, execution); });
  });
  module.def("refit", &refit_run, nb::arg("run"), nb::arg("theta"), nb::arg("table").none(),
             nb::arg("options"), nb::arg("control"));
  module.def("augment", &augment_run);
}

}  // namespace greybox::python
