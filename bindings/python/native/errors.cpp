// Errors of the library as Python's exceptions: webnn.Error with its kind and hint.
#include "bindings/python/native/parts.hpp"
#include "schema/error.hpp"

namespace webnn::python {
namespace {

struct ErrorKind {
  schema::ExitCode code;
  const char* name;
};
constexpr ErrorKind error_kinds[] = {
    {schema::ExitCode::negative, "negative"},
    {schema::ExitCode::usage, "usage"},
    {schema::ExitCode::invalid_input, "invalid_input"},
    {schema::ExitCode::unsupported, "unsupported"},
    {schema::ExitCode::device, "device"},
    {schema::ExitCode::io, "io"},
    {schema::ExitCode::resource, "resource"},
    {schema::ExitCode::program, "program"},
    {schema::ExitCode::timeout, "timeout"},
};

const char* name_of_kind(schema::ExitCode code) {
  for (const ErrorKind& kind : error_kinds)
    if (kind.code == code) return kind.name;
  return "internal";
}

void translate(std::exception_ptr exception) {
  try {
    if (exception) std::rethrow_exception(exception);
  } catch (const schema::Error& error) {
    const py::object made =
        py::module_::import("webnn._errors").attr("make_error")(error.what(), name_of_kind(error.code()), error.hint());
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(made.ptr())), made.ptr());
  }
}

}  // namespace

void add_errors(py::module_&) { py::register_exception_translator(translate); }

}  // namespace webnn::python
