#include "tests/harness/machine/browser.hpp"

#include <doctest/doctest.h>

#include "tests/harness/machine/machine.hpp"
#include "tests/harness/machine/shell.hpp"
#include "tests/harness/paths.hpp"
#include "tests/harness/skip.hpp"

namespace webnn::tests {

std::optional<std::string> rendered_page(const std::filesystem::path& page) {
  if (!has_program("chromium")) return std::nullopt;
  const ScratchFolder profile;
  return run_shell(
             "timeout 60 chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run "
             "--host-resolver-rules='MAP * ~NOTFOUND' --user-data-dir=" +
             shell_word(profile.path()) + " --virtual-time-budget=3000 --dump-dom file://" +
             shell_word(std::filesystem::absolute(page)))
      .output;
}

std::optional<std::string> page_without_errors(const std::filesystem::path& page) {
  auto document = rendered_page(page);
  if (!document) {
    skip_part("the page in a browser", "chromium is not installed");
    return document;
  }
  CHECK(document->find("data-ready=\"yes\"") != std::string::npos);
  CHECK(document->find("class=\"error\"") == std::string::npos);
  return document;
}

}  // namespace webnn::tests
