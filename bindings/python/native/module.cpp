// The native part of the Python module webnn, webnn._native. The Python beside it has what users see.
#include "bindings/python/native/parts.hpp"
#include "schema/version.hpp"

PYBIND11_MODULE(_native, module) {
  using namespace webnn::python;
  module.attr("__version__") = std::string(webnn::schema::version);
  add_errors(module);
  add_context(module);
  add_model(module);
  add_builder(module);
  add_table(module);
  add_tools(module);
}
