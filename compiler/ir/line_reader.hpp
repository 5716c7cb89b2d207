// A line of the graph's text format: its tokens, its first mistake, and the parts that several kinds of lines have.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/ir/graph.hpp"
#include "compiler/ir/text.hpp"
#include "schema/diagnostics.hpp"

namespace webnn::compiler {

/// What is wrong with a line.
struct Complaint {
  Code code = Code::bad_text;
  std::string message;
  std::string hint;
  std::uint32_t column = 0;
  std::string undefined;  // the value that no line above defines, if that is the mistake
};

/// A TokenReader that also remembers mistakes beyond syntax. They have codes and hints of their own.
class LineReader : public TokenReader {
 public:
  using TokenReader::TokenReader;

  /// Records a mistake. Always false.
  bool complain(Code code, std::uint32_t column, std::string message, std::string hint = {});
  /// The same for a value that is used but not defined.
  bool complain_undefined(const Token& value);
  /// The mistake that was recorded; if there is none, that of the TokenReader.
  Complaint complaint() const;

  /// Fails unless the line ends here.
  bool expect_end();

 private:
  std::optional<Complaint> complaint_;
};

/// float32[batch<=8, 3]; `names` receives the named dimensions, null where none are allowed.
std::optional<OperandDescriptor> read_descriptor(LineReader& reader, std::vector<NamedDimension>* names);
/// %x, which `graph` has.
std::optional<ValueId> read_value(LineReader& reader, const Graph& graph);
std::optional<OperatorId> read_operator(LineReader& reader);
/// {strides=[2, 2], groups=4}, or nothing.
std::optional<Attributes> read_attributes(LineReader& reader, const Operator& op);

}  // namespace webnn::compiler
