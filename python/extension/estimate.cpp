// Point estimates of the parameters.
#include <greybox/estimate.hpp>

#include "background.hpp"
#include "module.hpp"
#include "options.hpp"
#include "output_error.hpp"

namespace greybox::python {

template <>
struct Names<EstimateMethod> {
  static constexpr std::pair<EstimateMethod, const char*> list[] = {{EstimateMethod::grid, "grid"},
                                                                    {EstimateMethod::adam, "adam"},
                                                                    {EstimateMethod::lbfgs, "lbfgs"},
                                                                    {EstimateMethod::bobyqa, "bobyqa"},
                                                                    {EstimateMethod::direct, "direct"}};
};

template <>
struct Fields<EstimateOptions> {
  using E = EstimateOptions;
  static constexpr auto list = std::tuple{Field{"regularizer", &E::regularizer},
                                          Field{"method", &E::method},
                                          Field{"on", &E::on},
                                          Field{"each_window", &E::each_window},
                                          Field{"data", &E::data},
                                          Field{"starts", &E::starts},
                                          Field{"steps", &E::steps},
                                          Field{"rate", &E::rate},
                                          Field{"amortised", &E::amortised},
                                          Field{"epochs", &E::epochs},
                                          Field{"batch", &E::batch},
                                          Field{"overwrite", &E::overwrite},
                                          Field{"seed", &E::seed},
                                          Field{"single_precision", &E::single_precision},
                                          Field{"exact", &E::exact}};
};

template <>
struct Fields<WindowEstimate> {
  using W = WindowEstimate;
  static constexpr auto list = std::tuple{Field{"series", &W::series},
                                          Field{"start", &W::start},
                                          Field{"theta", &W::theta},
                                          Field{"regularizer", &W::regularizer},
                                          Field{"loss", &W::loss},
                                          Field{"rmse", &W::rmse},
                                          Field{"nrmse", &W::nrmse},
                                          Field{"n_evaluations", &W::n_evaluations},
                                          Field{"at_bounds", &W::at_bounds},
                                          Field{"unsettled", &W::unsettled},
                                          Field{"unconstrained", &W::unconstrained},
                                          Field{"unconstrained_rmse", &W::unconstrained_rmse}};
};

// Without the run that an amortised estimate leaves, which is asked for by itself.
template <>
struct Fields<Estimate> {
  using E = Estimate;
  static constexpr auto list = std::tuple{Field{"regularizer_name", &E::regularizer_name},
                                          Field{"method", &E::method},
                                          Field{"on", &E::on},
                                          Field{"n_windows", &E::n_windows},
                                          Field{"theta", &E::theta},
                                          Field{"regularizer", &E::regularizer},
                                          Field{"loss", &E::loss},
                                          Field{"rmse", &E::rmse},
                                          Field{"nrmse", &E::nrmse},
                                          Field{"n_evaluations", &E::n_evaluations},
                                          Field{"at_bounds", &E::at_bounds},
                                          Field{"unsettled", &E::unsettled},
                                          Field{"outputs", &E::outputs},
                                          Field{"unconstrained", &E::unconstrained},
                                          Field{"unconstrained_rmse", &E::unconstrained_rmse},
                                          Field{"windows", &E::windows},
                                          Field{"theta_mean", &E::theta_mean},
                                          Field{"theta_sd", &E::theta_sd},
                                          Field{"note", &E::note},
                                          Field{"warnings", &E::warnings}};
};

void bind_estimate(nb::module_& module) {
  bind_result<Estimate>(module, "Estimate")
      .def("trained", [](const Estimate& estimate) { return estimate.trained; })
      .def("write", &write_estimate);
  module.def("estimate", [](const Run& run, const nb::dict& fields, const Control& control) {
    auto options = from_python<EstimateOptions>(fields);
    return in_background(control, [&](const Execution& execution) {
      options.execution = execution;
      return estimate(run, options);
    });
  });
}

}  // namespace greybox::python
