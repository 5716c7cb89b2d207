// Which device a command runs on: the one that is named, the one that a program is for, or the best for `auto`; and
// what a user has to know about it.
#pragma once

#include "api/runner/source.hpp"
#include "cli/output/console.hpp"
#include "cli/programs/compile_options.hpp"
#include "runtime/device.hpp"

namespace webnn::cli {

/// Replaces `auto`, and nothing said, by a device, and says so where that is not what people expect: a program chooses
/// the kind of device that it is for where there is one, `auto` prefers a GPU that is one, and nothing said is the CPU.
/// `source`: of the model; null when there is no single one.
void settle_device(CompileOptions& options, Console& console, const api::Source* source = nullptr);

/// Warns when a GPU is software that runs on the CPU. With --verbose names the device and its threads.
void remark_device(Console& console, const runtime::Device& device, unsigned threads);

}  // namespace webnn::cli
