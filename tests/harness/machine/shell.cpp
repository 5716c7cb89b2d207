#include "tests/harness/machine/shell.hpp"

#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <sys/wait.h>

#include "tests/harness/paths.hpp"

namespace webnn::tests {

ShellResult run_shell(const std::string& command) {
  FILE* pipe = popen(("{ " + command + "\n} 2>&1").c_str(), "r");
  if (!pipe) throw std::runtime_error("cannot run " + command);
  ShellResult result;
  char part[4096];
  while (const std::size_t count = std::fread(part, 1, sizeof part, pipe)) result.output.append(part, count);
  const int status = pclose(pipe);
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return result;
}

std::string shell_word(const std::filesystem::path& path) {
  std::string word = "'";
  for (const char c : path.string()) word += c == '\'' ? "'\\''" : std::string(1, c);
  return word + "'";
}

bool is_cross_build() { return std::string_view(WEBNN_EMULATOR) != ""; }

std::string program_words(const std::filesystem::path& program) {
  return WEBNN_EMULATOR + shell_word(build_dir() / "bin" / program);
}

}  // namespace webnn::tests
