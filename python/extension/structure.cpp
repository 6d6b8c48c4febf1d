// Which parameters no data of a design can determine.
#include <greybox/structure.hpp>

#include "background.hpp"
#include "fields.hpp"
#include "module.hpp"

namespace greybox::python {

template <>
struct Fields<StructureOptions> {
  using S = StructureOptions;
  static constexpr auto list =
      std::tuple{Field{"n_draws", &S::n_draws}, Field{"n_windows", &S::n_windows}, Field{"seed", &S::seed}};
};

template <>
struct Fields<TiedParameters> {
  using T = TiedParameters;
  static constexpr auto list =
      std::tuple{Field{"parameters", &T::parameters}, Field{"n_determined", &T::n_determined},
                 Field{"combinations", &T::combinations}};
};

template <>
struct Fields<TheoryStructure> {
  using T = TheoryStructure;
  static constexpr auto list =
      std::tuple{Field{"n_draws", &T::n_draws}, Field{"determined", &T::determined}, Field{"idle", &T::idle},
                 Field{"tied", &T::tied}, Field{"singular_values", &T::singular_values}};
};

template <>
struct Fields<NetworkStructure> {
  using N = NetworkStructure;
  static constexpr auto list =
      std::tuple{Field{"not_tested", &N::not_tested}, Field{"absorbed", &N::absorbed},
                 Field{"kept", &N::kept}, Field{"tied", &N::tied}, Field{"undecided", &N::undecided}};
};

template <>
struct Fields<StructuralCheck> {
  using S = StructuralCheck;
  static constexpr auto list = std::tuple{Field{"theory", &S::theory}, Field{"network", &S::network},
                                          Field{"sentences", &S::sentences}};
};

void bind_structure(nb::module_& module) {
  bind_result<StructuralCheck>(module, "StructuralCheck");
  module.def("structural_check", [](const Dataset& dataset, const nb::dict& fields, const Control& control) {
    auto options = from_python<StructureOptions>(fields);
    return in_background(control, [&](const Execution& execution) {
      options.execution = execution;
      return structural_check(dataset, options);
    });
  });
}

}  // namespace greybox::python
