// Models: read, and asked what they say.
#include <greybox/check.hpp>
#include <greybox/example_models.hpp>
#include <greybox/model.hpp>

#include "fields.hpp"
#include "module.hpp"
#include "options.hpp"

namespace greybox::python {

template <>
struct Fields<ParameterInfo> {
  using P = ParameterInfo;
  static constexpr auto list =
      std::tuple{Field{"name", &P::name},   Field{"unit", &P::unit}, Field{"about", &P::about},
                 Field{"prior", &P::prior}, Field{"low", &P::low},   Field{"high", &P::high}};
};

template <>
struct Fields<RegularizerInfo> {
  using R = RegularizerInfo;
  static constexpr auto list = std::tuple{Field{"name", &R::name}, Field{"expression", &R::expression}};
};

template <>
struct Fields<EquationInfo> {
  using E = EquationInfo;
  static constexpr auto list = std::tuple{Field{"section", &E::section}, Field{"name", &E::name},
                                          Field{"text", &E::text}, Field{"latex", &E::latex}};
};

template <>
struct Fields<WeightInfo> {
  using W = WeightInfo;
  static constexpr auto list = std::tuple{Field{"name", &W::name}, Field{"shape", &W::shape}};
};

template <>
struct Fields<ModelSummary> {
  using S = ModelSummary;
  static constexpr auto list =
      std::tuple{Field{"text", &S::text}, Field{"n_weights", &S::n_weights}, Field{"warnings", &S::warnings}};
};

namespace {

// Names and shapes of the weights, in the order of `Run.weights`.
nb::list weights_of(const Model& model) {
  nb::list weights;
  for (const WeightInfo& weight : check(model).weights)
    weights.append(nb::make_tuple(weight.name, nb::tuple(nb::cast(weight.shape))));
  return weights;
}

// Without the arrays of `fields_of`, which would outlive their owner.
nb::dict summary_of(const ModelSummary& summary) {
  nb::dict fields = fields_of(summary, nb::handle());
  fields["json"] = to_json(summary);
  return fields;
}

}  // namespace

void bind_model(nb::module_& module) {
  nb::class_<Model>(module, "Model")
      .def_static("read", &Model::read, nb::call_guard<nb::gil_scoped_release>())
      .def_static("parse", &Model::parse, nb::call_guard<nb::gil_scoped_release>())
      .def("name", &Model::name)
      .def("about", &Model::about)
      .def("text", &Model::text)
      .def("states", &Model::states)
      .def("outputs", &Model::outputs)
      .def("is_algebraic", &Model::is_algebraic)
      .def("data_file", &Model::data_file)
      .def(
          "read_table", [](const Model& model) { return model.read_table(); },
          nb::call_guard<nb::gil_scoped_release>())
      .def(
          "read_table",
          [](const Model& model, const std::filesystem::path& file) { return model.read_table(file); },
          nb::call_guard<nb::gil_scoped_release>())
      .def("parameters", [](const Model& model) { return list_of(model.parameters(), nb::handle()); })
      .def("regularizers", [](const Model& model) { return list_of(model.regularizers(), nb::handle()); })
      .def("equations", [](const Model& model) { return list_of(model.equations(), nb::handle()); })
      .def("table_options", [](const Model& model) { return fields_of(model.table_options(), nb::handle()); })
      .def("weights", &weights_of)
      .def("check", [](const Model& model) { return summary_of(check(model)); })
      .def("check", [](const Model&, const Dataset& dataset) { return summary_of(check(dataset)); });
  module.def("example_model", [](const std::string& name) { return std::string(example_model(name)); });
}

}  // namespace greybox::python
