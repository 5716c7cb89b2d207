// Parses the text format of a graph line by line. A line with an error is skipped; what it would have defined is
// remembered, so that later lines do not report it again.
#include "compiler/ir/parse.hpp"

#include <algorithm>

#include "compiler/ir/content.hpp"
#include "compiler/ir/line_reader.hpp"
#include "compiler/ir/parse_node.hpp"
#include "schema/name_hash.hpp"

namespace webnn::compiler {
namespace {

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
      report({Code::bad_text,
              place_ == Place::before ? "there is no graph" : "the graph is not closed by '}'",
              {},
              1,
              {}});
    }
    if (diagnostics_.error_count() != errors_before) return std::nullopt;
    return std::move(graph_);
  }

 private:
  enum class Place : std::uint8_t { before, inside, after };

  void report(const Complaint& complaint) {
    if (failed_.contains(complaint.undefined)) return;  // a line above is to blame
    Diagnostic& diagnostic =
        diagnostics_.error(complaint.code, {options_.file_name, line_, complaint.column, {}}, complaint.message);
    if (!complaint.hint.empty()) diagnostic.hints.push_back(complaint.hint);
  }

  void read_line(std::string_view line) {
    LineReader reader(line);
    if (reader.at(Token::Kind::end)) return;
    const bool good = statement(reader) && reader.expect_end();
    if (good) return;
    report(reader.complaint());
    for (const std::string& name : defined_) failed_.insert(name);
  }

  bool statement(LineReader& reader) {
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

  bool header(LineReader& reader) {
    if (!reader.expect("graph")) return false;
    place_ = Place::inside;  // in any case: the lines below are read as the graph's
    if (!reader.at(Token::Kind::string)) return reader.fail("expected the graph's name in quotes");
    graph_.name = reader.take().text;
    graph_.quantized = reader.accept("quantized");
    return reader.expect("{");
  }

  bool output(LineReader& reader) {
    const std::uint32_t column = reader.peek().column;
    if (!reader.at(Token::Kind::string)) return reader.fail("expected the output's name in quotes");
    const std::string name = reader.take().text;
    for (const GraphOutput& other : graph_.outputs())
      if (other.name == name)
        return reader.complain(Code::duplicate_name, column, "output " + quoted(name) + " exists already");
    if (!reader.expect("=")) return false;
    const auto value = read_value(reader, graph_);
    if (!value || !reader.expect_end()) return false;
    graph_.add_output(name, *value);
    return true;
  }

  bool definition(LineReader& reader) {
    do {
      const Token token = reader.peek();
      if (token.kind != Token::Kind::value) return reader.fail("expected a value, found " + token.described());
      reader.take();
      if (token.text.empty()) return reader.complain(Code::empty_name, token.column, "a value's name is empty");
      if (graph_.find_value(token.text).valid() ||
          std::find(defined_.begin(), defined_.end(), token.text) != defined_.end())
        return reader.complain(Code::duplicate_name, token.column, value_text(token.text) + " is defined already");
      defined_.push_back(token.text);
    } while (reader.accept(","));
    if (!reader.expect("=")) return false;
    if (defined_.size() == 1 && reader.accept("input")) return input(reader);
    if (defined_.size() == 1 && reader.accept("constant")) return constant(reader);
    return parse_node(reader, defined_, graph_);
  }

  bool input(LineReader& reader) {
    std::vector<NamedDimension> names;
    const auto found = read_descriptor(reader, &names);
    if (!found || !reader.expect_end()) return false;
    const ValueId id = graph_.add_input(defined_[0], *found);
    for (NamedDimension& dimension : names) {
      dimension.input = id;
      graph_.add_named_dimension(std::move(dimension));
    }
    return true;
  }

  bool constant(LineReader& reader) {
    const auto found = read_descriptor(reader, nullptr);
    if (!found) return false;
    const std::uint32_t column = reader.peek().column;
    const std::size_t size = byte_length(*found);
    if (size > options_.max_constant_bytes - constant_bytes_)
      return reader.complain(Code::limit_exceeded, column,
                             "the constants take more than " + std::to_string(options_.max_constant_bytes) + " bytes");
    std::optional<Bytes> data = reader.at(Token::Kind::elided) ? elided(reader, *found) : read_content(reader, *found);
    if (!data || !reader.expect_end()) return false;
    constant_bytes_ += size;
    graph_.add_constant(defined_[0], *found, std::move(*data));
    return true;
  }

  std::optional<Bytes> elided(LineReader& reader, const OperandDescriptor& found) {
    const Token token = reader.take();
    std::optional<Bytes> data;
    if (options_.constant) data = options_.constant(defined_[0], found);
    if (!data)
      reader.complain(Code::bad_init, token.column, "the content of " + value_text(defined_[0]) + " was left out",
                      "print the graph with all constants");
    else if (data->size() != byte_length(found))
      reader.complain(
          Code::wrong_byte_length, token.column,
          "expected " + std::to_string(byte_length(found)) + " bytes, found " + std::to_string(data->size()));
    else
      return data;
    return std::nullopt;
  }

  const ParseOptions& options_;
  Diagnostics& diagnostics_;
  Graph graph_;
  Place place_ = Place::before;
  std::uint32_t line_ = 0;
  std::uint64_t constant_bytes_ = 0;
  std::vector<std::string> defined_;  // by the current line
  NameSet failed_;                    // by lines with errors
};

}  // namespace

std::optional<Graph> parse(std::string_view text, const ParseOptions& options, Diagnostics& diagnostics) {
  return Parser(options, diagnostics).run(text);
}

}  // namespace webnn::compiler
