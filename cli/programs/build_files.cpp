#include "cli/programs/build_files.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <string_view>
#include <system_error>

#include "schema/elements/types.hpp"
#include "schema/error.hpp"
#include "schema/text.hpp"

namespace webnn::cli {

namespace fs = std::filesystem;
using namespace schema;

std::vector<fs::path> files_of(const api::Model& model) {
  const api::Source& source = model.source();
  std::vector<fs::path> files;
  if (!source.is_file()) return files;
  files.emplace_back(source.name);
  const compiler::LoadOptions reading = api::load_options(source, model.reading());
  for (const compiler::ConstantInput& constant : reading.constant_inputs) {  // "@FILE", "2x2:float32=@FILE#tensor"
    const std::size_t begin = constant.text.find('@') + 1;
    if (begin != 0) files.emplace_back(constant.text.substr(begin, constant.text.find('#', begin) - begin));
  }
  if (!source.format || !source.format->weights_files) return files;
  std::error_code error;
  for (fs::path& file : source.format->weights_files(source.content, reading))
    if (fs::is_regular_file(file, error)) files.push_back(std::move(file));
  return files;
}

namespace {

/// A file's name in a rule of make, as make and ninja read it. The name may be a stranger's: one with characters that
/// would end the list of files, or make a variable of it, and begin a command, is refused. `patterns`: characters that make
/// a pattern of a target.
std::string in_rule(const std::string& file, std::string_view patterns = {}) {
  std::string name;
  for (const char c : file) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < ' ' || byte == 0x7f || std::string_view("=;|\\").find(c) != std::string_view::npos ||
        patterns.find(c) != std::string_view::npos)
      throw Error(ExitCode::invalid_input, "the name " + in_quotes(file) + " cannot stand in a rule of make",
                  "rename the file, or compile without --depfile");
    if (c == ' ' || c == '#' || c == ':') name += '\\';
    if (c == '$') name += '$';
    name += c;
  }
  return name;
}

// Those of C++23, in the order of the alphabet.
constexpr std::string_view keywords[] = {
    "alignas",     "alignof",  "and",        "and_eq",    "asm",       "auto",         "bitand",
    "bitor",       "bool",     "break",      "case",      "catch",     "char",         "char16_t",
    "char32_t",    "char8_t",  "class",      "co_await",  "co_return", "co_yield",     "compl",
    "concept",     "const",    "const_cast", "consteval", "constexpr", "constinit",    "continue",
    "decltype",    "default",  "delete",     "do",        "double",    "dynamic_cast", "else",
    "enum",        "explicit", "export",     "extern",    "false",     "float",        "for",
    "friend",      "goto",     "if",         "inline",    "int",       "long",         "mutable",
    "namespace",   "new",      "noexcept",   "not",       "not_eq",    "nullptr",      "operator",
    "or",          "or_eq",    "private",    "protected", "public",    "register",     "reinterpret_cast",
    "requires",    "return",   "short",      "signed",    "sizeof",    "static",       "static_assert",
    "static_cast", "struct",   "switch",     "template",  "this",      "thread_local", "throw",
    "true",        "try",      "typedef",    "typeid",    "typename",  "union",        "unsigned",
    "using",       "virtual",  "void",       "volatile",  "wchar_t",   "while",        "xor",
    "xor_eq"};

/// Names of C++, and the last number that was appended to each: very many texts may read alike.
using TakenNames = std::map<std::string, std::size_t>;

// Functions and variables of C, with which a namespace cannot share its name; in the order of the alphabet.
constexpr std::string_view functions[] = {
    "abort",  "abs",     "accept", "access", "alarm", "bind",   "clock", "close",    "connect", "cos",   "div",
    "dup",    "environ", "erf",    "exit",   "exp",   "fork",   "free",  "gamma",    "hypot",   "index", "kill",
    "link",   "listen",  "log",    "nice",   "open",  "pause",  "pipe",  "pow",      "printf",  "raise", "rand",
    "random", "read",    "remove", "rename", "round", "select", "send",  "signal",   "sin",     "sleep", "sqrt",
    "stat",   "sync",    "system", "tan",    "time",  "times",  "trunc", "truncate", "wait",    "write"};
static_assert(std::ranges::is_sorted(functions));

/// A name of C++ that reads like the text, and is none of `taken`, which receives it.
std::string identifier(std::string_view text, TakenNames& taken) {
  std::string name;
  for (const char c : text) {
    const char next = std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
    if (next != '_' || name.empty() || name.back() != '_') name += next;  // two are the implementation's
  }
  if (name.empty() || !std::isalpha(static_cast<unsigned char>(name.front()))) name.insert(0, "n");
  // What a program may have anyway; macros of compilers and of C.
  constexpr std::string_view others[] = {"EOF", "NULL", "assert", "errno", "linux", "main", "std", "unix"};
  if (std::ranges::binary_search(keywords, name) || std::ranges::binary_search(others, name)) name += '_';
  const auto [first, is_new] = taken.emplace(name, 1);
  if (is_new) return name;
  do name = first->first + std::to_string(++first->second);
  while (!taken.emplace(name, 1).second);
  return name;
}

/// A literal of C++ with these bytes.
std::string literal(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\' || c == '?') {
      result += '\\';
      result += c;
    } else if (byte >= ' ' && byte < 0x7f) {
      result += c;
    } else {  // three octal digits end by themselves
      result += '\\';
      for (const int shift : {6, 3, 0}) result += char('0' + (byte >> shift & 7));
    }
  }
  return result + "\"";
}

std::string structures(std::string_view kind, std::span<const Binding> bindings) {
  TakenNames taken{
      {"name", 1}, {"data_type", 1}, {"shape", 1}, {"element_count", 1}, {"byte_length", 1}};  // the members
  std::string text = "namespace " + std::string(kind) + " {\n";
  for (const Binding& binding : bindings) {
    const Shape& shape = binding.descriptor.shape;
    std::string sizes;
    for (std::size_t axis = 0; axis < shape.rank(); ++axis)
      sizes += (axis == 0 ? "" : ", ") + std::to_string(shape[axis]);
    text += "struct " + identifier(binding.name, taken) + " {\n";
    text += "  static constexpr char name[] = " + literal(binding.name) + ";\n";
    text += "  static constexpr char data_type[] = \"" + std::string(name_of(binding.descriptor.type)) + "\";\n";
    text +=
        "  static constexpr std::array<std::uint32_t, " + std::to_string(shape.rank()) + "> shape{" + sizes + "};\n";
    text += "  static constexpr std::size_t element_count = " + std::to_string(element_count(shape)) + ";\n";
    text += "  static constexpr std::size_t byte_length = " + std::to_string(byte_length(binding.descriptor)) + ";\n";
    text += "};\n";
  }
  return text + "}  // namespace " + std::string(kind) + "\n";
}

}  // namespace

std::string dependency_rule(const std::string& output, std::span<const fs::path> files) {
  std::string rule = in_rule(output, "%*?[") + ":";
  for (const fs::path& file : files) rule += " \\\n  " + in_rule(file.string());
  return rule + "\n";
}

std::string program_header(const Program& program, const fs::path& file) {
  TakenNames taken{{"std", 1}};
  std::string space = identifier(file.stem().string(), taken);
  if (std::ranges::binary_search(functions, space)) space += '_';
  return "// Names, types and shapes of a program's inputs and outputs. Written by `webnn-cli compile --header`.\n"
         "#pragma once\n\n#include <array>\n#include <cstddef>\n#include <cstdint>\n\nnamespace " +
         space + " {\n\ninline constexpr char program[] = " + literal(file.string()) + ";\n\n" +
         structures("inputs", program.inputs) + "\n" + structures("outputs", program.outputs) + "\n}  // namespace " +
         space + "\n";
}

}  // namespace webnn::cli
