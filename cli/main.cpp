// The program webnn-cli.
#include <csignal>
#include <cstdlib>
#include <exception>
#include <fcntl.h>
#include <iostream>
#include <malloc.h>
#include <new>
#include <poll.h>
#include <string_view>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cli/command.hpp"
#include "cli/options/command_tree.hpp"
#include "schema/error.hpp"

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

constexpr std::size_t room_of_stack = std::size_t{1} << 20, page = 4096;

[[gnu::noinline]] void touch_stack() {
  char pages[room_of_stack];
  for (std::size_t i = room_of_stack; i != 0; i -= page) *const_cast<volatile char*>(&pages[i - 1]) = 0;
}

/// Where the address space is limited, this thread's stack could not grow any more when it has to, which ends the process
/// without a word: its pages are taken now. False: there is no room for them.
bool reserve_stack() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return true;
  constexpr std::size_t with_frames = room_of_stack + 16 * page;
  void* const probe = mmap(nullptr, with_frames, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (probe == MAP_FAILED) return false;
  munmap(probe, with_frames);
  touch_stack();
  return true;
}

/// Libraries, and destructors while another exception is on its way, cannot pass on that memory ran out.
[[noreturn]] void end_process() {
  try {
    if (const std::exception_ptr error = std::current_exception()) std::rethrow_exception(error);
  } catch (const std::bad_alloc&) {
    constexpr std::string_view text = "webnn-cli: out of memory\n";
    if (write(STDERR_FILENO, text.data(), text.size()) < 0) std::abort();
    _exit(int(webnn::schema::ExitCode::resource));
  } catch (const std::exception& error) {
    std::cerr << webnn::cli::program_name << ": internal error: " << error.what() << "\n";
  } catch (...) {
  }
  std::abort();
}

}  // namespace

int main(int argc, char** argv) {
  std::set_terminate(end_process);
  occupy_closed_streams();
  // A command does all its work, including files, even if its output is no longer read.
  std::signal(SIGPIPE, SIG_IGN);
  // A file that may not grow further (RLIMIT_FSIZE) is an error of writing it.
  std::signal(SIGXFSZ, SIG_IGN);
  keep_freed_memory();
  if (!reserve_stack()) {
    std::cerr << webnn::cli::program_name << ": out of memory\n";
    return int(webnn::schema::ExitCode::resource);
  }
  std::ios::sync_with_stdio(false);
  webnn::cli::Console console{std::cout, std::cerr,     isatty(STDOUT_FILENO) != 0, isatty(STDERR_FILENO) != 0,
                              {},        reader_is_gone};
  return webnn::cli::run_command_line({argv + 1, argv + argc}, console);
}
