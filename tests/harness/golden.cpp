#include "tests/harness/golden.hpp"

#include <doctest/doctest.h>
#include <sstream>

#include "tests/harness/paths.hpp"

namespace webnn::tests {
namespace {

bool bless = false;

/// "line 3: expected '...', got '...'"
std::string first_difference(const std::string& expected, const std::string& actual) {
  std::istringstream a(expected), b(actual);
  std::string line_a, line_b;
  for (int line = 1;; ++line) {
    const bool more_a = bool(std::getline(a, line_a)), more_b = bool(std::getline(b, line_b));
    if (!more_a && !more_b) return "the texts differ in their last line end";
    if (more_a && more_b && line_a == line_b) continue;
    return "line " + std::to_string(line) + ":\n  expected: " + (more_a ? line_a : "(end)") +
           "\n  actual:   " + (more_b ? line_b : "(end)");
  }
}

}  // namespace

bool blessing() { return bless; }
void set_blessing(bool on) { bless = on; }

void check_golden(const std::filesystem::path& path, const std::string& actual) {
  const std::filesystem::path full = source_dir() / path;
  if (bless) {
    write_file(full, actual);
    return;
  }
  if (!std::filesystem::exists(full)) {
    FAIL_CHECK("golden file " << path.string() << " is missing; `webnn-tests --bless` writes it. The text is:\n"
                              << actual);
    return;
  }
  const std::string expected = read_file(full);
  const bool same = expected == actual;
  CHECK_MESSAGE(same, path.string(), " differs (renew with --bless), ", first_difference(expected, actual));
}

}  // namespace webnn::tests
