// Distributions of the parameters.
#include <greybox/sample.hpp>

#include "background.hpp"
#include "module.hpp"
#include "options.hpp"

namespace greybox::python {

template <>
struct Names<SampleMethod> {
  static constexpr std::pair<SampleMethod, const char*> list[] = {{SampleMethod::grid, "grid"},
                                                                  {SampleMethod::nuts, "nuts"}};
};

template <>
struct Fields<SampleOptions> {
  using S = SampleOptions;
  static constexpr auto list = std::tuple{Field{"regularizer", &S::regularizer},
                                          Field{"beta", &S::beta},
                                          Field{"method", &S::method},
                                          Field{"on", &S::on},
                                          Field{"n_windows", &S::n_windows},
                                          Field{"data", &S::data},
                                          Field{"chains", &S::chains},
                                          Field{"draws", &S::draws},
                                          Field{"warmup", &S::warmup},
                                          Field{"target_acceptance", &S::target_acceptance},
                                          Field{"seed", &S::seed},
                                          Field{"exact", &S::exact}};
};

template <>
struct Fields<PosteriorParameter> {
  using P = PosteriorParameter;
  static constexpr auto list = std::tuple{Field{"name", &P::name},
                                          Field{"unit", &P::unit},
                                          Field{"about", &P::about},
                                          Field{"mean", &P::mean},
                                          Field{"sd", &P::sd},
                                          Field{"median", &P::median},
                                          Field{"q5", &P::q5},
                                          Field{"q95", &P::q95},
                                          Field{"rhat", &P::rhat},
                                          Field{"ess_bulk", &P::ess_bulk},
                                          Field{"ess_tail", &P::ess_tail},
                                          Field{"draws", &P::draws},
                                          Field{"edges", &P::edges},
                                          Field{"density", &P::density},
                                          Field{"prior", &P::prior},
                                          Field{"is_log", &P::is_log}};
};

template <>
struct Fields<PosteriorPair> {
  using P = PosteriorPair;
  static constexpr auto list =
      std::tuple{Field{"across", &P::across}, Field{"upward", &P::upward}, Field{"density", &P::density}};
};

template <>
struct Fields<PosteriorChain> {
  using P = PosteriorChain;
  static constexpr auto list =
      std::tuple{Field{"step_size", &P::step_size},     Field{"inverse_mass", &P::inverse_mass},
                 Field{"log_density", &P::log_density}, Field{"acceptance", &P::acceptance},
                 Field{"energy", &P::energy},           Field{"depth", &P::depth},
                 Field{"n_leapfrog", &P::n_leapfrog},   Field{"is_divergent", &P::is_divergent}};
};

template <>
struct Fields<PosteriorAtBeta> {
  using P = PosteriorAtBeta;
  static constexpr auto list = std::tuple{Field{"beta", &P::beta}, Field{"ess", &P::ess},
                                          Field{"mean", &P::mean}, Field{"sd", &P::sd}};
};

template <>
struct Fields<UnconstrainedPosterior> {
  using U = UnconstrainedPosterior;
  static constexpr auto list =
      std::tuple{Field{"fitting_share", &U::fitting_share}, Field{"mean", &U::mean}, Field{"sd", &U::sd}};
};

template <>
struct Fields<Posterior> {
  using P = Posterior;
  static constexpr auto list = std::tuple{Field{"model", &P::model},
                                          Field{"regularizer", &P::regularizer},
                                          Field{"method", &P::method},
                                          Field{"on", &P::on},
                                          Field{"beta", &P::beta},
                                          Field{"n_windows", &P::n_windows},
                                          Field{"n_chains", &P::n_chains},
                                          Field{"n_draws", &P::n_draws},
                                          Field{"n_warmup", &P::n_warmup},
                                          Field{"n_divergent", &P::n_divergent},
                                          Field{"seed", &P::seed},
                                          Field{"parameters", &P::parameters},
                                          Field{"pairs", &P::pairs},
                                          Field{"chains", &P::chains},
                                          Field{"regularizers", &P::regularizers},
                                          Field{"losses", &P::losses},
                                          Field{"sensitivity", &P::sensitivity},
                                          Field{"unconstrained", &P::unconstrained},
                                          Field{"grid", &P::grid},
                                          Field{"grid_density", &P::grid_density},
                                          Field{"warnings", &P::warnings}};
};

void bind_posterior(nb::module_& module) {
  bind_result<Posterior>(module, "Posterior").def("write", &write_posterior);
  module.def("sample", [](const Run& run, const nb::dict& fields, const Control& control) {
    auto options = from_python<SampleOptions>(fields);
    return in_background(control, [&](const Execution& execution) {
      options.execution = execution;
      return sample(run, options);
    });
  });
}

}  // namespace greybox::python
