#include "tests/harness/browser.hpp"

#include "tests/harness/paths.hpp"
#include "tests/harness/shell.hpp"

namespace webnn::tests {

std::optional<std::string> rendered_page(const std::filesystem::path& page) {
  if (run_shell("command -v chromium").status != 0) return std::nullopt;
  const ScratchFolder profile;
  return run_shell(
             "timeout 60 chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run "
             "--host-resolver-rules='MAP * ~NOTFOUND' --user-data-dir=" +
             shell_word(profile.path()) + " --virtual-time-budget=3000 --dump-dom file://" +
             shell_word(std::filesystem::absolute(page)))
      .output;
}

}  // namespace webnn::tests
