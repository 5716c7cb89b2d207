// Where a command writes: data on `out`, everything else on `err`.
#pragma once

#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "schema/diagnostics.hpp"

namespace webnn::cli {

/// What stopped a command, beside the diagnostics of a graph file.
struct ErrorMessage {
  std::string message;
  std::vector<std::string> hints;
};

/// What a command says beside its results while it goes on: a warning or a note.
struct Remark {
  schema::Severity severity;
  std::string message;
};

/// What a command has to say when it does so once, at its end.
struct Messages {
  std::vector<ErrorMessage> errors;
  std::vector<Remark> remarks;
  schema::Diagnostics diagnostics;
};

struct Console {
  std::ostream& out;
  std::ostream& err;
  bool out_is_terminal = false;
  bool err_is_terminal = false;
  /// With --output-format json, messages are collected here (report.hpp) and printed as one object; else they are
  /// printed as text at once.
  std::optional<Messages> messages{};
  /// Whether nobody reads `out` any more, as behind `| head`; null: that cannot be.
  bool (*reader_is_gone)() = nullptr;
  bool is_verbose = false;           // --verbose
  bool has_colors = false;           // of what goes to `err`, --color
  std::set<std::string> remarked{};  // what is said once was said
};

}  // namespace webnn::cli
