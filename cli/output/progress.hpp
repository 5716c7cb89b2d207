// A progress bar on standard error, for work that takes longer than half a second.
#pragma once

#include <chrono>
#include <string>

#include "cli/options/option_list.hpp"
#include "cli/output/console.hpp"

namespace webnn::cli {

/// --progress auto|always|never
void add_progress_option(OptionList& list, std::string& when);

/// Redraws itself in one line, at most ten times a second, and disappears when it is destroyed. With `when` "auto" it
/// is shown only on a terminal and not together with JSON messages.
class Progress {
 public:
  Progress(Console& console, const std::string& when, std::string title);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// `done` is from 0 to 1.
  void show(double done);
  /// Makes room for a line of text; the next `show` draws it again.
  void hide();

 private:
  using Clock = std::chrono::steady_clock;
  Console& console_;
  bool enabled_;
  std::string title_;
  Clock::time_point start_ = Clock::now(), last_{};
  bool drawn_ = false;
};

}  // namespace webnn::cli
