// The program webnn-cli.
#include <csignal>
#include <fcntl.h>
#include <iostream>
#include <malloc.h>
#include <poll.h>
#include <unistd.h>

#include "cli/command.hpp"

namespace {

/// Replaces a closed standard stream by a descriptor that fails: otherwise the next file to be opened would get its
/// number, and output would end up in it.
void occupy_closed_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(stream, F_GETFD) == -1) open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

/// A reader that closes a pipe has read enough; that is no error.
bool reader_is_gone() {
  pollfd out{STDOUT_FILENO, 0, 0};
  return poll(&out, 1, 0) == 1 && (out.revents & POLLERR) != 0;
}

/// What one pass of the compiler frees, the next one allocates again: giving it back to the system in between costs a
/// fifth of the time that graphs of many nodes take. Blocks of weights are given back as before.
void keep_freed_memory() {
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
}

}  // namespace

int main(int argc, char** argv) {
  occupy_closed_streams();
  // A command does all its work, including files, even if its output is no longer read.
  std::signal(SIGPIPE, SIG_IGN);
  // A file that may not grow further (RLIMIT_FSIZE) is an error of writing it.
  std::signal(SIGXFSZ, SIG_IGN);
  keep_freed_memory();
  std::ios::sync_with_stdio(false);
  webnn::cli::Console console{std::cout, std::cerr,     isatty(STDOUT_FILENO) != 0, isatty(STDERR_FILENO) != 0,
                              {},        reader_is_gone};
  return webnn::cli::run_command_line({argv + 1, argv + argc}, console);
}
