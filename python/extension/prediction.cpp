// Predictions for windows of data.
#include <greybox/generate.hpp>
#include <greybox/predict.hpp>

#include "background.hpp"
#include "module.hpp"
#include "options.hpp"
#include "output_error.hpp"
#include "theta_from.hpp"

namespace greybox::python {

template <>
struct Fields<PredictOptions> {
  using P = PredictOptions;
  static constexpr auto list = std::tuple{Field{"theta", &P::theta},
                                          Field{"theta_from", &P::theta_from},
                                          Field{"data", &P::data},
                                          Field{"on", &P::on},
                                          Field{"regularizers", &P::regularizers},
                                          Field{"single_precision", &P::single_precision}};
};

template <>
struct Fields<GenerateOptions> {
  using G = GenerateOptions;
  static constexpr auto list = std::tuple{Field{"n", &G::n}, Field{"seed", &G::seed}, Field{"on", &G::on},
                                          Field{"theta", &G::theta}, Field{"theta_from", &G::theta_from}};
};

template <>
struct Fields<PredictedVariable> {
  using V = PredictedVariable;
  static constexpr auto list = std::tuple{Field{"name", &V::name}, Field{"height", &V::height},
                                          Field{"width", &V::width}, Field{"values", &V::values}};
};

template <>
struct Fields<PredictedWindow> {
  using W = PredictedWindow;
  static constexpr auto list =
      std::tuple{Field{"series", &W::series}, Field{"start", &W::start}, Field{"n_steps", &W::n_steps}};
};

template <>
struct Fields<ResidualReport> {
  using R = ResidualReport;
  static constexpr auto list = std::tuple{Field{"name", &R::name},
                                          Field{"n", &R::n},
                                          Field{"is_standardised", &R::is_standardised},
                                          Field{"mean", &R::mean},
                                          Field{"sd", &R::sd},
                                          Field{"mean_p", &R::mean_p},
                                          Field{"autocorrelation", &R::autocorrelation},
                                          Field{"independence_p", &R::independence_p},
                                          Field{"skewness", &R::skewness},
                                          Field{"excess_kurtosis", &R::excess_kurtosis},
                                          Field{"normality_p", &R::normality_p},
                                          Field{"with_time", &R::with_time},
                                          Field{"with_prediction", &R::with_prediction},
                                          Field{"square_with_prediction", &R::square_with_prediction},
                                          Field{"findings", &R::findings}};
};

template <>
struct Fields<Prediction> {
  using P = Prediction;
  static constexpr auto list = std::tuple{Field{"n_windows", &P::n_windows},
                                          Field{"n_steps", &P::n_steps},
                                          Field{"windows", &P::windows},
                                          Field{"time", &P::time},
                                          Field{"variables", &P::variables},
                                          Field{"initial", &P::initial},
                                          Field{"latents", &P::latents},
                                          Field{"data", &P::data},
                                          Field{"parameters", &P::parameters},
                                          Field{"theta", &P::theta},
                                          Field{"regularizers", &P::regularizers},
                                          Field{"mse", &P::mse},
                                          Field{"rmse", &P::rmse},
                                          Field{"nrmse", &P::nrmse},
                                          Field{"outputs", &P::outputs},
                                          Field{"negative_log_likelihood", &P::negative_log_likelihood},
                                          Field{"residuals", &P::residuals},
                                          Field{"warnings", &P::warnings}};
};

void bind_prediction(nb::module_& module) {
  bind_result<Prediction>(module, "Prediction").def("write", &write_prediction);
  module.def("predict", [](const Run& run, const nb::dict& fields, const Control& control) {
    auto options = from_python<PredictOptions>(fields);
    return in_background(control, [&](const Execution& execution) {
      options.execution = execution;
      return predict(run, options);
    });
  });
  module.def("generate", [](const Run& run, const nb::dict& fields, const Control& control) {
    auto options = from_python<GenerateOptions>(fields);
    return in_background(control, [&](const Execution& execution) {
      options.execution = execution;
      return generate(run, options);
    });
  });
}

}  // namespace greybox::python
