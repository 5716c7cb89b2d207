// The picture of a program's arena.
#include "cli/inspect/arena_plan.hpp"

#include <algorithm>
#include <doctest/doctest.h>

namespace arena_plan_test {

using namespace webnn::cli;

TEST_CASE("arena plan: bytes downwards, steps to the right, the letter of what takes most of a place") {
  const std::vector<ArenaUse> uses{{"x", 0, 64, 0, 1}, {"y", 64, 128, 1, 3}, {"z", 0, 32, 3, 3}};
  CHECK(arena_picture(uses, 192, 5) ==
        "    0  aa.c.\n"
        "   64  .bbb.\n"
        "  128  .bbb.\n");
  CHECK(arena_picture({}, 0, 5).empty());
}

TEST_CASE("arena plan: a large program is shown in at most 16 lines of 72 characters") {
  std::vector<ArenaUse> uses;
  for (std::size_t i = 0; i < 100; ++i) uses.push_back({"value", i * 1000, 1000, i * 10, i * 10 + 9});
  const std::string picture = arena_picture(uses, 100'000, 1000);
  std::size_t lines = 0;
  for (std::size_t begin = 0; begin < picture.size(); ++lines) {
    const std::size_t end = picture.find('\n', begin);
    CHECK(end - begin <= 10 + 72);
    begin = end + 1;
  }
  CHECK(lines <= 16);
  const std::string small = arena_picture({}, 1025, 3);
  CHECK(std::ranges::count(small, '\n') <= 16);
  CHECK(picture.find("a") != std::string::npos);
  CHECK(picture.find("#") != std::string::npos);
}

}  // namespace arena_plan_test
