// Views: results that are their operand's bytes under another descriptor or layout.
#pragma once

#include "schema/kernels/kernel_table.hpp"

namespace webnn::schema {

/// Whether the call's output is its operand's bytes in the layouts of the spec, so that no kernel needs to run:
/// identity and reshape of row-major values, a transpose between nchw and nhwc whose nchw side is channels-last, and
/// anything else that moves only axes of size 1.
bool is_view(const KernelSpec& spec);

}  // namespace webnn::schema
