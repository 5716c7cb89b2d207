// Commands that are killed, interrupted or refused by the disk at each of their calls that change files: every file is
// whole or absent, and what was there before is still there.
#include <algorithm>
#include <cerrno>
#include <doctest/doctest.h>
#include <map>

#include "schema/file/keyed_hash.hpp"
#include "tests/cli/command_line.hpp"
#include "tests/faults/faulty_program.hpp"
#include "tests/harness/paths.hpp"
#include "tests/harness/skip.hpp"

namespace webnn::tests::writes_test {
namespace {

namespace fs = std::filesystem;

constexpr int most_calls = 400;  // of a command; more would be a loop
const std::string old_content = "what was there before";

using Files = std::map<std::string, std::string>;

/// A folder with an old file, and for `cache clean` a cache that holds something. Its secret is the same in each run, and
/// so are the names of what it keeps.
void prepare(const fs::path& folder) {
  fs::remove_all(folder);
  fs::create_directories(folder / "cache/webnn-cli");
  write_file(folder / "old.wnnc", old_content);
  write_file(folder / "cache/webnn-cli/0123456789abcdef0123456789abcdef.wnnc", "no program");
  write_file(folder / "cache/webnn-cli/secret", std::string(schema::HashKey::bytes, 's'));
  fs::permissions(folder / "cache/webnn-cli", fs::perms::owner_all);
  fs::permissions(folder / "cache/webnn-cli/secret", fs::perms::owner_read | fs::perms::owner_write);
}

Files files_after(const fs::path& folder) {
  Files files;
  for (auto& [name, content] : files_in(folder))
    if (!name.ends_with("/lock")) files.emplace(std::move(name), std::move(content));
  return files;
}

/// Whether text that ends in the middle would be noticed: by its last line.
bool has_its_end(const std::string& name, const std::string& content) {
  const auto ends = [&](std::string_view kind, std::string_view end) {
    return name.ends_with(kind) && content.ends_with(end);
  };
  return ends(".json", "}\n") || ends(".html", "</html>\n") || ends(".xml", "</testsuites>\n") || ends(".npy", "") ||
         ends(".pftrace", "") || ends(".txt", "\n");
}

/// The files that are neither as before nor as after a run without faults.
std::string half_written(const WritingCommand& command, const Files& before, const Files& whole, const Files& found) {
  std::string names;
  for (const auto& [name, content] : found) {
    std::string named = name;  // a file is finished before it takes the place of another under its name
    if (const std::size_t at = named.find(".tmp"); at != named.npos) named.resize(at);
    const auto old = before.find(named), fresh = whole.find(named);
    const bool is_old = old != before.end() && old->second == content;
    const bool is_new =
        fresh != whole.end() && (command.is_repeatable ? fresh->second == content : has_its_end(named, content));
    const bool is_left_over = named != name && command.name != "compile over a file";
    if ((!is_old && !is_new) || is_left_over) names += name + " ";
  }
  for (const auto& [name, content] : before)
    if (!found.contains(name) && whole.contains(name)) names += "lost " + name + " ";
  return names;
}

/// Lets call after call of a command meet the fault, until there are no more; `check` sees each result.
template <typename Check>
int at_every_call(const WritingCommand& command, const std::string& action, int step, Check check) {
  const ScratchFolder scratch;
  const fs::path folder = scratch.path() / "out";
  prepare(folder);
  const Files before = files_after(folder);
  const ShellResult usual = run_with_fault(command, folder, "");
  CHECK_MESSAGE(usual.status == 0, usual.output);
  const Files whole = files_after(folder);
  int number = 1;
  for (; number <= most_calls; number += step) {
    prepare(folder);
    const ShellResult result = run_with_fault(command, folder, "files:" + std::to_string(number) + ":" + action);
    CAPTURE(number);
    CHECK(half_written(command, before, whole, files_after(folder)) == "");
    if (!check(result)) break;
  }
  CHECK(number <= most_calls);
  return number - 1;
}

}  // namespace

TEST_CASE("faults: a command that is killed at any call leaves whole files only") {
  if (const std::string why = no_faults(); !why.empty()) return skip(why);
  for (const WritingCommand& command : writing_commands()) {
    CAPTURE(command.name);
    CHECK(at_every_call(command, "kill", 1, [](const ShellResult& result) {
            if (result.status == 0) return false;
            CHECK(result.status == 137);
            return true;
          }) > 0);
  }
}

TEST_CASE("faults: a full disk is exit code 6, one sentence, and no file") {
  if (const std::string why = no_faults(); !why.empty()) return skip(why);
  for (const WritingCommand& command : writing_commands()) {
    CAPTURE(command.name);
    const bool may_fail = command.name.find("cache") == std::string::npos;  // a cache that is not kept is no error
    int refused = 0, successes = 0;
    at_every_call(command, std::to_string(ENOSPC), 3, [&](const ShellResult& result) {
      if (result.status == 0) return ++successes < 6;  // a cache that cannot be kept is no error
      CHECK(result.status == 6);
      CHECK((contains(result.output, "No space left on device") ||
             contains(result.output, "cannot write to standard output")));
      CHECK(std::ranges::count(result.output, '\n') <= 3);
      ++refused;
      return true;
    });
    CHECK((refused > 0 || !may_fail));
  }
}

TEST_CASE("faults: a write that is cut short is continued") {
  if (const std::string why = no_faults(); !why.empty()) return skip(why);
  for (const WritingCommand& command : writing_commands()) {
    CAPTURE(command.name);
    int count = 0;
    at_every_call(command, "half", 3, [&](const ShellResult& result) {
      CHECK(result.status == 0);
      return ++count < 2;
    });
  }
}

TEST_CASE("faults: SIGINT and SIGTERM in the middle of a command are 130 and 143, and leave whole files only") {
  if (const std::string why = no_faults(); !why.empty()) return skip(why);
  for (const WritingCommand& command : writing_commands()) {
    CAPTURE(command.name);
    for (const auto& [action, status] : {std::pair{"interrupt", 130}, {"terminate", 143}}) {
      int count = 0;
      at_every_call(command, action, 3, [&, expected = status](const ShellResult& result) {
        if (result.status == 0) return false;
        CHECK(result.status == expected);
        return ++count < 2;
      });
      CHECK(count > 0);
    }
  }
}

}  // namespace webnn::tests::writes_test
