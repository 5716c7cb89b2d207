// ONNX models as WebNN graphs.
#pragma once

#include <optional>

#include "compiler/frontend/load.hpp"
#include "compiler/onnx/onnx_model.hpp"

namespace webnn::compiler {

/// The graph of a model. Every node that cannot be expressed is reported, with its name, operator, version and position
/// in the file; its users are left out silently. Named dimensions get their sizes from the options here, because a
/// model computes shapes from them; so the graph has none. Nullopt after errors.
std::optional<Graph> import_onnx(const OnnxModel& model, const LoadOptions& options, Diagnostics& diagnostics);

}  // namespace webnn::compiler
