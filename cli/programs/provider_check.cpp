#include "cli/programs/provider_check.hpp"

#include "api/devices.hpp"
#include "cli/output/messages.hpp"
#include "schema/kernels/other_providers.hpp"
#include "schema/text.hpp"

namespace webnn::cli {

using namespace schema;

std::string wanted_provider(const CompileOptions& options) {
  return !options.kernels.empty() || options.device.empty() ? options.kernels
                                                            : api::parse_device_name(options.device).provider;
}

void check_only(const CompileOptions& options) {
  if (options.only && wanted_provider(options).empty())
    throw Error(ExitCode::usage, "--only wants the kernels of one provider, and none is named",
                "name it with --device cpu:PROVIDER or --kernels PROVIDER");
}

void remark_others(Console& console, const std::string& wanted, const std::vector<OtherProvider>& others) {
  if (!others.empty())
    remark(console, Severity::note, "not run by kernels of " + in_quotes(wanted) + ": " + text_of(others));
}

bool check_providers(const Program& program, const CompileOptions& options, Console& console,
                     Diagnostics& diagnostics) {
  const std::string wanted = wanted_provider(options);
  if (wanted.empty()) return true;
  const std::vector<OtherProvider> others = other_providers(program, wanted);
  if (!options.only || others.empty()) {
    remark_others(console, wanted, others);
    return true;
  }
  for (const OtherProvider& one : others)
    diagnostics
        .error(Code::other_provider, {},
               "no kernel of " + in_quotes(wanted) + " runs " + std::string(one.op) + " in this graph; one of " +
                   in_quotes(one.provider) + " would")
        .hints.push_back("`webnn-cli ops " + std::string(one.op) +
                         "` lists its kernels; without --only others may run it");
  return false;
}

}  // namespace webnn::cli
