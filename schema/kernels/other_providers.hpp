// Finds the operators of a program that run on kernels of another provider than the requested one.
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

/// Each operator once, in the order of the steps. Operators that the compiler adds, such as @reorder, are not included.
std::vector<OtherProvider> other_providers(const Program& program, std::string_view wanted);

/// "maxPool2d (simd), softmax (reference)"
std::string text_of(const std::vector<OtherProvider>& others);

}  // namespace webnn::schema
