// The program webnn-cli.
#include <csignal>
#include <iostream>
#include <unistd.h>

#include "cli/command.hpp"

int main(int argc, char** argv) {
  // A closed pipe is an error of a write, which is reported, not a silent death.
  std::signal(SIGPIPE, SIG_IGN);
  std::ios::sync_with_stdio(false);
  webnn::cli::Console console{std::cout, std::cerr, isatty(STDOUT_FILENO) != 0, isatty(STDERR_FILENO) != 0};
  return webnn::cli::run_command_line({argv + 1, argv + argc}, console);
}
