#include "cli/output/progress.hpp"

#include <algorithm>
#include <cstdio>

namespace webnn::cli {

using namespace std::chrono_literals;

void add_progress_option(OptionList& list, std::string& when) {
  list.add("--progress", when, "a bar on standard error: auto (on a terminal), always or never")
      .one_of({"auto", "always", "never"})
      .shows_default();
}

Progress::Progress(Console& console, const std::string& when, std::string title)
    : console_(console),
      enabled_(when == "always" || (when == "auto" && console.err_is_terminal && !console.messages)),
      title_(std::move(title)) {}

Progress::~Progress() { hide(); }

void Progress::hide() {
  if (drawn_) console_.err << "\r\033[K" << std::flush;
  drawn_ = false;
}

void Progress::show(double done) {
  if (!enabled_) return;
  const Clock::time_point now = Clock::now();
  if (now - start_ < 500ms || (drawn_ && now - last_ < 100ms)) return;
  constexpr int width = 30;
  const int filled = std::clamp(int(done * width), 0, width);
  char text[32];
  std::snprintf(text, sizeof text, " %3.0f %%", std::clamp(done, 0.0, 1.0) * 100);
  console_.err << "\r\033[K" << title_ << " [" << std::string(std::size_t(filled), '#')
               << std::string(std::size_t(width - filled), '.') << "]" << text << std::flush;
  last_ = now;
  drawn_ = true;
}

}  // namespace webnn::cli
