// Diagnostics: what is wrong with a graph file. They are collected, never thrown, and each has a location.
//
// A reader or pass that finds a mistake adds a Diagnostic and continues; the caller checks `has_errors()`. The command
// line decides how diagnostics are printed.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "schema/error.hpp"

namespace webnn::schema {

enum class Severity : std::uint8_t { error, warning, note };
std::string_view name_of(Severity severity);

/// A row of the table of diagnostics; `explain CODE` prints all of it.
struct DiagnosticCode {
  std::uint16_t number;          // printed as WNN0123
  std::string_view title;        // "unknown operator"
  std::string_view explanation;  // one paragraph: what it means and what to do about it
  std::string text() const;
};

/// Names of diagnostics for the code that reports them; the rows in diagnostics.cpp have this order (a test checks it).
enum class Code : std::uint8_t {
  // the file as text
  not_json,
  bad_format,
  bad_version,
  duplicate_key,
  unknown_member,
  missing_member,
  wrong_json_type,
  bad_utf8,
  nesting_too_deep,
  // names and structure
  empty_name,
  duplicate_name,
  unknown_value,
  unknown_operator,
  unknown_option,
  wrong_operand_count,
  wrong_output_count,
  no_outputs,
  not_topological,
  // descriptors
  unknown_data_type,
  bad_dimension,
  bad_rank,
  tensor_too_large,
  bad_dynamic_dimension,
  unbound_dimension,
  // operator calls
  bad_operand,
  bad_option,
  bad_call,
  // constants and weights
  bad_init,
  wrong_byte_length,
  weights_missing,
  weights_entry_missing,
  bad_manifest,
  weights_out_of_bounds,
  unsafe_path,
  // warnings about what a file says but readers accept
  output_is_input,
  unused_input,
  legacy_spelling,
  rewritten_operator,
  // limits and devices
  limit_exceeded,
  no_kernel,
  // text format and passes
  bad_text,
  bad_pass_result,
  // binary files
  binary_graph_damaged,
  program_cut_off,
  program_damaged,
  program_version,
  program_target,
  program_structure,
  program_unsafe,
  // tuning files
  tuning_machine,
  tuning_kernel,
  // kernels of one provider
  other_provider,
  // program files, again
  program_constant,
  program_format,
  program_device,
  program_fallback,
  program_kernel,
  program_gpu,
  program_as_graph,
  // browsers
  browser_refuses,
};
inline constexpr std::size_t diagnostic_code_count = std::size_t(Code::browser_refuses) + 1;
const DiagnosticCode& row(Code code);
/// All rows, in the order of Code.
std::span<const DiagnosticCode> diagnostic_table();
/// "WNN0123", "wnn0123" or "123".
std::optional<Code> find_diagnostic_code(std::string_view text);

/// A position in a file. Line and column start at 1, columns count bytes, 0 means unknown. `path` is a JSON pointer.
struct Location {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::string path;
};

struct Diagnostic {
  Code code;
  Severity severity = Severity::error;
  Location location;
  std::string message;             // one plain lower-case sentence without a full stop
  std::vector<std::string> hints;  // "did you mean 'conv2d'?"
};

class Diagnostics {
 public:
  Diagnostic& add(Diagnostic diagnostic);
  Diagnostic& add(Severity severity, Code code, Location location, std::string message);
  Diagnostic& error(Code code, Location location, std::string message) {
    return add(Severity::error, code, std::move(location), std::move(message));
  }
  Diagnostic& warning(Code code, Location location, std::string message) {
    return add(Severity::warning, code, std::move(location), std::move(message));
  }
  Diagnostic& note(Code code, Location location, std::string message) {
    return add(Severity::note, code, std::move(location), std::move(message));
  }

  bool has_errors() const { return error_count_ != 0; }
  std::size_t error_count() const { return error_count_; }
  const std::vector<Diagnostic>& all() const { return all_; }

  /// Keeps the text of another file than the graph file, which no caller holds, so that the offending lines can be
  /// shown.
  void keep_source(std::string file, std::string_view text) { sources_.insert_or_assign(std::move(file), text); }
  /// Empty when the file's text was not kept.
  std::string_view source(std::string_view file) const;

 private:
  std::vector<Diagnostic> all_;
  std::map<std::string, std::string, std::less<>> sources_;
  std::size_t error_count_ = 0;
};

/// Whether a program file was rejected because it was made for another device, machine or version. Its graph still runs
/// after it is compiled again.
bool is_for_elsewhere(Code code);

/// The exit code of a command that ends with these diagnostics: `internal` when a pass failed, `resource` when exceeded
/// limits are the only errors, `usage` when sizes of named dimensions are, `unsupported` when kernels are missing, a
/// tuning file is for another machine or a browser refuses the graph, `invalid_input` for any other error, `success`
/// without errors.
ExitCode exit_code_of(const Diagnostics& diagnostics);

/// The candidate closest to `word`, for "did you mean": at an edit distance of at most a third of its length, rounded
/// up. Empty when none is close enough.
std::string_view nearest(std::string_view word, const std::vector<std::string_view>& candidates);
/// A hint: "did you mean 'x'?", or all candidates.
std::string nearest_or_all(std::string_view word, const std::vector<std::string_view>& candidates);

}  // namespace webnn::schema
