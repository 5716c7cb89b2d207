// Reads the text form of a graph (print.hpp shows it).
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
  /// Bytes of a constant whose content was elided (`<4096 bytes ...>`); nullopt: unknown. Null: elided constants are
  /// refused.
  std::function<std::optional<Bytes>(std::string_view value_name, const OperandDescriptor&)> constant;
  std::uint64_t max_constant_bytes = std::uint64_t{1} << 28;  // of all constants together
};

/// Nullopt when `diagnostics` took errors; all lines are read, so that each mistake is reported with its line and
/// column. A node's types may be left out (`%y = relu(%x)`); when they are there, they must be the inferred ones.
std::optional<Graph> parse(std::string_view text, const ParseOptions& options, Diagnostics& diagnostics);

}  // namespace webnn::compiler
