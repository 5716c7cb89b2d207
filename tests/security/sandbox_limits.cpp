// Ways around the limits of --sandbox, from within and by the files that it is given: memory that the system's limit does
// not count, time in which its supervisor waits, a message on a socket that takes the number of its channel.
#include <cerrno>
#include <chrono>
#include <cstring>
#include <doctest/doctest.h>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/cli/command_line.hpp"
#include "tests/harness/paths.hpp"
#include "tests/harness/skip.hpp"
#include "tests/security/sandboxed.hpp"

namespace webnn::tests::sandbox_limits_test {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t mebi = std::size_t{1} << 20, gibi = mebi << 10;

/// Room for 256 MiB beside what this process has, which the one in the sandbox inherits.
cli::SandboxLimits little() {
  std::uint64_t pages = 0;
  std::ifstream sizes("/proc/self/statm");
  for (int column = 0; column < 6; ++column) sizes >> pages;
  return {.memory_bytes = pages * std::uint64_t(sysconf(_SC_PAGESIZE)) + 256 * mebi};
}

void* mapped(std::size_t bytes, int protection, int file = -1) {
  const int kind = file < 0 ? MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE : MAP_PRIVATE;
  return mmap(nullptr, bytes, protection, kind, file, 0);
}

std::string program() { return "timeout 20 " + program_words("webnn-cli"); }
std::string digits() { return shell_word(source_dir() / "models/digits/digits.json"); }
std::string image() { return shell_word(source_dir() / "models/digits/digits.input.image.npy"); }

}  // namespace

TEST_CASE("sandbox: nothing is written for a process where it may not write itself") {
  if (const std::string why = no_sandbox(); !why.empty()) return skip(why);
  CHECK(with_grants({}, [] {
          auto* const status = static_cast<struct stat*>(mapped(mebi, PROT_READ));
          return stat("/dev/stdin", status) == -1 && errno == EFAULT ? 0 : 1;
        }) == 0);
}

TEST_CASE("sandbox: memory counts when it cannot be written any more") {
  if (const std::string why = no_sandbox(); !why.empty()) return skip(why);
  const cli::SandboxLimits limits = little();
  const auto fills = [&] {
    for (std::size_t bytes = 0; bytes < limits.memory_bytes * 3 / 2; bytes += 16 * mebi) {
      void* const part = mapped(16 * mebi, PROT_READ | PROT_WRITE);
      if (part == MAP_FAILED) return 2;
      std::memset(part, 1, 16 * mebi);
      if (mprotect(part, 16 * mebi, PROT_READ) != 0) return 3;
    }
    sleep(1);
    return 0;
  };
  CHECK_THROWS_WITH_AS(with_grants({}, fills, limits),
                       "the sandboxed process was ended because it took too much memory", schema::Error);
}

TEST_CASE("sandbox: addresses have a limit, which files may exceed") {
  if (const std::string why = no_sandbox(); !why.empty()) return skip(why);
  const ScratchFolder scratch;
  const fs::path file = scratch.path() / "weights";
  write_file(file, "");
  fs::resize_file(file, 32 * gibi);  // a hole
  CHECK(with_grants(
            {{cli::FileUse::reads, file.string()}},
            [&] {
              if (mapped(256 * gibi, PROT_READ) != MAP_FAILED) return 1;
              if (mapped(gibi, PROT_READ) == MAP_FAILED) return 2;
              const int opened = open(file.c_str(), O_RDONLY);
              for (int i = 0; i < 4; ++i)
                if (mapped(32 * gibi, PROT_READ, opened) == MAP_FAILED) return 3;
              return 0;
            },
            little()) == 0);
}

TEST_CASE("sandbox: it has as many threads as fit into its memory") {
  if (const std::string why = no_sandbox(); !why.empty()) return skip(why);
  const cli::SandboxLimits limits = little();
  const auto most = int(limits.memory_bytes >> 18);  // one for each 256 KiB
  const auto threads = [&] {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, std::size_t(PTHREAD_STACK_MIN));
    int count = 1;
    for (pthread_t thread; count < most + 100; ++count)
      if (pthread_create(
              &thread, &attributes, [](void*) -> void* { return reinterpret_cast<void*>(sleep(60)); }, nullptr) != 0)
        break;
    return count == most ? 0 : 1;
  };
  CHECK(with_grants({}, threads, limits) == 0);
}

TEST_CASE("sandbox: no message leaves it, whatever socket it was given") {
  if (const std::string why = no_sandbox(); !why.empty()) return skip(why);
  const int input = dup(STDIN_FILENO);
  int ends[2];
  REQUIRE(socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) == 0);
  dup2(ends[0], STDIN_FILENO);
  const int code = with_grants({}, [] {
    char letter = 'x';
    iovec bytes{&letter, 1};
    msghdr message{};
    message.msg_iov = &bytes;
    message.msg_iovlen = 1;
    for (int i = 0; i < 200; ++i)  // the channel's old number is among them
      if (const int number = dup(STDIN_FILENO); number < 0 || sendmsg(number, &message, 0) >= 0 || errno != EPERM)
        return 1;
    return 0;
  });
  dup2(input, STDIN_FILENO);
  for (const int file : {input, ends[0], ends[1]}) close(file);
  CHECK(code == 0);
}

TEST_CASE("sandbox: no folder is standard input or output or error in it") {
  if (const std::string why = no_sandbox(); !why.empty()) return skip(why);
  for (const char* const standard : {"0", "1", "2"}) {
    CAPTURE(standard);
    CHECK(run_shell("(" + program() + " run " + digits() + " --fill ones --sandbox " + standard + "< /etc)").status ==
          2);
  }
}

TEST_CASE("sandbox: its time includes waiting for the other end of a pipe") {
  if (const std::string why = no_sandbox(); !why.empty()) return skip(why);
  const ScratchFolder scratch;
  const std::string pipe = shell_word(scratch.path() / "pipe"), run = program() + " run " + digits() + " --sandbox ";
  REQUIRE(mkfifo((scratch.path() / "pipe").c_str(), 0600) == 0);
  for (const std::string& command :
       {run + "--input image=@" + pipe + " --sandbox-time 200ms",
        program() + " compile " + digits() + " --force -o " + pipe + " --sandbox --sandbox-time 200ms"}) {
    CAPTURE(command);
    const ShellResult result = run_shell(command);
    CHECK(result.status == 7);
    CHECK(contains(result.output, "the sandboxed process was ended after 200 ms"));
  }
  // Pipes whose other end comes, and one that is standard input and is not read.
  CHECK(run_shell("(sleep 0.2; cat " + image() + " > " + pipe + ") & " + run + "--input image=@" + pipe).status == 0);
  CHECK(run_shell("bash -c " + shell_word(run + "--input image=@<(cat " + image() + ")")).status == 0);
  CHECK(run_shell("bash -c " + shell_word(run + "--input image=@<(true)")).status != 7);
  const ShellResult read = run_shell("(sleep 0.2; wc -c < " + pipe + ") & " + program() + " compile " + digits() +
                                     " --force -o " + pipe + " --sandbox 2> /dev/null; wait");
  CHECK(read.status == 0);
  CHECK(std::stoul(read.output) > 1000);
  CHECK(run_shell("sleep 0.1 > " + pipe + " & (sleep 0.3; " + run + "--fill ones) < " + pipe).status == 0);
}

}  // namespace webnn::tests::sandbox_limits_test
