// Simulations forward in time.
#include <greybox/simulate.hpp>

#include "background.hpp"
#include "module.hpp"
#include "options.hpp"
#include "theta_from.hpp"

namespace greybox::python {

using StartPlace = decltype(SimulationStart::at);

// From ("index", 3) or ("at", series, time).
template <>
inline StartPlace from_python<StartPlace>(nb::handle value) {
  if (nb::cast<std::string>(value[0]) == "index") return WindowIndex{nb::cast<std::size_t>(value[1])};
  return WindowAt{nb::cast<std::string>(value[1]), nb::cast<double>(value[2])};
}

template <>
struct Fields<SimulationStart> {
  using S = SimulationStart;
  static constexpr auto list =
      std::tuple{Field{"states", &S::states}, Field{"at", &S::at}, Field{"time", &S::time}};
};

template <>
struct Fields<SimulateOptions> {
  using S = SimulateOptions;
  static constexpr auto list =
      std::tuple{Field{"start", &S::start},           Field{"inputs", &S::inputs}, Field{"data", &S::data},
                 Field{"horizon", &S::horizon},       Field{"step", &S::step},     Field{"theta", &S::theta},
                 Field{"theta_from", &S::theta_from}, Field{"bands", &S::bands},   Field{"level", &S::level},
                 Field{"seeds", &S::seeds},           Field{"with", &S::with},     Field{"draws", &S::draws},
                 Field{"conformal", &S::conformal}};
};

template <>
struct Fields<SimulatedVariable> {
  using V = SimulatedVariable;
  static constexpr auto list =
      std::tuple{Field{"name", &V::name},     Field{"height", &V::height}, Field{"width", &V::width},
                 Field{"values", &V::values}, Field{"low", &V::low},       Field{"high", &V::high}};
};

template <>
struct Fields<BandCheck> {
  using B = BandCheck;
  static constexpr auto list = std::tuple{
      Field{"name", &B::name},         Field{"noise", &B::noise},       Field{"factor", &B::factor},
      Field{"coverage", &B::coverage}, Field{"n_values", &B::n_values}, Field{"mean_width", &B::mean_width}};
};

template <>
struct Fields<MeasuredPoints> {
  using M = MeasuredPoints;
  static constexpr auto list =
      std::tuple{Field{"name", &M::name}, Field{"time", &M::time}, Field{"values", &M::values}};
};

template <>
struct Fields<Simulation> {
  using S = Simulation;
  static constexpr auto list =
      std::tuple{Field{"model", &S::model},           Field{"time", &S::time},
                 Field{"time_name", &S::time_name},   Field{"time_unit", &S::time_unit},
                 Field{"variables", &S::variables},   Field{"measured", &S::measured},
                 Field{"theta", &S::theta},           Field{"n_networks", &S::n_networks},
                 Field{"n_draws", &S::n_draws},       Field{"level", &S::level},
                 Field{"checks", &S::checks},         Field{"noise_on", &S::noise_on},
                 Field{"checked_on", &S::checked_on}, Field{"n_checked_windows", &S::n_checked_windows},
                 Field{"warnings", &S::warnings}};
};

void bind_simulation(nb::module_& module) {
  bind_result<Simulation>(module, "Simulation").def("write", &write_simulation);
  module.def("simulate", [](const Run& run, const nb::dict& fields, const Control& control) {
    auto options = from_python<SimulateOptions>(fields);
    return in_background(control, [&](const Execution& execution) {
      options.execution = execution;
      return simulate(run, options);
    });
  });
}

}  // namespace greybox::python
