// Devices with fewer kernels than this machine has: what `compiler::Options::available` is for.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "schema/kernels/kernel_table.hpp"

namespace webnn::tests {

/// All kernels but those of these operators ("softmax"), and those that compute with these data types ("float16").
/// Casts and kernels that only move elements take every type.
inline std::function<bool(const schema::KernelRow&, const schema::KernelSpec&)> all_but(
    std::vector<std::string> missing) {
  return [missing = std::move(missing)](const schema::KernelRow&, const schema::KernelSpec& spec) {
    const auto is_missing = [&](std::string_view name) { return std::ranges::find(missing, name) != missing.end(); };
    const schema::Operator& op = schema::row(spec.op);
    if (is_missing(op.name)) return false;
    using enum schema::Family;
    if (op.family == cast || op.family == view || op.family == movement) return true;
    return spec.inputs.empty() || !spec.inputs[0] || !is_missing(schema::name_of(spec.inputs[0]->type));
  };
}

}  // namespace webnn::tests
