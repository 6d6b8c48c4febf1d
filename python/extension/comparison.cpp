// Ways to learn, side by side.
#include <greybox/compare.hpp>

#include "background.hpp"
#include "fields.hpp"
#include "module.hpp"
#include "output_error.hpp"

namespace greybox::python {

template <>
struct Fields<CompareEstimate> {
  using C = CompareEstimate;
  static constexpr auto list = std::tuple{Field{"steps", &C::steps}, Field{"rate", &C::rate},
                                          Field{"on_test_alone", &C::on_test_alone}};
};

template <>
struct Fields<CompareOptions> {
  using C = CompareOptions;
  static constexpr auto list = std::tuple{Field{"folder", &C::folder}, Field{"lambdas", &C::lambdas},
                                          Field{"trials", &C::trials}, Field{"regularizer", &C::regularizer},
                                          Field{"epochs", &C::epochs}, Field{"estimate", &C::estimate},
                                          Field{"seed", &C::seed}};
};

template <>
struct Fields<MeanAndError> {
  using M = MeanAndError;
  static constexpr auto list =
      std::tuple{Field{"mean", &M::mean}, Field{"standard_error", &M::standard_error}};
};

template <>
struct Fields<ComparedOutput> {
  using O = ComparedOutput;
  static constexpr auto list = std::tuple{Field{"name", &O::name}, Field{"rmse", &O::rmse},
                                          Field{"nrmse", &O::nrmse}, Field{"r2", &O::r2}};
};

template <>
struct Fields<ComparedRow> {
  using R = ComparedRow;
  static constexpr auto list = std::tuple{Field{"mode", &R::mode},
                                          Field{"lambda", &R::lambda},
                                          Field{"trials", &R::trials},
                                          Field{"loss", &R::loss},
                                          Field{"regularizer", &R::regularizer},
                                          Field{"outputs", &R::outputs},
                                          Field{"log_likelihood", &R::log_likelihood}};
};

template <>
struct Fields<ComparedFold> {
  using F = ComparedFold;
  static constexpr auto list =
      std::tuple{Field{"mode", &F::mode},       Field{"lambda", &F::lambda},
                 Field{"fold", &F::fold},       Field{"tested_on", &F::tested_on},
                 Field{"loss", &F::loss},       Field{"regularizer", &F::regularizer},
                 Field{"outputs", &F::outputs}, Field{"log_likelihood", &F::log_likelihood}};
};

template <>
struct Fields<Comparison> {
  using C = Comparison;
  static constexpr auto list = std::tuple{
      Field{"folder", &C::folder}, Field{"model", &C::model},       Field{"regularizer", &C::regularizer},
      Field{"rows", &C::rows},     Field{"n_kept", &C::n_kept},     Field{"n_missing", &C::n_missing},
      Field{"folds", &C::folds},   Field{"warnings", &C::warnings}, Field{"note", &C::note}};
};

namespace {

Comparison compare_ways(const Model& model, const Table& table, const nb::dict& fields,
                        const Control& control) {
  auto options = from_python<CompareOptions>(fields);
  if (fields.contains("modes")) {
    options.modes.clear();
    for (nb::handle name : fields["modes"]) options.modes.push_back(train_mode(nb::cast<std::string>(name)));
  }
  const auto folds = nb::cast<std::string>(fields["folds"]);
  options.folds = folds == "series" ? Folds::series : folds == "time" ? Folds::time : Folds::none;
  return in_background(control, [&](const Execution& execution) {
    options.execution = execution;
    return compare(model, table, options);
  });
}

}  // namespace

void bind_comparison(nb::module_& module) {
  bind_result<Comparison>(module, "Comparison").def("write", &write_comparison);
  module.def("compare", &compare_ways);
}

}  // namespace greybox::python
