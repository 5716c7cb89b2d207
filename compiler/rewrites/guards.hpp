// Guards used by more than one table of rewrites.
#pragma once

#include "compiler/ir/pattern.hpp"

namespace webnn::compiler {

/// The element of a captured constant with a single element.
std::optional<Number> element_of(const Match& match, std::string_view constant);
/// ?p leaves every axis in place.
bool is_identity_permutation(Match& match);
/// Sets ?r to the permutation equivalent to ?p followed by ?q.
bool compose_permutations(Match& match);
/// Sets ?n to the shape with which a list of one element per channel broadcasts to ?x. Channels are axis ?a, or 1.
bool channels_of_normalization(Match& match);

}  // namespace webnn::compiler
