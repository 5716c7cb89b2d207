// Generated input data: zeros, ones, iota and seeded random numbers.
#pragma once

#include <optional>
#include <string_view>

#include "compiler/frontend/npy.hpp"

namespace webnn::cli {

/// The tensor for `zeros`, `ones`, `iota` or `random(seed=7,dist=normal,mean=0,std=1)`; nullopt when `spec` names no
/// generator. Throws Error (usage) for a wrong argument.
///
/// random: dist=uniform (default; low=0, high=1 for floats, 0 to 10 for integers) or dist=normal (mean=0, std=1). The
/// same seed, type and shape give the same bytes on every machine.
std::optional<compiler::Tensor> generate(std::string_view spec, const schema::OperandDescriptor& descriptor);

/// For messages.
inline constexpr std::string_view generator_forms = "zeros, ones, iota, random(seed=7,dist=normal,mean=0,std=1)";

}  // namespace webnn::cli
