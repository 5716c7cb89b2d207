// Which operators of a program are run by kernels of another provider than the one that was asked for.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "schema/program.hpp"

namespace webnn::schema {

struct OtherProvider {
  std::string_view op, provider;
  bool operator==(const OtherProvider&) const = default;
};

/// Each once, in the order of the steps. What the compiler adds itself, as @reorder, is no operator of the graph.
std::vector<OtherProvider> other_providers(const Program& program, std::string_view wanted);

/// "maxPool2d (simd), softmax (reference)"
std::string text_of(const std::vector<OtherProvider>& others);

}  // namespace webnn::schema
