// ONNX's own tests as cases: folders with model.onnx and test_data_set_N/{input,output}_K.pb.
#pragma once

#include <filesystem>
#include <vector>

#include "cli/test/test_case.hpp"

namespace webnn::cli {

/// Adds a case for each set of data in and below a folder. Inputs that decide shapes, axes and the like become constants
/// (constant_operands.hpp). Throws Error for a folder without such tests.
void add_onnx_cases(std::vector<TestCase>& cases, const std::filesystem::path& folder, const CaseOptions& options);

}  // namespace webnn::cli
