// The output of a command: data on `out`, everything else on `err`.
#pragma once

#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "schema/diagnostics.hpp"

namespace webnn::cli {

/// The error that ended a command, in addition to the diagnostics of a graph file.
struct ErrorMessage {
  std::string message;
  std::vector<std::string> hints;
};

/// A warning or note that does not end the command.
struct Remark {
  schema::Severity severity;
  std::string message;
};

/// The messages of a command that are printed at its end.
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
  /// With --output-format json, messages are collected here and printed as one object (messages.hpp); otherwise they
  /// are printed at once, as text.
  std::optional<Messages> messages{};
  /// Whether `out` is no longer read, as behind `| head`; null: never.
  bool (*reader_is_gone)() = nullptr;
  bool is_verbose = false;           // --verbose
  bool has_colors = false;           // for what is written to `err`, --color
  std::set<std::string> remarked{};  // remarks that have been printed, to print each only once
};

}  // namespace webnn::cli
