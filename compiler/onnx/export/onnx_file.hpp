// Writes ONNX files: protobuf with the schema of the ONNX project.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "compiler/onnx/onnx_model.hpp"

namespace webnn::compiler {

using OnnxSink = std::function<void(std::string_view piece)>;

/// Writes the model. With an empty `data_file` the constants are in the file, which must be below 2 GiB: throws Error
/// (resource) otherwise. With a name, constants of more than 1 KiB are in the file of that name next to it, which
/// runtimes map into memory.
void write_onnx(const OnnxModel& model, const std::string& data_file, const OnnxSink& sink);

/// Writes that data file.
void write_onnx_data(const OnnxModel& model, const OnnxSink& sink);

}  // namespace webnn::compiler
