// What the native module consists of; each part adds its classes and functions.
#pragma once

#include "bindings/python/native/values.hpp"

namespace webnn::python {

void add_errors(py::module_& module);
void add_context(py::module_& module);
void add_model(py::module_& module);
void add_builder(py::module_& module);
void add_table(py::module_& module);
void add_tools(py::module_& module);

}  // namespace webnn::python
