// The providers of CPU kernels that this build has (runtime/cpu/providers.def).
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "api/kernels.hpp"

namespace webnn::tests {

inline bool has_provider(std::string_view provider) {
  const auto providers = api::cpu_providers();
  return std::ranges::find(providers, provider) != providers.end();
}

/// Why what needs the provider is skipped.
inline std::string no_provider(std::string_view provider) {
  return "this build has no kernels of " + std::string(provider);
}

/// Whether a library takes every convolution, of floats with relu and of bytes: our own kernels take some.
inline bool has_convolution_library() { return has_provider("onednn") || has_provider("xnnpack"); }
inline std::string no_convolution_library() { return no_provider("onednn or xnnpack"); }

}  // namespace webnn::tests
