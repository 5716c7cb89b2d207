#include "api/devices.hpp"

#include <algorithm>
#include <vector>

#include "runtime/cpu/cpu_device.hpp"
#include "schema/diagnostics.hpp"
#include "schema/error.hpp"
#include "schema/kernel_table.hpp"
#include "schema/text.hpp"

namespace webnn::api {

using namespace schema;

namespace {

/// "did you mean 'x'?", or all of them.
std::string choice(std::string_view word, const std::vector<std::string_view>& known) {
  if (const std::string_view near = nearest(word, known); !near.empty()) return "did you mean " + in_quotes(near) + "?";
  std::string text = "known:";
  for (const std::string_view name : known) text += " " + std::string(name);
  return text;
}

std::vector<std::string_view> providers() {
  std::vector<std::string_view> names;
  for (const KernelRow& kernel : kernel_table())
    if (std::ranges::find(names, kernel.provider()) == names.end()) names.push_back(kernel.provider());
  return names;
}

}  // namespace

DeviceName parse_device_name(std::string_view text) {
  const std::size_t colon = std::min(text.find(':'), text.size());
  DeviceName name{std::string(text.substr(0, colon)), {}};
  if (name.kind == "gpu") throw Error(ExitCode::device, "this build has no GPU device", "use --device cpu");
  if (name.kind != "cpu")
    throw Error(ExitCode::usage, "there is no device " + in_quotes(text), choice(name.kind, {"cpu"}));
  if (colon == text.size()) return name;
  name.provider = text.substr(colon + 1);
  const std::vector<std::string_view> known = providers();
  if (std::ranges::find(known, name.provider) == known.end())
    throw Error(ExitCode::usage, "no kernels come from " + in_quotes(name.provider), choice(name.provider, known));
  return name;
}

std::unique_ptr<runtime::Device> open_device(const DeviceName&, std::string_view isa) {
  const auto features = runtime::parse_isa(isa);
  if (!features)
    throw Error(ExitCode::usage, "--isa " + in_quotes(isa) + " is no instruction set",
                choice(isa, runtime::isa_names()));
  return std::make_unique<runtime::CpuDevice>(*features);
}

CompileTarget open_target(const DeviceName&, std::string_view name) {
  const auto features = runtime::parse_cpu_target(name);
  if (!features)
    throw Error(ExitCode::usage, "--target " + in_quotes(name) + " is no processor",
                choice(name, runtime::cpu_target_names()));
  return {{DeviceKind::cpu, *features}, std::make_unique<runtime::CpuDevice>(*features)};
}

}  // namespace webnn::api
