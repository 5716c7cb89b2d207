#include "compiler/frontend/text_reader.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "compiler/frontend/json_graph_reader.hpp"
#include "compiler/frontend/json_tree_builder.hpp"
#include "compiler/frontend/text_lexer.hpp"
#include "schema/text.hpp"

namespace webnn::compiler {
namespace {

using Kind = TextToken::Kind;

/// Thrown within this file alone: the statement at hand cannot be read. It has been reported.
struct StatementFailed {};
/// A limit was exceeded, which has been reported: reading ends.
struct ReadingEnds {};

/// A value on the right of '=' or between parentheses, held until the tree's order allows to add it.
struct TextValue {
  enum class Kind : std::uint8_t { name, text, number, boolean, null, list, object };
  Kind kind = Kind::null;
  std::size_t begin = 0;
  std::string text;
  Number number;
  bool boolean = false;
  std::vector<TextValue> items;  // of a list or an object
  std::vector<TextToken> keys;   // of an object
};

struct TextArgument {
  std::optional<TextToken> key;
  TextValue value;
};

class TextGraphParser {
 public:
  TextGraphParser(std::string_view text, const LoadOptions& options, Diagnostics& diagnostics)
      : document_(text, options.file_name),
        diagnostics_(diagnostics),
        max_depth_(options.max_depth),
        builder_(document_, {.max_depth = options.max_depth + 8}, diagnostics),
        lexer_(text) {}

  std::optional<JsonDocument> parse() {
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

 private:
  // ---- mistakes

  [[noreturn]] void fail(std::size_t at, std::string message) {
    diagnostics_.error(Code::bad_text, document_.location(at), std::move(message));
    throw StatementFailed{};
  }
  [[noreturn]] void fail_expected(std::string_view what) {
    const TextToken& token = lexer_.now();
    if (token.kind == Kind::bad) fail(token.begin, token.text);
    fail(token.begin, std::string(what) + " expected, found " + found(token));
  }
  std::string found(const TextToken& token) const {
    if (token.kind == Kind::end) return "the end of the file";
    return in_quotes(document_.text().substr(token.begin, std::min<std::size_t>(token.end - token.begin, 40)));
  }
  static void check(bool added) {
    if (!added) throw ReadingEnds{};
  }

  // ---- tokens

  bool take(char symbol) {
    if (!lexer_.now().is(symbol)) return false;
    lexer_.take();
    return true;
  }
  void expect(char symbol) {
    if (!take(symbol)) fail_expected(std::string("'") + symbol + "'");
  }
  TextToken name(std::string_view what) {
    if (lexer_.now().kind != Kind::name) fail_expected(what);
    return lexer_.take();
  }
  TextToken text(std::string_view what) {
    if (lexer_.now().kind != Kind::text) fail_expected(what);
    return lexer_.take();
  }

  // ---- the tree

  void add_text(const TextToken& token) { check(builder_.text(token.begin, token.text)); }
  void member(std::string_view key, std::size_t at) { builder_.key(at, key); }
  void text_member(std::string_view key, const TextToken& token) {
    member(key, token.begin);
    add_text(token);
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
        for (std::size_t i = 0; i < value.items.size(); ++i) {
          builder_.key(value.keys[i].begin, value.keys[i].text);
          add(value.items[i]);
        }
        return builder_.close();
    }
  }

  // ---- the grammar

  void file() {
    const std::size_t begin = lexer_.now().begin;
    if (!lexer_.now().is_name("webnn_graph")) fail_expected("'webnn_graph'");
    lexer_.take();
    check(builder_.open_object(begin));
    member("format", begin);
    check(builder_.text(begin, "webnn-graph-json"));
    text_member("name", text("the graph's name in quotes"));
    version();
    if (take('@')) {
      const TextToken flag = name("'quantized'");
      if (flag.text != "quantized") fail(flag.begin, "unknown flag " + in_quotes("@" + flag.text));
      member("quantized", flag.begin);
      check(builder_.boolean(flag.begin, true));
    }
    expect('{');
    std::array<bool, 4> seen{};
    while (!take('}')) block(seen);
    if (lexer_.now().kind != Kind::end) fail_expected("the end of the file");
    for (const std::size_t missing : {0, 2}) {
      if (seen[missing]) continue;
      member(blocks[missing], begin);
      check(missing == 0 ? builder_.open_object(begin) : builder_.open_array(begin));
      builder_.close();
    }
    builder_.close();
  }

  /// "v2" is one name token.
  void version() {
    const TextToken token = name("a version like v2");
    std::int64_t number = 0;
    const std::string_view digits = std::string_view(token.text).substr(1);
    const bool good = token.text[0] == 'v' && !digits.empty() && digits.size() < 10 &&
                      digits.find_first_not_of("0123456789") == digits.npos;
    if (!good) fail(token.begin, "a version like v2 expected, found " + in_quotes(token.text));
    for (const char digit : digits) number = number * 10 + (digit - '0');
    member("version", token.begin);
    check(builder_.number(token.begin, Number(number)));
  }

  void block(std::array<bool, 4>& seen) {
    const auto which = std::size_t(std::find(std::begin(blocks), std::end(blocks), lexer_.now().text) - blocks);
    if (lexer_.now().kind != Kind::name || which == std::size(blocks))
      fail_expected("inputs, consts, nodes, outputs or '}'");
    const TextToken keyword = lexer_.take();
    if (seen[which]) fail(keyword.begin, "there are two blocks " + in_quotes(keyword.text));
    seen[which] = true;
    member(keyword.text, keyword.begin);
    expect('{');
    check(which == 2 ? builder_.open_array(keyword.begin) : builder_.open_object(keyword.begin));
    while (!take('}')) {
      if (lexer_.now().kind == Kind::end) fail_expected("'}'");
      try {
        if (which == 0)
          declaration(false);
        else if (which == 1)
          declaration(true);
        else if (which == 2)
          node();
        else
          output();
      } catch (const StatementFailed&) {
        skip_statement();
      }
    }
    builder_.close();
  }

  /// To behind the next ';', or to the '}' that ends the block.
  void skip_statement() {
    int depth = 0;
    while (lexer_.now().kind != Kind::end) {
      const TextToken& token = lexer_.now();
      if (token.is('{')) ++depth;
      if (token.is('}') && depth-- == 0) return;
      const bool last = token.is(';') && depth == 0;
      lexer_.take();
      if (last) return;
    }
  }

  /// x: f32[1, dyn("n", 4)] @scalar(0.5);
  void declaration(bool constant) {
    const TextToken declared = name("a name");
    expect(':');
    const TextToken type = name("a data type like f32");
    std::vector<TextValue> sizes;
    const std::size_t shape_at = lexer_.now().begin;
    expect('[');
    while (!take(']')) {
      sizes.push_back(dimension());
      if (!take(',')) {
        expect(']');
        break;
      }
    }
    std::optional<TextToken> annotation;
    TextValue argument;
    if (constant && take('@')) {
      annotation = name("weights, scalar or bytes");
      expect('(');
      argument = value(0);
      expect(')');
      if (annotation->text != "weights" && annotation->text != "scalar" && annotation->text != "bytes")
        fail(annotation->begin,
             "unknown annotation " + in_quotes("@" + annotation->text) + "; it is @weights, @scalar or @bytes");
    }
    expect(';');

    builder_.key(declared.begin, declared.text);
    check(builder_.open_object(declared.begin));
    member("dataType", type.begin);
    check(builder_.text(type.begin, long_type_name(type.text)));
    member("shape", shape_at);
    check(builder_.open_array(shape_at));
    for (const TextValue& size : sizes) add(size);
    builder_.close();
    if (constant) {
      const std::size_t at = annotation ? annotation->begin : declared.begin;
      const std::string_view kind = annotation ? std::string_view(annotation->text) : "weights";
      member("init", at);
      check(builder_.open_object(at));
      member("kind", at);
      check(builder_.text(at, kind == "bytes" ? "inlineBytes" : kind));
      builder_.key(at, kind == "bytes" ? "bytes" : kind == "scalar" ? "value" : "ref");
      if (annotation)
        add(argument);
      else
        add_text(declared);
      builder_.close();
    }
    builder_.close();
  }

  /// The graph reader reports names that are no data type.
  static std::string long_type_name(const std::string& spelling) {
    for (std::size_t i = 0; i < data_type_count; ++i)
      if (short_name_of(DataType(i)) == spelling) return std::string(name_of(DataType(i)));
    return spelling;
  }

  TextValue dimension() {
    if (!lexer_.now().is_name("dyn")) return value(0);
    TextValue result;
    result.kind = TextValue::Kind::object;
    result.begin = lexer_.take().begin;
    expect('(');
    for (const std::string_view key : {"name", "maxSize"}) {
      TextToken token;
      token.begin = lexer_.now().begin;
      token.text = key;
      result.keys.push_back(std::move(token));
      result.items.push_back(value(0));
      if (key == "name") expect(',');
    }
    expect(')');
    return result;
  }

  TextValue value(unsigned depth) {
    if (depth > max_depth_) fail(lexer_.now().begin, "lists are nested too deep");
    TextValue result;
    const TextToken& token = lexer_.now();
    result.begin = token.begin;
    switch (token.kind) {
      case Kind::number:
        result.kind = TextValue::Kind::number;
        result.number = lexer_.take().number;
        return result;
      case Kind::text:
        result.kind = TextValue::Kind::text;
        result.text = lexer_.take().text;
        return result;
      case Kind::name:
        result.text = lexer_.take().text;
        result.boolean = result.text == "true";
        result.kind = result.text == "true" || result.text == "false" ? TextValue::Kind::boolean
                      : result.text == "null"                         ? TextValue::Kind::null
                                                                      : TextValue::Kind::name;
        return result;
      default:
        break;
    }
    if (take('-')) {  // -Infinity
      result.kind = TextValue::Kind::text;
      result.text = "-" + name("a number").text;
      return result;
    }
    if (take('[')) {
      result.kind = TextValue::Kind::list;
      while (!take(']')) {
        result.items.push_back(value(depth + 1));
        if (take(',')) continue;
        expect(']');
        break;
      }
      return result;
    }
    if (take('{')) {
      result.kind = TextValue::Kind::object;
      while (!take('}')) {
        if (lexer_.now().kind != Kind::name && lexer_.now().kind != Kind::text) fail_expected("a key");
        result.keys.push_back(lexer_.take());
        expect(':');
        result.items.push_back(value(depth + 1));
        if (take(',')) continue;
        expect('}');
        break;
      }
      return result;
    }
    fail_expected("a value");
  }

  /// y = conv2d(x, w, bias=b, strides=[2, 2]);   [a, b] = split(x, splits=2);   y = x;
  void node() {
    std::vector<TextToken> results;
    const std::size_t begin = lexer_.now().begin;
    const bool list = take('[');
    do results.push_back(name("the name of a result"));
    while (list && take(','));
    if (list) expect(']');
    expect('=');
    if (lexer_.now().kind != Kind::name)
      fail(lexer_.now().begin,
           "an operator expected; a number by itself has no data type, so declare it as a constant");
    TextToken op = lexer_.take();
    std::vector<TextArgument> arguments;
    if (take('(')) {
      while (!take(')')) {
        arguments.push_back(argument());
        if (take(',')) continue;
        expect(')');
        break;
      }
    } else {  // a second name for a value
      TextArgument same;
      same.value.kind = TextValue::Kind::name;
      same.value.begin = op.begin;
      same.value.text = std::move(op.text);
      arguments.push_back(std::move(same));
      op.text = "identity";
    }
    expect(';');
    const std::vector<std::string_view> positional = positional_options(op, arguments);

    check(builder_.open_object(begin));
    text_member("id", results[0]);
    text_member("op", op);
    member("inputs", op.begin);
    check(builder_.open_array(op.begin));
    for (const TextArgument& given : arguments)
      if (is_operand(given)) {
        if (given.value.kind == TextValue::Kind::list)
          for (const TextValue& item : given.value.items) add(item);
        else
          add(given.value);
      }
    builder_.close();
    member("options", op.begin);
    check(builder_.open_object(op.begin));
    std::size_t next = 0;
    for (const TextArgument& given : arguments) {
      if (is_operand(given)) continue;
      if (given.key)
        builder_.key(given.key->begin, given.key->text);
      else
        builder_.key(given.value.begin, positional[next++]);
      add(given.value);
    }
    builder_.close();
    if (list) {
      member("outputs", begin);
      check(builder_.open_array(begin));
      for (const TextToken& result : results) add_text(result);
      builder_.close();
    }
    builder_.close();
  }

  TextArgument argument() {
    TextArgument result;
    result.value = value(0);
    if (result.value.kind != TextValue::Kind::name || !take('=')) return result;
    TextToken key;
    key.begin = result.value.begin;
    key.text = std::move(result.value.text);
    result.key = std::move(key);
    result.value = value(0);
    return result;
  }

  /// Names by position are operands, also in a list, as concat takes them.
  static bool is_operand(const TextArgument& given) {
    const auto is_name = [](const TextValue& value) { return value.kind == TextValue::Kind::name; };
    return !given.key &&
           (is_name(given.value) || (given.value.kind == TextValue::Kind::list && !given.value.items.empty() &&
                                     std::all_of(given.value.items.begin(), given.value.items.end(), is_name)));
  }

  /// Other values by position are the operator's required arguments, in their order.
  std::vector<std::string_view> positional_options(const TextToken& op, const std::vector<TextArgument>& arguments) {
    std::vector<std::string_view> names;
    const auto id = find_operator(op.text);
    if (id)
      for (const AttributeRow& attribute : row(*id).attributes)
        if (attribute.required()) names.push_back(attribute.name);
    std::size_t count = 0;
    for (const TextArgument& given : arguments)
      if (!given.key && !is_operand(given) && ++count > names.size())
        fail(given.value.begin, in_quotes(op.text) + " takes no such argument by position; write it as NAME=VALUE");
    return names;
  }

  /// a; or a, b; the last ';' may be missing.
  void output() {
    const TextToken token = name("the name of an output");
    builder_.key(token.begin, token.text);
    add_text(token);
    if (take(',') || take(';') || lexer_.now().is('}')) return;
    fail_expected("';'");
  }

  static constexpr std::string_view blocks[] = {"inputs", "consts", "nodes", "outputs"};

  JsonDocument document_;
  Diagnostics& diagnostics_;
  unsigned max_depth_;
  JsonTreeBuilder builder_;
  TextLexer lexer_;
};

}  // namespace

std::optional<JsonDocument> parse_text_graph(std::string_view text, const LoadOptions& options,
                                             Diagnostics& diagnostics) {
  return TextGraphParser(text, options, diagnostics).parse();
}

std::optional<Graph> read_text_graph(std::string_view text, const LoadOptions& options, Diagnostics& diagnostics) {
  const std::size_t errors_before = diagnostics.error_count();  // of other files
  const auto document = parse_text_graph(text, options, diagnostics);
  if (!document) return std::nullopt;
  auto graph = JsonGraphReader(*document, options, diagnostics).read();
  return diagnostics.error_count() == errors_before ? std::move(graph) : std::nullopt;
}

}  // namespace webnn::compiler
