// Theories of the same data, side by side.
#include <greybox/theories.hpp>

#include "background.hpp"
#include "module.hpp"
#include "output_error.hpp"
#include "verdicts.hpp"

namespace greybox::python {

template <>
struct Fields<TheoriesOptions> {
  using T = TheoriesOptions;
  static constexpr auto list = std::tuple{Field{"regularizer", &T::regularizer}, Field{"seeds", &T::seeds}};
};

template <>
struct Fields<ComparedTheory> {
  using C = ComparedTheory;
  static constexpr auto list = std::tuple{Field{"name", &C::name},
                                          Field{"run", &C::run},
                                          Field{"theta", &C::theta},
                                          Field{"regularizer", &C::regularizer},
                                          Field{"outputs", &C::outputs},
                                          Field{"log_likelihood", &C::log_likelihood},
                                          Field{"behind_best", &C::behind_best},
                                          Field{"behind_best_error", &C::behind_best_error},
                                          Field{"network_share", &C::network_share},
                                          Field{"verdicts", &C::verdicts}};
};

template <>
struct Fields<TheoryComparison> {
  using T = TheoryComparison;
  static constexpr auto list = std::tuple{Field{"theories", &T::theories}, Field{"split", &T::split},
                                          Field{"n_windows", &T::n_windows}, Field{"warnings", &T::warnings}};
};

void bind_theories(nb::module_& module) {
  bind_result<TheoryComparison>(module, "TheoryComparison").def("write", &write_theories);
  module.def("compare_theories",
             [](const std::vector<Run>& runs, const nb::dict& fields, const Control& control) {
               auto options = from_python<TheoriesOptions>(fields);
               return in_background(control, [&](const Execution& execution) {
                 options.execution = execution;
                 return compare_theories(runs, options);
               });
             });
}

}  // namespace greybox::python
