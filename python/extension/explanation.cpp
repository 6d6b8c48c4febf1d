// What a network learned.
#include <greybox/explain.hpp>

#include "background.hpp"
#include "module.hpp"
#include "options.hpp"
#include "theta_from.hpp"

namespace greybox::python {

template <>
struct Fields<ExplainOptions> {
  using E = ExplainOptions;
  static constexpr auto list =
      std::tuple{Field{"theta", &E::theta}, Field{"theta_from", &E::theta_from}, Field{"on", &E::on},
                 Field{"data", &E::data},   Field{"most_terms", &E::most_terms}, Field{"terms", &E::terms}};
};

template <>
struct Fields<ExplainedVariable> {
  using V = ExplainedVariable;
  static constexpr auto list = std::tuple{Field{"name", &V::name}, Field{"data", &V::data}};
};

template <>
struct Fields<PartialDependence> {
  using P = PartialDependence;
  static constexpr auto list =
      std::tuple{Field{"component", &P::component}, Field{"variable", &P::variable}, Field{"x", &P::x},
                 Field{"mean", &P::mean},           Field{"low", &P::low},           Field{"high", &P::high},
                 Field{"strength", &P::strength}};
};

template <>
struct Fields<ComponentShare> {
  using C = ComponentShare;
  static constexpr auto list = std::tuple{Field{"component", &C::component},
                                          Field{"theory", &C::theory},
                                          Field{"network", &C::network},
                                          Field{"share", &C::share},
                                          Field{"time", &C::time},
                                          Field{"theory_over_time", &C::theory_over_time},
                                          Field{"network_over_time", &C::network_over_time}};
};

template <>
struct Fields<CandidateTerm> {
  using T = CandidateTerm;
  static constexpr auto list = std::tuple{Field{"text", &T::text}, Field{"coefficient", &T::coefficient}};
};

template <>
struct Fields<FormulaCandidate> {
  using F = FormulaCandidate;
  static constexpr auto list =
      std::tuple{Field{"component", &F::component}, Field{"terms", &F::terms},
                 Field{"formula", &F::formula},     Field{"theory", &F::theory},
                 Field{"rmse", &F::rmse},           Field{"r2", &F::r2},
                 Field{"network", &F::network},     Field{"rmse_by_size", &F::rmse_by_size}};
};

template <>
struct Fields<Explanation> {
  using E = Explanation;
  static constexpr auto list = std::tuple{Field{"model", &E::model},
                                          Field{"theta", &E::theta},
                                          Field{"on", &E::on},
                                          Field{"n_windows", &E::n_windows},
                                          Field{"n_points", &E::n_points},
                                          Field{"variables", &E::variables},
                                          Field{"shares", &E::shares},
                                          Field{"dependences", &E::dependences},
                                          Field{"candidates", &E::candidates},
                                          Field{"warnings", &E::warnings}};
};

void bind_explanation(nb::module_& module) {
  bind_result<Explanation>(module, "Explanation")
      .def("write", &write_explanation)
      .def("extended_model",
           [](const Explanation& explanation, const Run& run, const std::filesystem::path& folder) {
             return model_with_candidates(run, explanation, folder);
           });
  module.def("explain", [](const Run& run, const nb::dict& fields, const Control& control) {
    auto options = from_python<ExplainOptions>(fields);
    return in_background(control, [&](const Execution& execution) {
      options.execution = execution;
      return explain(run, options);
    });
  });
}

}  // namespace greybox::python
