#include "compiler/frontend/text/text_reader.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <vector>

#include "compiler/frontend/json/json_graph_reader.hpp"
#include "compiler/frontend/json/json_tree_builder.hpp"
#include "compiler/frontend/source_form.hpp"
#include "compiler/frontend/text/text_arguments.hpp"
#include "compiler/frontend/text/text_parser.hpp"
#include "schema/text.hpp"

namespace webnn::compiler {
namespace {

/// Thrown and caught in this file: a limit was exceeded, which has been reported.
struct ReadingEnds {};

/// Adds statement after statement to the tree, in the order of the text.
class TextGraphReader {
 public:
  TextGraphReader(std::string_view text, const LoadOptions& options, Diagnostics& diagnostics)
      : document_(text, options.file_name),
        diagnostics_(diagnostics),
        builder_(document_, {.max_depth = options.max_depth + nesting_of_values}, diagnostics),
        parser_(document_, options.max_depth, diagnostics) {}

  std::optional<JsonDocument> read() {
    const std::size_t errors_before = diagnostics_.error_count();
    if (!builder_.usable()) return std::nullopt;
    try {
      file();
    } catch (const StatementFailed&) {
    } catch (const ReadingEnds&) {
    }
    if (diagnostics_.error_count() != errors_before) return std::nullopt;
    builder_.finish();
    return std::move(document_);
  }

  /// The results of calls `q = identity(p)`, or `q = p`, without anything else.
  const std::set<std::string>& plain_identities() const { return plain_identities_; }

 private:
  // ---- the tree

  static void check(bool added) {
    if (!added) throw ReadingEnds{};
  }
  void text_member(std::string_view key, const TextToken& token) { text_member(key, token.begin, token.text); }
  void text_member(std::string_view key, std::size_t at, std::string_view text) {
    builder_.key(at, key);
    check(builder_.text(at, text));
  }
  void open_object(std::string_view key, std::size_t at) {
    builder_.key(at, key);
    check(builder_.open_object(at));
  }
  void open_array(std::string_view key, std::size_t at) {
    builder_.key(at, key);
    check(builder_.open_array(at));
  }
  void add(const TextValue& value) {
    switch (value.kind) {
      case TextValue::Kind::name:
      case TextValue::Kind::text:
        return check(builder_.text(value.begin, value.text));
      case TextValue::Kind::number:
        return check(builder_.number(value.begin, value.number));
      case TextValue::Kind::boolean:
        return check(builder_.boolean(value.begin, value.boolean));
      case TextValue::Kind::null:
        return check(builder_.null(value.begin));
      case TextValue::Kind::list:
        check(builder_.open_array(value.begin));
        for (const TextValue& item : value.items) add(item);
        return builder_.close();
      case TextValue::Kind::object:
        check(builder_.open_object(value.begin));
        add_members(value);
        return builder_.close();
    }
  }
  void add_members(const TextValue& object) {
    for (std::size_t i = 0; i < object.items.size(); ++i) {
      builder_.key(object.keys[i].begin, object.keys[i].text);
      add(object.items[i]);
    }
  }

  // ---- the file

  void file() {
    const std::size_t begin = parser_.now().begin;
    if (!parser_.now().is_name("webnn_graph")) parser_.fail_expected("'webnn_graph'");
    parser_.take();
    check(builder_.open_object(begin));
    text_member("format", begin, "webnn-graph-json");
    text_member("name", parser_.text("the graph's name in quotes"));
    builder_.key(parser_.now().begin, "version");
    const std::size_t version_at = parser_.now().begin;
    check(builder_.number(version_at, Number(parser_.version())));
    if (parser_.take('@')) {
      const TextToken flag = parser_.name("'quantized'");
      if (flag.text != "quantized")
        parser_.fail(flag.begin, "unknown flag " + in_quotes("@" + flag.text) + "; there is only @quantized");
      builder_.key(flag.begin, "quantized");
      check(builder_.boolean(flag.begin, true));
    }
    parser_.expect('{');
    std::array<bool, 4> seen{};
    while (!parser_.take('}')) block(seen);
    if (parser_.now().kind != TextToken::Kind::end) parser_.fail_expected("the end of the file");
    // Empty blocks may be left out, but in JSON these two are required.
    if (!seen[0]) {
      open_object("inputs", begin);
      builder_.close();
    }
    if (!seen[2]) {
      open_array("nodes", begin);
      builder_.close();
    }
    builder_.close();
  }

  void block(std::array<bool, 4>& seen) {
    constexpr std::string_view blocks[] = {"inputs", "consts", "nodes", "outputs"};
    const auto which = std::size_t(std::find(std::begin(blocks), std::end(blocks), parser_.now().text) - blocks);
    if (parser_.now().kind != TextToken::Kind::name || which == std::size(blocks))
      parser_.fail_expected("inputs, consts, nodes, outputs or '}'");
    const TextToken keyword = parser_.take();
    if (seen[which]) parser_.fail(keyword.begin, "there are two blocks " + in_quotes(keyword.text));
    seen[which] = true;
    parser_.expect('{');
    const bool is_nodes = keyword.text == "nodes";
    is_nodes ? open_array("nodes", keyword.begin) : open_object(keyword.text, keyword.begin);
    while (!parser_.take('}')) {
      if (parser_.now().kind == TextToken::Kind::end) parser_.fail_expected("'}'");
      try {
        if (is_nodes)
          add(parser_.call());
        else if (keyword.text == "outputs")
          add_output(parser_.output());
        else
          add(parser_.declaration(keyword.text == "consts"), keyword.text == "consts");
      } catch (const StatementFailed&) {
        parser_.skip_statement();
        if (parser_.now().kind == TextToken::Kind::end) throw;  // a truncated statement has no '}' either
      }
    }
    builder_.close();
  }

  void add_output(const TextToken& output) { text_member(output.text, output); }

  void add(const TextDeclaration& declared, bool constant) {
    open_object(declared.name.text, declared.name.begin);
    text_member("dataType", declared.type.begin, long_type_name(declared.type.text));
    open_array("shape", declared.shape_begin);
    for (const TextValue& size : declared.sizes) add(size);
    builder_.close();
    if (constant) {
      const std::size_t at = declared.annotation ? declared.annotation->begin : declared.name.begin;
      const std::string_view kind = declared.annotation ? std::string_view(declared.annotation->text) : "weights";
      open_object("init", at);
      text_member("kind", at, kind == "bytes" ? "inlineBytes" : kind);
      builder_.key(at, kind == "bytes" ? "bytes" : kind == "scalar" ? "value" : "ref");
      if (kind == "bytes")
        add(declared.bytes, declared.data.begin);
      else if (declared.annotation)
        add(declared.data);
      else  // the constant's own name is the key of its weights
        check(builder_.text(at, declared.name.text));
      builder_.close();
    }
    builder_.close();
  }

  void add(const std::vector<std::uint8_t>& bytes, std::size_t begin) {
    check(builder_.open_array(begin));
    if (!bytes.empty()) builder_.bytes(bytes);
    builder_.close();
  }

  /// The graph reader reports names that are no data type.
  static std::string long_type_name(const std::string& spelling) {
    for (std::size_t i = 0; i < data_type_count; ++i)
      if (short_name_of(DataType(i)) == spelling) return std::string(name_of(DataType(i)));
    return spelling;
  }

  void add(const TextCall& call) {
    const auto places = argument_places(call, document_, diagnostics_);
    if (!places) return;
    if (call.op.text == "identity" && call.arguments.size() == 1 && !call.arguments[0].key && !call.lists_results)
      plain_identities_.insert(call.results[0].text);
    check(builder_.open_object(call.begin));
    text_member("id", call.results[0]);
    text_member("op", call.op);
    open_array("inputs", call.op.begin);
    for (std::size_t i = 0; i < call.arguments.size(); ++i) {
      const TextValue& value = call.arguments[i].value;
      if ((*places)[i].kind == ArgumentPlace::Kind::operand) add(value);
      if ((*places)[i].kind == ArgumentPlace::Kind::operands)
        for (const TextValue& item : value.items) add(item);
    }
    builder_.close();
    open_object("options", call.op.begin);
    for (std::size_t i = 0; i < call.arguments.size(); ++i) {
      const TextArgument& given = call.arguments[i];
      if ((*places)[i].kind == ArgumentPlace::Kind::option) {
        builder_.key(given.key ? given.key->begin : given.value.begin, (*places)[i].option);
        add(given.value);
      }
      if ((*places)[i].kind == ArgumentPlace::Kind::options) add_members(given.value);
    }
    builder_.close();
    if (call.lists_results) {
      open_array("outputs", call.begin);
      for (const TextToken& result : call.results) check(builder_.text(result.begin, result.text));
      builder_.close();
    }
    builder_.close();
  }

  static constexpr std::uint32_t nesting_of_values = 8;  // root, nodes, node, options

  JsonDocument document_;
  Diagnostics& diagnostics_;
  JsonTreeBuilder builder_;
  TextParser parser_;
  std::set<std::string> plain_identities_;
};

/// In the text format an output has the name of its value, so a second output of one value is written as an identity.
/// This reverses that. An identity with a label stays.
void fold_second_names(Graph& graph, const std::set<std::string>& plain_identities) {
  for (std::size_t i = 0; i < graph.outputs().size(); ++i) {
    const ValueId result = graph.outputs()[i].value;
    if (!is_second_name(graph, result) || !plain_identities.contains(graph.value(result).name)) continue;
    const NodeId node = graph.value(result).producer;
    graph.set_output(i, graph.node(node).inputs[0]);
    graph.erase(node);
  }
}

}  // namespace

std::optional<JsonDocument> parse_text_graph(std::string_view text, const LoadOptions& options,
                                             Diagnostics& diagnostics) {
  return TextGraphReader(text, options, diagnostics).read();
}

std::optional<Graph> read_text_graph(std::string_view text, const LoadOptions& options, Diagnostics& diagnostics) {
  const std::size_t errors_before = diagnostics.error_count();  // from other files
  TextGraphReader reader(text, options, diagnostics);
  const auto document = reader.read();
  if (!document) return std::nullopt;
  auto graph = JsonGraphReader(*document, options, diagnostics).read();
  if (graph) fold_second_names(*graph, reader.plain_identities());
  return diagnostics.error_count() == errors_before ? std::move(graph) : std::nullopt;
}

}  // namespace webnn::compiler
