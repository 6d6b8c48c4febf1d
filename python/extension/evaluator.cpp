// The trained right-hand side at points of the caller's, without copies: any array with a buffer or DLPack
// goes in, and `out` is written where it is.
#include <greybox/evaluator.hpp>

#include "fields.hpp"
#include "module.hpp"

namespace greybox::python {

using Quantity = Evaluator::Quantity;

template <>
struct Names<Quantity> {
  static constexpr std::pair<Quantity, const char*> list[] = {{Quantity::total, "total"},
                                                              {Quantity::theory, "theory"},
                                                              {Quantity::network, "network"},
                                                              {Quantity::observed, "observed"}};
};

template <>
struct Fields<Evaluator::Variable> {
  using V = Evaluator::Variable;
  static constexpr auto list =
      std::tuple{Field{"name", &V::name}, Field{"height", &V::height}, Field{"width", &V::width}};
};

namespace {

using Point = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Output = nb::ndarray<double, nb::c_contig, nb::device::cpu>;

std::span<const double> span_of(const Point& point) {
  return {point.data(), point.size()};
}

// Memory of the caller's, or an array of our own.
class Result {
 public:
  Result(nb::object out, std::initializer_list<std::size_t> shape) : object_(std::move(out)) {
    std::size_t size = 1;
    for (std::size_t length : shape) size *= length;
    if (object_.is_none()) {
      auto* memory = new double[size]();
      const nb::capsule owner(memory, [](void* p) noexcept { delete[] static_cast<double*>(p); });
      object_ = nb::cast(nb::ndarray<nb::numpy, double>(memory, shape, owner));
      span_ = {memory, size};
    } else {
      Output given;
      if (!nb::try_cast<Output>(object_, given, false))
        throw std::invalid_argument("`out` must be a contiguous, writable array of float64");
      span_ = {given.data(), given.size()};
    }
  }
  std::span<double> span() const { return span_; }
  nb::object object() const { return object_; }

 private:
  nb::object object_;
  std::span<double> span_;
};

nb::object evaluate(Evaluator& f, const std::string& of, double t, const Point& state, nb::object out) {
  const auto quantity = named_in_python<Quantity>(of);
  const Result result(std::move(out), {f.size(quantity)});
  f.evaluate(quantity, t, span_of(state), result.span());
  return result.object();
}

nb::object jacobian(Evaluator& f, const std::string& of, double t, const Point& state, nb::object out) {
  const auto quantity = named_in_python<Quantity>(of);
  const Result result(std::move(out), {f.size(quantity), f.n_states()});
  f.jacobian(t, span_of(state), result.span(), quantity);
  return result.object();
}

nb::object jacobian_vector(Evaluator& f, const std::string& of, double t, const Point& state,
                           const Point& tangent, nb::object out) {
  const auto quantity = named_in_python<Quantity>(of);
  const Result result(std::move(out), {f.size(quantity)});
  f.jacobian_vector(t, span_of(state), span_of(tangent), result.span(), quantity);
  return result.object();
}

nb::tuple vector_jacobian(Evaluator& f, const std::string& of, double t, const Point& state,
                          const Point& cotangent) {
  const Result by_state(nb::none(), {f.n_states()}), by_theta(nb::none(), {f.n_parameters()}),
      by_inputs(nb::none(), {f.n_inputs()});
  f.vector_jacobian(t, span_of(state), span_of(cotangent),
                    {by_state.span(), by_theta.span(), by_inputs.span()}, named_in_python<Quantity>(of));
  return nb::make_tuple(by_state.object(), by_theta.object(), by_inputs.object());
}

nb::object theta_of(const Evaluator& f) {
  const Result result(nb::none(), {f.n_parameters()});
  std::copy(f.theta().begin(), f.theta().end(), result.span().begin());
  return result.object();
}

nb::object initial_state(Evaluator& f) {
  const Result result(nb::none(), {f.n_states()});
  f.initial_state(result.span());
  return result.object();
}

}  // namespace

void bind_evaluator(nb::module_& module) {
  const auto variables = [](auto list) {
    return [list](const Evaluator& f) { return list_of((f.*list)(), nb::handle()); };
  };
  nb::class_<Evaluator>(module, "Evaluator")
      .def("copy", [](const Evaluator& f) { return Evaluator(f); })
      .def("is_algebraic", &Evaluator::is_algebraic)
      .def("states", variables(&Evaluator::states))
      .def("components", variables(&Evaluator::components))
      .def("outputs", variables(&Evaluator::outputs))
      .def("parameters", &Evaluator::parameters)
      .def("inputs", &Evaluator::inputs)
      .def("set_theta", [](Evaluator& f, const Point& theta) { f.set_theta(span_of(theta)); })
      .def("theta", &theta_of)
      .def("set_inputs", [](Evaluator& f, const Point& values) { f.set_inputs(span_of(values)); })
      .def("use_window_inputs", &Evaluator::use_window_inputs)
      .def("set_start_time", &Evaluator::set_start_time)
      .def("start_time", &Evaluator::start_time)
      .def("initial_state", &initial_state)
      .def("evaluate", &evaluate, nb::arg("of"), nb::arg("t"), nb::arg("state"),
           nb::arg("out").none() = nb::none())
      .def("jacobian", &jacobian, nb::arg("of"), nb::arg("t"), nb::arg("state"),
           nb::arg("out").none() = nb::none())
      .def("jacobian_vector", &jacobian_vector, nb::arg("of"), nb::arg("t"), nb::arg("state"),
           nb::arg("tangent"), nb::arg("out").none() = nb::none())
      .def("vector_jacobian", &vector_jacobian);
}

}  // namespace greybox::python
