// Guards that more than one table of rewrites uses.
#pragma once

#include "compiler/ir/pattern.hpp"

namespace webnn::compiler {

/// The element of a captured constant that has only one.
std::optional<Number> element_of(const Match& match, std::string_view constant);
/// ?p leaves every axis in place.
bool is_identity_permutation(Match& match);
/// Sets ?r, the one permutation that does what ?p and then ?q do.
bool compose_permutations(Match& match);
/// Sets ?n, the shape that lets a list with one element per channel broadcast to ?x. Channels are axis ?a, or 1.
bool channels_of_normalization(Match& match);

}  // namespace webnn::compiler
