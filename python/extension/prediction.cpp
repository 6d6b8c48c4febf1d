// Predictions for windows of data.
#include <greybox/predict.hpp>

#include "background.hpp"
#include "module.hpp"
#include "options.hpp"
#include "output_error.hpp"

namespace greybox::python {

template <>
struct Fields<PredictOptions> {
  using P = PredictOptions;
  static constexpr auto list =
      std::tuple{Field{"theta", &P::theta}, Field{"data", &P::data}, Field{"on", &P::on},
                 Field{"regularizers", &P::regularizers}, Field{"single_precision", &P::single_precision}};
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
struct Fields<Prediction> {
  using P = Prediction;
  static constexpr auto list = std::tuple{Field{"n_windows", &P::n_windows},
                                          Field{"n_steps", &P::n_steps},
                                          Field{"windows", &P::windows},
                                          Field{"time", &P::time},
                                          Field{"variables", &P::variables},
                                          Field{"data", &P::data},
                                          Field{"parameters", &P::parameters},
                                          Field{"theta", &P::theta},
                                          Field{"regularizers", &P::regularizers},
                                          Field{"mse", &P::mse},
                                          Field{"rmse", &P::rmse},
                                          Field{"nrmse", &P::nrmse},
                                          Field{"outputs", &P::outputs},
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
}

}  // namespace greybox::python
