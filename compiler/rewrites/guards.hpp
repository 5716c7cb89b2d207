// Guards that more than one table of rewrites uses.
#pragma once

#include "compiler/ir/pattern.hpp"

namespace webnn::compiler {

/// ?p leaves every axis in place.
bool is_identity_permutation(Match& match);
/// Sets ?r, the one permutation that does what ?p and then ?q do.
bool compose_permutations(Match& match);
/// Sets ?n, the shape that lets a list with one element per channel broadcast to ?x. Channels are axis ?a, or 1.
bool channels_of_normalization(Match& match);

}  // namespace webnn::compiler
