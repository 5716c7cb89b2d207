// Parses the text format of a graph (see print.hpp).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "compiler/ir/graph.hpp"
#include "schema/diagnostics.hpp"

namespace webnn::compiler {

struct ParseOptions {
  std::string file_name;  // for messages
  /// The bytes of a constant whose content was elided (`<4096 bytes ...>`); nullopt: unknown. Null: elided constants
  /// are refused.
  std::function<std::optional<Bytes>(std::string_view value_name, const OperandDescriptor&)> constant;
  std::uint64_t max_constant_bytes = std::uint64_t{1} << 28;  // of all constants together
};

/// Nullopt when `diagnostics` received errors. All lines are read, so that each mistake is reported with its line and
/// column. The types of a node may be left out (`%y = relu(%x)`); if given, they must match the inferred ones.
std::optional<Graph> parse(std::string_view text, const ParseOptions& options, Diagnostics& diagnostics);

}  // namespace webnn::compiler
