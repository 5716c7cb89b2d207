// Where the arguments of a call in the text form belong in webnn-graph-json.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "compiler/frontend/text/text_parser.hpp"

namespace webnn::compiler {

struct ArgumentPlace {
  enum class Kind : std::uint8_t {
    operand,
    operands,  // each element of the list
    option,    // under the key `option`
    options,   // each member of the object
    nothing,   // null in place of an optional operand
  };
  Kind kind = Kind::nothing;
  std::string_view option;
};

/// One place for each argument. Without a name come operands in the order of the operator's row (a list of names for an
/// operator that takes any number of them, null for one that is left out), then the attributes that the operator
/// requires, in the row's order; an object holds options. Nullopt when an argument has no place, which is reported.
std::optional<std::vector<ArgumentPlace>> argument_places(const TextCall& call, const JsonDocument& document,
                                                          Diagnostics& diagnostics);

}  // namespace webnn::compiler
