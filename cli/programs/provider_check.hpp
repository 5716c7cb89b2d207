// Whose kernels run a program, when the user has asked for those of one provider.
#pragma once

#include <string>

#include "cli/output/console.hpp"
#include "cli/programs/compile_options.hpp"
#include "schema/kernels/other_providers.hpp"

namespace webnn::cli {

/// The provider that --kernels or --device cpu:PROVIDER names; empty: none is.
std::string wanted_provider(const CompileOptions& options);

/// Throws Error (usage) for --only without a provider.
void check_only(const CompileOptions& options);

/// Names the operators that other providers' kernels run: a note, or with --only an error for each of them. Whether the
/// program may run.
bool check_providers(const schema::Program& program, const CompileOptions& options, Console& console,
                     schema::Diagnostics& diagnostics);

/// The note alone, if there are any.
void remark_others(Console& console, const std::string& wanted, const std::vector<schema::OtherProvider>& others);

}  // namespace webnn::cli
