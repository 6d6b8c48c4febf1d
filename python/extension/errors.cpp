// The library's exceptions as Python's.
#include <greybox/error.hpp>
#include <system_error>

#include "fields.hpp"
#include "module.hpp"

namespace greybox::python {

template <>
struct Fields<Diagnostic> {
  using D = Diagnostic;
  static constexpr auto list =
      std::tuple{Field{"file", &D::file}, Field{"element", &D::element}, Field{"option", &D::option},
                 Field{"message", &D::message}, Field{"help", &D::help}};
};

namespace {

nb::object python_class(const char* name) {
  return nb::module_::import_("greybox._errors").attr(name);
}

void raise(const char* name, const nb::object& arguments) {
  PyErr_SetObject(python_class(name).ptr(), arguments.ptr());
}

nb::object dictionary_of(const Diagnostic& diagnostic) {
  nb::dict fields = fields_of(diagnostic, nb::handle());
  fields["line"] = diagnostic.span.line;
  fields["column"] = diagnostic.span.column;
  return fields;
}

void raise_input_error(const InputError& error) {
  nb::list diagnostics;
  for (const Diagnostic& diagnostic : error.diagnostics()) diagnostics.append(dictionary_of(diagnostic));
  raise("InputError", nb::make_tuple(nb::str(error.what()), diagnostics));
}

void translate(const std::exception_ptr& exception, void*) {
  try {
    std::rethrow_exception(exception);
  } catch (const InputError& error) {
    raise_input_error(error);
  } catch (const Interruption& error) {
    raise("Interruption", nb::str(error.what()));
  } catch (const std::system_error& error) {
    const nb::object arguments = nb::make_tuple(error.code().value(), nb::str(error.what()));
    PyErr_SetObject(PyExc_OSError, arguments.ptr());
  }
}

}  // namespace

void bind_errors(nb::module_&) {
  nb::register_exception_translator(translate);
}

}  // namespace greybox::python
