// Ways around what --sandbox promises, from within and by the files that it is given: time in which its supervisor waits, a
// message on a socket that takes the number of its channel.
#include <cerrno>
#include <doctest/doctest.h>
#include <filesystem>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/cli/command_line.hpp"
#include "tests/harness/paths.hpp"
#include "tests/harness/skip.hpp"
#include "tests/security/sandboxed.hpp"

namespace webnn::tests::sandbox_limits_test {
namespace {

std::string program() { return "timeout 20 " + program_words("webnn-cli"); }
std::string digits() { return shell_word(source_dir() / "models/digits/digits.json"); }
std::string image() { return shell_word(source_dir() / "models/digits/digits.input.image.npy"); }

}  // namespace

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
