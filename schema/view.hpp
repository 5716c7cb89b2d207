// Views: results that are their operand's bytes, seen under another descriptor or layout.
#pragma once

#include "schema/kernels/kernel_table.hpp"

namespace webnn::schema {

/// Whether the call's output is its operand's bytes, in the layouts that the spec says, so that no kernel need run:
/// identity and reshape of row-major values, a transpose between nchw and nhwc whose nchw side is channels-last, and
/// whatever else moves only axes of size 1.
bool is_view(const KernelSpec& spec);

}  // namespace webnn::schema
