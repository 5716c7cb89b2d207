// Parses the text format of a graph line by line. A line with an error is skipped; what it would have defined is
// remembered, so that later lines do not report it again.
#include "compiler/ir/parse.hpp"

#include <algorithm>
#include <charconv>
#include <unordered_set>

#include "compiler/ir/content.hpp"
#include "compiler/ir/text.hpp"

namespace webnn::compiler {
namespace {

/// A mistake in the current line that TokenReader does not know about.
struct Complaint {
  Code code = Code::bad_text;
  std::string message;
  std::string hint;
  std::uint32_t column = 0;
  bool silent = false;  // caused by an earlier mistake
};

class Parser {
 public:
  Parser(const ParseOptions& options, Diagnostics& diagnostics) : options_(options), diagnostics_(diagnostics) {}

  std::optional<Graph> run(std::string_view text) {
    const std::size_t errors_before = diagnostics_.error_count();
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      ++line_;
      read_line(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    if (place_ != Place::after) {
      ++line_;
      report({Code::bad_text, place_ == Place::before ? "there is no graph" : "the graph is not closed by '}'", {}, 1});
    }
    if (diagnostics_.error_count() != errors_before) return std::nullopt;
    return std::move(graph_);
  }

 private:
  enum class Place : std::uint8_t { before, inside, after };

  void report(const Complaint& complaint) {
    if (complaint.silent) return;
    Diagnostic& diagnostic =
        diagnostics_.error(complaint.code, {options_.file_name, line_, complaint.column, {}}, complaint.message);
    if (!complaint.hint.empty()) diagnostic.hints.push_back(complaint.hint);
  }

  void read_line(std::string_view line) {
    TokenReader reader(line);
    if (reader.at(Token::Kind::end)) return;
    complaint_ = {};
    complained_ = false;
    const bool good = statement(reader) && at_end(reader);
    if (good) return;
    if (complained_)
      report(complaint_);
    else
      report({Code::bad_text, reader.message(), {}, reader.column()});
    for (const std::string& name : defined_) failed_.insert(name);
  }

  bool complain(Code code, std::uint32_t column, std::string message, std::string hint = {}) {
    complaint_ = {code, std::move(message), std::move(hint), column, false};
    complained_ = true;
    return false;
  }

  static bool at_end(TokenReader& reader) {
    return reader.at(Token::Kind::end) ||
           reader.fail("expected the end of the line, found " + reader.peek().described());
  }

  bool statement(TokenReader& reader) {
    defined_.clear();
    if (place_ == Place::before) return header(reader);
    if (place_ == Place::after) return reader.fail("expected nothing after the graph");
    if (reader.accept("}")) {
      place_ = Place::after;
      return true;
    }
    if (reader.accept("output")) return output(reader);
    return definition(reader);
  }

  bool header(TokenReader& reader) {
    if (!reader.expect("graph")) return false;
    place_ = Place::inside;  // in any case: the lines below are read as the graph's
    if (!reader.at(Token::Kind::string)) return reader.fail("expected the graph's name in quotes");
    graph_.name = reader.take().text;
    graph_.quantized = reader.accept("quantized");
    return reader.expect("{");
  }

  bool output(TokenReader& reader) {
    const std::uint32_t column = reader.peek().column;
    if (!reader.at(Token::Kind::string)) return reader.fail("expected the output's name in quotes");
    const std::string name = reader.take().text;
    for (const GraphOutput& other : graph_.outputs())
      if (other.name == name)
        return complain(Code::duplicate_name, column, "output " + quoted(name) + " exists already");
    if (!reader.expect("=")) return false;
    const auto value = read_value(reader);
    if (!value || !at_end(reader)) return false;
    graph_.add_output(name, *value);
    return true;
  }

  std::optional<ValueId> read_value(TokenReader& reader) {
    if (!reader.at(Token::Kind::value)) {
      reader.fail("expected a value, found " + reader.peek().described());
      return std::nullopt;
    }
    const Token token = reader.take();
    const ValueId id = graph_.find_value(token.text);
    if (id.valid()) return id;
    complain(Code::unknown_value, token.column, "no line above defines " + value_text(token.text));
    complaint_.silent = failed_.contains(token.text);
    return std::nullopt;
  }

  bool definition(TokenReader& reader) {
    do {
      const Token token = reader.peek();
      if (token.kind != Token::Kind::value) return reader.fail("expected a value, found " + token.described());
      reader.take();
      if (token.text.empty()) return complain(Code::empty_name, token.column, "a value's name is empty");
      if (graph_.find_value(token.text).valid() ||
          std::find(defined_.begin(), defined_.end(), token.text) != defined_.end())
        return complain(Code::duplicate_name, token.column, value_text(token.text) + " is defined already");
      defined_.push_back(token.text);
    } while (reader.accept(","));
    if (!reader.expect("=")) return false;
    if (defined_.size() == 1 && reader.accept("input")) return input(reader);
    if (defined_.size() == 1 && reader.accept("constant")) return constant(reader);
    return node(reader);
  }

  /// float32[batch<=8, 3]; `names` receives the named dimensions, null where none are allowed.
  std::optional<OperandDescriptor> descriptor(TokenReader& reader, std::vector<NamedDimension>* names) {
    const std::uint32_t column = reader.peek().column;
    const auto type = reader.at(Token::Kind::word) ? parse_data_type(reader.peek().text) : std::nullopt;
    if (!type) {
      complain(Code::unknown_data_type, column, "expected a data type, found " + reader.peek().described());
      return std::nullopt;
    }
    reader.take();
    if (!reader.expect("[")) return std::nullopt;
    OperandDescriptor result{*type, {}};
    while (!reader.at("]")) {
      if (!result.shape.empty() && !reader.expect(",")) return std::nullopt;
      if (names && (reader.at(Token::Kind::word) || reader.at(Token::Kind::string))) {
        names->push_back({{}, result.shape.rank(), reader.take().text});
        if (!reader.expect("<=")) return std::nullopt;
      }
      const Token token = reader.peek();
      const auto size = token.kind == Token::Kind::number ? parse_number(token.text) : std::nullopt;
      if (!size || size->kind() != Number::Kind::signed_integer || size->as_int64() < 1 ||
          size->as_int64() > max_dimension) {
        complain(Code::bad_dimension, token.column,
                 "expected a dimension of 1 to " + std::to_string(max_dimension) + ", found " + token.described());
        return std::nullopt;
      }
      if (result.shape.rank() == max_rank) {
        complain(Code::bad_rank, token.column, "a shape has at most " + std::to_string(max_rank) + " dimensions");
        return std::nullopt;
      }
      result.shape.push_back(std::uint32_t(size->as_int64()));
      reader.take();
    }
    reader.take();
    if (std::string error = descriptor_error(result); !error.empty()) {
      complain(Code::tensor_too_large, column, std::move(error));
      return std::nullopt;
    }
    return result;
  }

  bool input(TokenReader& reader) {
    std::vector<NamedDimension> names;
    const auto found = descriptor(reader, &names);
    if (!found || !at_end(reader)) return false;
    const ValueId id = graph_.add_input(defined_[0], *found);
    for (NamedDimension& dimension : names) {
      dimension.input = id;
      graph_.add_named_dimension(std::move(dimension));
    }
    return true;
  }

  bool constant(TokenReader& reader) {
    const auto found = descriptor(reader, nullptr);
    if (!found) return false;
    const std::uint32_t column = reader.peek().column;
    const std::size_t size = byte_length(*found);
    if (size > options_.max_constant_bytes - constant_bytes_)
      return complain(Code::limit_exceeded, column,
                      "the constants take more than " + std::to_string(options_.max_constant_bytes) + " bytes");
    std::optional<Bytes> data = reader.at(Token::Kind::elided) ? elided(reader, *found) : read_content(reader, *found);
    if (!data || !at_end(reader)) return false;
    constant_bytes_ += size;
    graph_.add_constant(defined_[0], *found, std::move(*data));
    return true;
  }

  std::optional<Bytes> elided(TokenReader& reader, const OperandDescriptor& found) {
    const Token token = reader.take();
    std::optional<Bytes> data;
    if (options_.constant) data = options_.constant(defined_[0], found);
    if (!data)
      complain(Code::bad_init, token.column, "the content of " + value_text(defined_[0]) + " was left out",
               "print the graph with all constants");
    else if (data->size() != byte_length(found))
      complain(Code::wrong_byte_length, token.column,
               "expected " + std::to_string(byte_length(found)) + " bytes, found " + std::to_string(data->size()));
    else
      return data;
    return std::nullopt;
  }

  std::optional<OperatorId> read_operator(TokenReader& reader) {
    const Token token = reader.peek();
    if (token.kind != Token::Kind::word) {
      reader.fail("expected an operator, found " + token.described());
      return std::nullopt;
    }
    const auto id = find_any_operator(token.text);
    if (id) {
      reader.take();
      return id;
    }
    std::vector<std::string_view> names;
    for (const Operator& known : all_operators()) names.push_back(known.name);
    const std::string_view near = nearest(token.text, names);
    complain(Code::unknown_operator, token.column, "there is no operator " + token.described(),
             near.empty() ? std::string() : "did you mean '" + std::string(near) + "'?");
    return std::nullopt;
  }

  std::optional<Attributes> read_attributes(TokenReader& reader, const Operator& op) {
    Attributes attributes(op.attributes.size());
    if (!reader.accept("{")) return attributes;
    do {
      const Token token = reader.peek();
      const int index = token.kind == Token::Kind::word ? op.attribute_index(token.text) : -1;
      if (index < 0) {
        complain(Code::unknown_option, token.column, std::string(op.name) + " has no attribute " + token.described());
        return std::nullopt;
      }
      if (attributes[std::size_t(index)]) {
        complain(Code::duplicate_key, token.column, "attribute " + token.described() + " is given twice");
        return std::nullopt;
      }
      reader.take();
      if (!reader.expect("=")) return std::nullopt;
      auto value = read_attribute(reader, op.attributes[std::size_t(index)]);
      if (!value) return std::nullopt;
      attributes[std::size_t(index)] = std::move(value);
    } while (reader.accept(","));
    if (!reader.expect("}")) return std::nullopt;
    return attributes;
  }

  std::optional<std::vector<ValueId>> read_operands(TokenReader& reader, const Operator& op) {
    std::vector<ValueId> inputs(op.variadic() ? 0 : op.operands.size());
    std::size_t position = 0;
    if (!reader.expect("(")) return std::nullopt;
    while (!reader.at(")")) {
      if (position > 0 && !reader.expect(",")) return std::nullopt;
      ++position;
      std::size_t place = position - 1;
      const Token token = reader.peek();
      if (token.kind == Token::Kind::word) {
        const int named = op.variadic() ? -1 : op.operand_index(token.text);
        if (named < 0) {
          complain(Code::unknown_option, token.column, std::string(op.name) + " has no operand " + token.described());
          return std::nullopt;
        }
        place = std::size_t(named);
        reader.take();
        if (!reader.expect("=")) return std::nullopt;
      }
      const auto value = read_value(reader);
      if (!value) return std::nullopt;
      if (op.variadic()) {
        inputs.push_back(*value);
        continue;
      }
      if (place >= inputs.size() || inputs[place].valid()) {
        complain(Code::wrong_operand_count, token.column,
                 place < inputs.size()
                     ? "operand '" + std::string(op.operands[place].name) + "' is given twice"
                     : std::string(op.name) + " takes at most " + std::to_string(inputs.size()) + " operands");
        return std::nullopt;
      }
      inputs[place] = *value;
    }
    reader.take();
    return inputs;
  }

  struct PostOpText {
    PostOp post_op;
    std::vector<ValueId> other;
    std::uint32_t column = 0;
  };

  /// `_` is the result of the previous operation, `_2` that of the second one back. Nullopt: it is something else.
  static std::optional<std::uint8_t> read_steps_back(TokenReader& reader) {
    const Token& token = reader.peek();
    if (token.kind != Token::Kind::word || token.text[0] != '_') return std::nullopt;
    unsigned count = 1;
    const char *begin = token.text.data() + 1, *end = token.text.data() + token.text.size();
    if (begin != end) {
      const auto [last, error] = std::from_chars(begin, end, count);
      if (error != std::errc() || last != end || *begin == '0' || count < 2 || count > 255) return std::nullopt;
    }
    reader.take();
    return std::uint8_t(count);
  }

  /// Parses what follows `->`: relu, clamp {..}, add(_, %x), mul(_3, _).
  std::optional<PostOpText> read_post_op(TokenReader& reader) {
    PostOpText result;
    result.column = reader.peek().column;
    const auto op = read_operator(reader);
    if (!op) return std::nullopt;
    result.post_op.op = *op;
    const Operator& op_row = row(*op);
    if (op_row.variadic() || op_row.outputs.size() != 1 || op_row.operands.size() > 3) {
      complain(Code::bad_call, result.column, "'" + std::string(op_row.name) + "' cannot be a post-op");
      return std::nullopt;
    }
    std::size_t place = 1;
    if (reader.accept("(")) {
      place = 0;
      result.post_op.operands = {};
      do {
        const auto back = read_steps_back(reader);
        const auto value = back ? std::nullopt : read_value(reader);
        if (!back && !value) return std::nullopt;
        if (value) result.other.push_back(*value);
        if (back && place < result.post_op.operands.size()) result.post_op.operands[place] = *back;
        ++place;
      } while (reader.accept(","));
      if (!reader.expect(")")) return std::nullopt;
    }
    if (place != op_row.operands.size()) {
      complain(Code::wrong_operand_count, result.column,
               "post-op '" + std::string(op_row.name) + "' takes " + std::to_string(op_row.operands.size()) +
                   " operands, such as '_', found " + std::to_string(place));
      return std::nullopt;
    }
    auto attributes = read_attributes(reader, op_row);
    if (!attributes) return std::nullopt;
    result.post_op.attributes = std::move(*attributes);
    return result;
  }

  bool call_error(std::uint32_t column, const Operator& op, const CallError& error) {
    return complain(Code::bad_call, column, std::string(op.name) + ": " + error.message, error.hint);
  }

  bool node(TokenReader& reader) {
    const std::uint32_t column = reader.peek().column;
    const auto op = read_operator(reader);
    if (!op) return false;
    auto inputs = read_operands(reader, row(*op));
    if (!inputs) return false;
    auto attributes = read_attributes(reader, row(*op));
    if (!attributes) return false;
    std::vector<PostOpText> post_ops;
    while (reader.accept("->")) {
      auto post_op = read_post_op(reader);
      if (!post_op) return false;
      post_ops.push_back(std::move(*post_op));
    }
    std::vector<OperandDescriptor> declared;
    std::uint32_t declared_column = 0;
    if (reader.accept(":")) {
      declared_column = reader.peek().column;
      do {
        const auto found = descriptor(reader, nullptr);
        if (!found) return false;
        declared.push_back(*found);
      } while (reader.accept(","));
    }
    std::string label = defined_[0];
    if (reader.accept("label")) {
      if (!reader.at(Token::Kind::string)) return reader.fail("expected the label in quotes");
      label = reader.take().text;
    }
    if (!at_end(reader)) return false;

    std::vector<CallError> errors;
    const NodeId id = graph_.add_node(*op, std::move(*inputs), std::move(*attributes), defined_, label, &errors);
    if (!id.valid()) return call_error(column, row(*op), errors.at(0));
    const bool good = attach(id, post_ops) && as_declared(id, declared, declared_column);
    if (!good) graph_.erase(id);
    return good;
  }

  bool attach(NodeId id, std::vector<PostOpText>& post_ops) {
    std::vector<OperandDescriptor> results;  // of the operations so far
    results.reserve(1 + post_ops.size());    // pointers to its elements are kept
    for (PostOpText& next : post_ops) {
      if (graph_.node(id).outputs.size() != 1)
        return complain(Code::bad_call, next.column, "only a node with one output takes post-ops");
      const Operator& op = row(next.post_op.op);
      results.push_back(graph_.value(graph_.node(id).outputs[0]).descriptor);
      std::vector<const OperandDescriptor*> operands;
      auto other = next.other.begin();
      for (std::size_t i = 0; i < op.operands.size(); ++i) {
        const std::size_t back = next.post_op.operands[i];
        if (back > results.size())
          return complain(Code::bad_call, next.column,
                          "operand '_" + std::to_string(back) + "' is from more steps back than there are");
        operands.push_back(back != 0 ? &results[results.size() - back] : &graph_.value(*other++).descriptor);
      }
      const Inference inference = check_operator(OperatorCall(next.post_op.op, operands, next.post_op.attributes));
      if (!inference.ok()) return call_error(next.column, op, inference.errors()[0]);
      graph_.attach_post_op(id, std::move(next.post_op), next.other, inference.outputs()[0]);
    }
    return true;
  }

  bool as_declared(NodeId id, const std::vector<OperandDescriptor>& declared, std::uint32_t column) {
    const std::vector<ValueId>& outputs = graph_.node(id).outputs;
    if (outputs.size() != defined_.size())
      return complain(Code::wrong_output_count, 1,
                      "the operator has " + std::to_string(outputs.size()) + " outputs, found " +
                          std::to_string(defined_.size()) + " names");
    if (declared.empty()) return true;
    if (declared.size() != outputs.size())
      return complain(Code::wrong_output_count, column,
                      "the operator has " + std::to_string(outputs.size()) + " outputs, found " +
                          std::to_string(declared.size()) + " types");
    for (std::size_t i = 0; i < outputs.size(); ++i)
      if (const OperandDescriptor& inferred = graph_.value(outputs[i]).descriptor; !(inferred == declared[i]))
        return complain(Code::bad_call, column,
                        value_text(defined_[i]) + " is " + inferred.text() + ", found " + declared[i].text());
    return true;
  }

  const ParseOptions& options_;
  Diagnostics& diagnostics_;
  Graph graph_;
  Place place_ = Place::before;
  std::uint32_t line_ = 0;
  std::uint64_t constant_bytes_ = 0;
  std::vector<std::string> defined_;        // by the current line
  std::unordered_set<std::string> failed_;  // by lines with errors
  Complaint complaint_;
  bool complained_ = false;
};

}  // namespace

std::optional<Graph> parse(std::string_view text, const ParseOptions& options, Diagnostics& diagnostics) {
  return Parser(options, diagnostics).run(text);
}

}  // namespace webnn::compiler
