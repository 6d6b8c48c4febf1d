// Regularizers and errors over the parameters.
#include <greybox/landscape.hpp>

#include "background.hpp"
#include "module.hpp"
#include "options.hpp"
#include "output_error.hpp"

namespace greybox::python {

template <>
struct Names<ReferencePoint> {
  static constexpr std::pair<ReferencePoint, const char*> list[] = {{ReferencePoint::prior, "prior"},
                                                                    {ReferencePoint::estimator, "estimator"},
                                                                    {ReferencePoint::estimate, "estimate"}};
};

// From ("random",) or ("pca", regularizer).
template <>
inline LandscapePlane from_python<LandscapePlane>(nb::handle value) {
  if (nb::cast<std::string>(value[0]) == "random") return RandomPlane{};
  return PrincipalPlane{nb::cast<std::string>(value[1])};
}

template <>
struct Fields<LandscapeOptions> {
  using L = LandscapeOptions;
  static constexpr auto list = std::tuple{Field{"vary", &L::vary},
                                          Field{"regularizers", &L::regularizers},
                                          Field{"on", &L::on},
                                          Field{"n_windows", &L::n_windows},
                                          Field{"data", &L::data},
                                          Field{"reference", &L::reference},
                                          Field{"at", &L::at},
                                          Field{"plane", &L::plane},
                                          Field{"seed", &L::seed},
                                          Field{"seeds", &L::seeds},
                                          Field{"with", &L::with},
                                          Field{"retrain", &L::retrain},
                                          Field{"refits", &L::refits},
                                          Field{"exact", &L::exact},
                                          Field{"single_precision", &L::single_precision}};
};

template <>
struct Fields<LandscapeAxis> {
  using A = LandscapeAxis;
  static constexpr auto list =
      std::tuple{Field{"name", &A::name}, Field{"unit", &A::unit}, Field{"about", &A::about},
                 Field{"values", &A::values}, Field{"is_log", &A::is_log}};
};

template <>
struct Fields<LandscapeMinimum> {
  using M = LandscapeMinimum;
  static constexpr auto list =
      std::tuple{Field{"theta", &M::theta}, Field{"value", &M::value}, Field{"spread", &M::spread},
                 Field{"parameters", &M::parameters}, Field{"is_cut_off", &M::is_cut_off}};
};

template <>
struct Fields<LandscapeBand> {
  using B = LandscapeBand;
  static constexpr auto list = std::tuple{Field{"spread", &B::spread}, Field{"networks", &B::networks}};
};

template <>
struct Fields<LandscapeMap> {
  using M = LandscapeMap;
  static constexpr auto list = std::tuple{Field{"name", &M::name},
                                          Field{"expression", &M::expression},
                                          Field{"values", &M::values},
                                          Field{"minima", &M::minima},
                                          Field{"band", &M::band},
                                          Field{"network_minima", &M::network_minima},
                                          Field{"may_be_lowest", &M::may_be_lowest},
                                          Field{"matched", &M::matched},
                                          Field{"low", &M::low},
                                          Field{"high", &M::high},
                                          Field{"matched_difference", &M::matched_difference},
                                          Field{"outputs", &M::outputs},
                                          Field{"unconstrained", &M::unconstrained}};
};

template <>
struct Fields<LandscapeView> {
  using V = LandscapeView;
  static constexpr auto list = std::tuple{Field{"kind", &V::kind}, Field{"parameters", &V::parameters},
                                          Field{"origin", &V::origin}, Field{"directions", &V::directions}};
};

template <>
struct Fields<RefittedPoint> {
  using R = RefittedPoint;
  static constexpr auto list =
      std::tuple{Field{"point", &R::point}, Field{"theta", &R::theta}, Field{"rmse", &R::rmse},
                 Field{"refitted_rmse", &R::refitted_rmse}, Field{"fits", &R::fits}};
};

template <>
struct Fields<LandscapeGrid> {
  using G = LandscapeGrid;
  static constexpr auto list = std::tuple{Field{"model", &G::model},
                                          Field{"split", &G::split},
                                          Field{"n_windows", &G::n_windows},
                                          Field{"axes", &G::axes},
                                          Field{"held", &G::held},
                                          Field{"maps", &G::maps},
                                          Field{"rmse", &G::rmse},
                                          Field{"nrmse", &G::nrmse},
                                          Field{"is_poor", &G::is_poor},
                                          Field{"is_excluded", &G::is_excluded},
                                          Field{"refits", &G::refits},
                                          Field{"adaptivity", &G::adaptivity},
                                          Field{"rmse_band", &G::rmse_band},
                                          Field{"nrmse_band", &G::nrmse_band},
                                          Field{"seeds", &G::seeds},
                                          Field{"view", &G::view},
                                          Field{"n_computed", &G::n_computed},
                                          Field{"interpolation_error", &G::interpolation_error}};
};

template <>
struct Fields<RetrainedValue> {
  using R = RetrainedValue;
  static constexpr auto list =
      std::tuple{Field{"regularizer", &R::regularizer}, Field{"adaptive", &R::adaptive},
                 Field{"spread", &R::spread},           Field{"band", &R::band},
                 Field{"retrained", &R::retrained},     Field{"is_within", &R::is_within}};
};

template <>
struct Fields<RetrainedPoint> {
  using R = RetrainedPoint;
  static constexpr auto list =
      std::tuple{Field{"theta", &R::theta}, Field{"adaptive_rmse", &R::adaptive_rmse},
                 Field{"retrained_rmse", &R::retrained_rmse}, Field{"values", &R::values}};
};

template <>
struct Fields<RetrainedSummary> {
  using R = RetrainedSummary;
  static constexpr auto list = std::tuple{
      Field{"regularizer", &R::regularizer}, Field{"n_points", &R::n_points}, Field{"n_within", &R::n_within},
      Field{"median_difference", &R::median_difference}, Field{"rank_correlation", &R::rank_correlation}};
};

template <>
struct Fields<Landscape> {
  using L = Landscape;
  static constexpr auto list =
      std::tuple{Field{"grids", &L::grids}, Field{"retrained", &L::retrained},
                 Field{"retrained_summary", &L::retrained_summary}, Field{"warnings", &L::warnings}};
};

void bind_landscape(nb::module_& module) {
  bind_result<Landscape>(module, "Landscape")
      .def("write", [](const Landscape& landscape, const std::filesystem::path& folder) {
        return write_landscape(landscape, folder);
      });
  module.def("landscape", [](const Run& run, const nb::dict& fields, const Control& control) {
    auto options = from_python<LandscapeOptions>(fields);
    return in_background(control, [&](const Execution& execution) {
      options.execution = execution;
      return landscape(run, options);
    });
  });
}

}  // namespace greybox::python
