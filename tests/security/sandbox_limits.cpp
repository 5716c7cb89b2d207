// Ways around what --sandbox promises, from within and by the files that it is given: a message on a socket that takes the
// number of its channel.
#include <cerrno>
#include <doctest/doctest.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/harness/skip.hpp"
#include "tests/security/sandboxed.hpp"

namespace webnn::tests::sandbox_limits_test {

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

}  // namespace webnn::tests::sandbox_limits_test
