// Browsers' implementations of WebNN as data: the types and ranks that each takes for each operand of each operator.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "schema/operators/operator.hpp"

namespace webnn::compiler {

using namespace webnn::schema;

/// What a browser says of operands, as in MLOpSupportLimits. The first row with the operator and the operand counts.
struct OperandLimits {
  std::string_view operators;  // names, separated by blanks
  std::string_view operands;   // likewise, and "output"; empty: all operands that no row above has
  DataTypes types;
  std::uint8_t min_rank = 0, max_rank = 0;
};

/// One implementation of a browser.
struct Browser {
  std::string_view name;     // as given to --browser
  std::string_view family;   // the name of all implementations of the browser together
  std::string_view backend;  // the library that runs the graph
  std::string_view version;  // the browser's, from whose source the limits are taken
  DataTypes inputs, constants;
  std::span<const OperandLimits> limits;
};

/// The implementations whose limits are known.
std::span<const Browser> browsers();
/// Those with this name or of this family.
std::vector<const Browser*> browsers_named(std::string_view name);
/// The names of families and implementations.
std::vector<std::string_view> browser_names();

/// Whether some row is about this operator; otherwise the browser does not have it.
bool has_operator(const Browser& browser, std::string_view op);
/// The limits of an operand, or of "output"; null when there are none. An output has some only where its type is not
/// that of an operand.
const OperandLimits* limits_of(const Browser& browser, std::string_view op, std::string_view operand);

// The tables.
std::span<const OperandLimits> chromium_litert_limits();
std::span<const OperandLimits> chromium_onnxruntime_limits();

}  // namespace webnn::compiler
