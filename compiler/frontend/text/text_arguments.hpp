// Maps the arguments of a call in the text format to webnn-graph-json.
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

/// One place for each argument. Unnamed arguments are first operands in the order of the operator's row (a list of
/// names for an operator with any number of them, null for one that is left out), then the operator's required
/// attributes in the row's order; an object holds options. Nullopt when an argument has no place, which is reported.
std::optional<std::vector<ArgumentPlace>> argument_places(const TextCall& call, const JsonDocument& document,
                                                          Diagnostics& diagnostics);

}  // namespace webnn::compiler
