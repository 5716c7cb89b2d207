// The table of diagnostics.
//
// Legend. Rows follow the enumeration Code. A number is never reused and never changes, because people search for it: a
// new row takes the next free number of its group (hundreds), wherever the row is in the table.
#include "schema/diagnostics.hpp"

#include <algorithm>
#include <charconv>

#include "schema/round_up.hpp"
#include "schema/text.hpp"

namespace webnn::schema {
namespace {

constexpr DiagnosticCode rows[] = {
    // ---- the file as text
    {101, "not JSON",
     "The file starts like JSON, but breaks its grammar at the place shown: often a missing comma, a comma after the "
     "last member, a comment, or a file that was cut off. Correct the file or write it again with the tool that made "
     "it."},
    {102, "unknown format",
     "The member \"format\" does not name a form that this tool reads. A graph says \"webnn-graph-json\", a weights "
     "manifest says \"wg-weights-manifest\"."},
    {103, "unknown version",
     "The file has a version that this tool does not know. Versions 1 and 2 of webnn-graph-json are read; write the "
     "file again as version 2."},
    {104, "duplicate key",
     "An object has the same member twice, so that readers would disagree about which one counts. Remove one of them."},
    {105, "unknown member",
     "An object has a member that the format does not define. It may be misspelt. Members that only carry notes do not "
     "belong in a graph file."},
    {106, "missing member", "An object lacks a member that the format requires. Add it."},
    {107, "wrong JSON type",
     "A member has a value of another JSON type than the format says, for example a string where a number is needed."},
    {108, "invalid UTF-8", "Graph files are UTF-8 text. The bytes at the place shown are not; save the file as UTF-8."},
    {109, "nesting too deep",
     "Arrays and objects are nested deeper than any graph needs. The limit protects the reader from files made to "
     "exhaust its stack."},
    // ---- names and structure
    {201, "empty name", "Inputs, constants, values and outputs need a name of at least one character."},
    {202, "duplicate name",
     "Two inputs, constants or results have the same name, so that a use of it would be ambiguous. Rename one."},
    {203, "unknown value",
     "A node or an output uses a name that no input, constant or earlier node defines. Check the spelling, and that "
     "the "
     "node which makes the value comes before the one that uses it."},
    {204, "unknown operator",
     "No operator of the WebNN specification has this name. `webnn-cli ops` lists them all; the spelling is the one of "
     "the MLGraphBuilder methods, for example convTranspose2d."},
    {205, "unknown option",
     "The operator has no option or argument of this name. `webnn-cli ops NAME` shows what it takes. Unknown options "
     "are errors because ignoring one would change the result silently."},
    {206, "wrong number of operands",
     "A node has more or fewer operands than its operator takes. `webnn-cli ops NAME` lists them in order."},
    {207, "wrong number of outputs",
     "A node names another number of outputs than its operator gives. Only lstm, lstmCell, gru and split give more "
     "than "
     "one; how many follows from returnSequence and splits."},
    {208, "no outputs", "A graph without outputs computes nothing. Name at least one value in \"outputs\"."},
    {209, "nodes out of order",
     "A node uses a value that only a later node defines, or its own result. Nodes are listed so that every value is "
     "defined before it is used; a cycle cannot be written."},
    // ---- descriptors
    {301, "unknown data type",
     "A data type is float32, float16, int32, uint32, int64, uint64, int8 or uint8; int4 and uint4 exist for quantised "
     "data."},
    {302, "bad dimension", "A dimension is an integer from 1 to 2147483647. WebNN has no tensors without elements."},
    {303, "rank too high",
     "A tensor has at most 8 dimensions; the specification requires 5. Merge neighbouring dimensions with reshape."},
    {304, "tensor too large",
     "A tensor has at most 2147483647 elements and 2147483647 bytes. Split the data, or use a smaller data type."},
    {305, "bad dynamic dimension",
     "A dimension of an input may be written {\"name\": ..., \"maxSize\": ...} with a non-empty name and a size from 1 "
     "to 2147483647. Constants have fixed shapes, and one name has one maximum."},
    {306, "unbound dimension",
     "An input has a named dimension whose size was not given. Fix it with `--dim NAME=SIZE`, at most the maximum that "
     "the file states."},
    // ---- operator calls
    {401, "bad operand",
     "An operand has a data type, rank or shape that the operator does not take. `webnn-cli ops NAME` lists the "
     "allowed "
     "types and ranks."},
    {402, "bad option",
     "An option or argument has a value that the operator does not take: of the wrong kind, out of its range, or not "
     "one "
     "of the allowed words."},
    {403, "bad call",
     "Operands and options are right one by one, but do not fit together, or the result would exceed a limit."},
    // ---- constants and weights
    {501, "bad init",
     "A constant says where its data come from in \"init\": {\"kind\": \"weights\", \"ref\": KEY}, {\"kind\": "
     "\"scalar\", \"value\": NUMBER} or {\"kind\": \"inlineBytes\", \"bytes\": [0..255, ...]}."},
    {502, "wrong number of bytes",
     "The data of a constant do not have the size that its data type and shape need. Either the descriptor is wrong or "
     "the data belong to another constant."},
    {503, "weights file missing",
     "The graph refers to weights, but no weights file was found beside it: STEM.weights with STEM.manifest.json, or "
     "STEM.safetensors. Name one with `--weights-file FILE`."},
    {504, "weights entry missing",
     "The weights file has no tensor under the key that a constant refers to. The file may belong to another version "
     "of the graph."},
    {505, "bad manifest",
     "The weights manifest cannot be used: it is not of the format wg-weights-manifest version 1, or an entry does not "
     "describe a tensor."},
    {506, "weights out of bounds",
     "An entry of the manifest reaches beyond the end of the weights file, which was probably cut off while it was "
     "copied."},
    {507, "unsafe path",
     "A file named inside a graph lies outside the graph's folder: an absolute path, one with \"..\", or a link that "
     "leads out. Such files are refused, because opening a graph from elsewhere must not read them."},
    // warnings about what a file says but readers accept
    {601, "output is an input or constant",
     "WebNN does not let an output be an input or a constant itself. It is read as if an identity operator were "
     "between "
     "the two."},
    {602, "unused input",
     "No node uses this input. It stays part of the graph's interface, but values given for it are ignored."},
    {603, "old spelling",
     "The file uses a name of an earlier version of the specification or of another tool. It is read as the current "
     "one; `webnn-cli convert` writes the current spelling."},
    {604, "operator rewritten",
     "The operator is not part of the WebNN specification, but other tools write it. It is read as the specified "
     "operators that compute the same."},
    // ---- limits and devices
    {701, "limit exceeded",
     "The file exceeds a limit of this tool that protects against files made to exhaust memory: its bytes, or its "
     "number "
     "of nodes."},
    {702, "no kernel",
     "The graph is valid, but the chosen device has no kernel for an operator with these types. `webnn-cli devices` "
     "shows the devices; the CPU runs every operator."},
    // ---- text format and passes
    {801, "bad text form",
     "The text does not follow the grammar of `.webnn` files at the place shown. Names with characters beyond letters, "
     "digits, '_', '.', '/' and '$' can be written in JSON only."},
    {802, "bad result of a pass",
     "A compiler pass left a graph that breaks its own rules. This is a mistake in this tool, not in the file; please "
     "report it with the graph."},
    // ---- binary files
    {110, "damaged binary graph",
     "The file begins like a binary graph (.wnnb), but its size, a checksum or its structure is not what it says. It "
     "was cut short or changed; convert the graph again."},
    {901, "program cut off",
     "The program file is shorter or longer than its header says: a copy that did not end, or a file that something "
     "was appended to. Copy it again, or compile the graph again."},
    {902, "program damaged",
     "A checksum of the program file is not that of its bytes. Copy it again, or compile the graph again."},
    {903, "program of another version",
     "The program file was written by a version of this tool whose tables of operators and kernels are others. Compile "
     "the graph again with this version."},
    {904, "program for another machine",
     "The program needs features of the processor or the GPU that this machine lacks. Compile the graph here, or for "
     "an older processor with --isa."},
    {905, "program badly structured",
     "The metadata of the program file is no correct FlatBuffer of its schema, or names what does not exist. Compile "
     "the graph again."},
    {906, "program unsafe",
     "The program reads what was never written, writes over what is still needed, or passes a kernel what it does not "
     "take. The compiler never writes such a program; the file was changed."},
    {1001, "tuning of another machine",
     "A tuning file says which kernels are fastest on the machine that it was measured on, with the kernels of the "
     "version that measured. For another kind of device or other processor features it is refused; on another "
     "processor, or with other kernels, it is used, but may choose badly. `webnn-cli compile --tune` measures again."},
    {1002, "unknown kernel in a tuning file",
     "The tuning file names a kernel that this version does not have. The entry is ignored, and the kernel table's "
     "order decides, as it does without a tuning file."},
    // ---- kernels of one provider
    {703, "kernel of another provider",
     "With --only, kernels of the provider that --device cpu:PROVIDER or --kernels names run every operator of the "
     "graph, or nothing runs. This operator would have been run by another provider's kernel. Leave --only out, or "
     "write the graph with operators that the provider takes: `webnn-cli ops NAME` lists the kernels of an operator."},
    // ---- program files, again
    {907, "constant of a program damaged",
     "The bytes of a constant are not those that the program file was written with, or are not in the form that the "
     "kernel reads. Copy the file again, or compile the graph again."},
    {908, "program in another format",
     "The header of the program file states a version of the format that this tool does not read. Compile the graph "
     "again with this version."},
    {909, "program for another device",
     "The program is for the CPU and was to run on a GPU, or the other way round. Name the device that it is for with "
     "--device, leave --device out, or compile the graph for this device."},
    {910, "program needs the CPU beside the GPU",
     "Some steps of the program are for the CPU, because the GPU has no kernel for them. That is allowed only with "
     "--fallback op. Allow it, or compile the graph without it."},
    {911, "program needs a kernel that is not there",
     "The program calls a kernel that this build of the tool does not have. Compile the graph again with this build."},
    {912, "program too large for this GPU",
     "The GPU has what the program asks for, but cannot run one of its steps, for example because a shader needs more "
     "turns of a loop than the driver allows. Compile the graph for this device."},
    {913, "program where a graph is wanted",
     "The command reads graphs, and the file is a program, which is compiled already. `run`, `bench`, `profile` and "
     "`compare` take programs; `inspect` shows what one holds. There is no way back to the graph, unless the program "
     "carries it (`compile --embed-graph`)."},
    // ---- browsers
    {704, "refused by a browser",
     "With --browser, the graph is compared with what the browser's WebNN says that it supports. It refuses this "
     "operator with an operand of this data type or rank, so the graph cannot be built there. Often another type will "
     "do (`cast`), or a `reshape` to fewer dimensions before the operator and back after it."},
};
static_assert(std::size(rows) == diagnostic_code_count, "a row for each Code, in its order");

constexpr Code elsewhere[] = {Code::program_version,  Code::program_format, Code::program_target, Code::program_device,
                              Code::program_fallback, Code::program_kernel, Code::program_gpu};

/// Longer words are not typing errors, and the cost of comparing grows with the product of both lengths.
constexpr std::size_t longest_compared_word = 100;

/// Insertions, deletions, substitutions and swaps of neighbours that turn `a` into `b` (optimal string alignment).
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), above(b.size() + 1), current(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) above[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      current[j] = std::min({above[j] + 1, current[j - 1] + 1, above[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        current[j] = std::min(current[j], before[j - 2] + 1);
    }
    std::swap(before, above);
    std::swap(above, current);
  }
  return above[b.size()];
}

}  // namespace

std::string_view name_of(Severity severity) {
  constexpr std::string_view names[] = {"error", "warning", "note"};
  return names[std::size_t(severity)];
}

std::string DiagnosticCode::text() const {
  std::string digits = std::to_string(number);
  return "WNN" + std::string(4 - std::min<std::size_t>(4, digits.size()), '0') + digits;
}

const DiagnosticCode& row(Code code) { return rows[std::size_t(code)]; }

std::span<const DiagnosticCode> diagnostic_table() { return rows; }

std::optional<Code> find_diagnostic_code(std::string_view text) {
  for (std::string_view prefix : {"WNN", "wnn"})
    if (text.starts_with(prefix)) text.remove_prefix(prefix.size());
  unsigned number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  for (std::size_t i = 0; i < std::size(rows); ++i)
    if (rows[i].number == number) return Code(i);
  return std::nullopt;
}

ExitCode exit_code_of(const Diagnostics& diagnostics) {
  const auto only = [&](Code code) {
    return std::ranges::all_of(diagnostics.all(), [&](const Diagnostic& diagnostic) {
      return diagnostic.severity != Severity::error || diagnostic.code == code;
    });
  };
  if (!diagnostics.has_errors()) return ExitCode::success;
  if (std::ranges::find(diagnostics.all(), Code::bad_pass_result, &Diagnostic::code) != diagnostics.all().end())
    return ExitCode::internal;
  if (only(Code::limit_exceeded)) return ExitCode::resource;
  if (only(Code::unbound_dimension)) return ExitCode::usage;  // the file is well
  if (only(Code::no_kernel) || only(Code::other_provider) || only(Code::tuning_machine) || only(Code::browser_refuses))
    return ExitCode::unsupported;
  for (const Code code : {Code::program_cut_off, Code::program_damaged, Code::program_structure, Code::program_unsafe,
                          Code::program_constant})
    if (only(code)) return ExitCode::program;
  for (const Code code : elsewhere)
    if (only(code)) return ExitCode::program;
  return ExitCode::invalid_input;
}

bool is_for_elsewhere(Code code) { return std::ranges::find(elsewhere, code) != std::end(elsewhere); }

Diagnostic& Diagnostics::add(Diagnostic diagnostic) {
  if (diagnostic.severity == Severity::error) ++error_count_;
  return all_.emplace_back(std::move(diagnostic));
}

Diagnostic& Diagnostics::add(Severity severity, Code code, Location location, std::string message) {
  return add({code, severity, std::move(location), std::move(message), {}});
}

std::string_view Diagnostics::source(std::string_view file) const {
  const auto found = sources_.find(file);
  return found == sources_.end() ? std::string_view() : found->second;
}

std::string_view nearest(std::string_view word, const std::vector<std::string_view>& candidates) {
  if (word.size() > longest_compared_word) return {};
  std::size_t least = div_up(word.size(), 3) + 1;  // one more than any accepted distance
  std::string_view found;
  for (std::string_view candidate : candidates) {
    const std::size_t difference = std::max(word.size(), candidate.size()) - std::min(word.size(), candidate.size());
    if (difference >= least) continue;
    const std::size_t distance = edit_distance(word, candidate);
    if (distance >= least) continue;
    least = distance;
    found = candidate;
  }
  return found;
}

std::string nearest_or_all(std::string_view word, const std::vector<std::string_view>& candidates) {
  if (const std::string_view near = nearest(word, candidates); !near.empty())
    return "did you mean " + in_quotes(near) + "?";
  std::string text = "known:";
  for (const std::string_view name : candidates) text += " " + std::string(name);
  return text;
}

}  // namespace webnn::schema
