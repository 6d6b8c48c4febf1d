// The data sets of the examples.
#include <greybox/data.hpp>

#include "background.hpp"
#include "fields.hpp"
#include "module.hpp"

namespace greybox::python {

template <>
struct Names<DataSet> {
  static constexpr std::pair<DataSet, const char*> list[] = {
      {DataSet::toy, "toy"},
      {DataSet::reaction_diffusion, "reaction-diffusion"},
      {DataSet::pendulum, "pendulum"},
      {DataSet::predator_prey, "predator-prey"},
      {DataSet::damped_pendulum, "damped-pendulum"}};
};

template <>
struct Fields<DataOptions> {
  using D = DataOptions;
  static constexpr auto list = std::tuple{Field{"set", &D::set},
                                          Field{"output", &D::output},
                                          Field{"overwrite", &D::overwrite},
                                          Field{"seed", &D::seed},
                                          Field{"size", &D::size},
                                          Field{"grid", &D::grid},
                                          Field{"stiffness", &D::stiffness},
                                          Field{"from", &D::from},
                                          Field{"mirror", &D::mirror},
                                          Field{"simulated", &D::is_simulated},
                                          Field{"gravity", &D::gravity}};
};

void bind_data_sets(nb::module_& module) {
  module.def("make_data", [](const nb::dict& fields, const Control& control) {
    auto options = from_python<DataOptions>(fields);
    return in_background(control,
                         [&](const Execution& execution) {
                           options.execution = execution;
                           return make_data(options);
                         })
        .file;
  });
}

}  // namespace greybox::python
