// Misspelt words of the command line: one wrong letter anywhere in a command or a flag is understood.
#include <algorithm>
#include <doctest/doctest.h>
#include <regex>
#include <set>

#include "tests/cli/command_line.hpp"
#include "tests/harness/machine/sanitizers.hpp"

namespace webnn::tests::suggestions_test {
namespace {

/// The long flags that `webnn-cli COMMAND --help` shows.
std::set<std::string> flags_of(const std::string& command) {
  const std::string help = webnn_cli({command, "--help"}).out;
  const std::string options = help.substr(help.find("\nOptions:"));
  std::set<std::string> flags;
  const std::regex flag("(^|[ ,])(--[a-z][a-z-]+)");
  for (std::sregex_iterator at(options.begin(), options.end(), flag), end; at != end; ++at) flags.insert((*at)[2]);
  return flags;
}

/// `word` with a letter left out, doubled, replaced, and two neighbours swapped, at each place from `first` on.
std::vector<std::string> misspellings(const std::string& word, std::size_t first) {
  std::vector<std::string> result;
  for (std::size_t i = first; i < word.size(); ++i) {
    std::string shorter = word, longer = word, other = word, swapped = word;
    shorter.erase(i, 1);
    longer.insert(i, 1, word[i]);
    other[i] = 'x';
    result.insert(result.end(), {shorter, longer, other});
    if (i + 1 < word.size()) {
      std::swap(swapped[i], swapped[i + 1]);
      result.push_back(swapped);
    }
  }
  return result;
}

/// The word that the program proposes; empty when it proposes none.
std::string proposal(const CommandResult& result) {
  const std::string start = "did you mean '";
  const std::size_t at = result.err.find(start);
  if (at == std::string::npos) return {};
  const std::size_t begin = at + start.size();
  return result.err.substr(begin, result.err.find('\'', begin) - begin);
}

/// Whether one letter more, less or different, or two swapped, is all that tells the words apart. Several flags may be
/// that near to a misspelt one, and then each of them is a good proposal.
bool is_one_letter_from(std::string_view a, std::string_view b) {
  while (!a.empty() && !b.empty() && a.front() == b.front()) a.remove_prefix(1), b.remove_prefix(1);
  while (!a.empty() && !b.empty() && a.back() == b.back()) a.remove_suffix(1), b.remove_suffix(1);
  const bool swapped = a.size() == 2 && b.size() == 2 && a[0] == b[1] && a[1] == b[0];
  return (a.size() <= 1 && b.size() <= 1) || swapped;
}

TEST_CASE("cli suggestions: every flag of every command, with one letter wrong") {
  const std::size_t every = under_sanitizer ? 8 : 1;  // there each takes ten times as long
  std::size_t word = 0;
  for (const cli::Command& command : cli::commands()) {
    const std::string name(command.name);
    const std::set<std::string> flags = flags_of(name);
    CAPTURE(name);
    CHECK(flags.contains("--timeout"));
    for (const std::string& flag : flags)
      for (const std::string& misspelt : misspellings(flag, 2)) {
        if (word++ % every != 0 || flags.contains(misspelt)) continue;
        CAPTURE(misspelt);
        const CommandResult result = webnn_cli({name, "some.json", misspelt});
        CHECK(result.code == 2);
        CHECK(flags.contains(proposal(result)));
        CHECK(is_one_letter_from(proposal(result), misspelt));
      }
  }
}

TEST_CASE("cli suggestions: every command, with one letter wrong") {
  std::set<std::string> names;
  for (const cli::Command& command : cli::commands()) names.emplace(command.name);
  for (const std::string& name : names)
    for (const std::string& misspelt : misspellings(name, 0)) {
      if (names.contains(misspelt)) continue;
      CAPTURE(misspelt);
      const CommandResult result = webnn_cli({misspelt, "some.json"});
      CHECK(result.code == 2);
      CHECK(contains(result.err, "unknown command '" + misspelt + "'"));
      CHECK(proposal(result) == name);
    }
}

TEST_CASE("cli suggestions: with a value, with one dash, and nothing for what is like nothing") {
  CHECK(proposal(webnn_cli({"run", "x.json", "--imput=x=ones"})) == "--input");
  CHECK(proposal(webnn_cli({"--versoin"})) == "--version");
  CHECK(proposal(webnn_cli({"run", "x.json", "--zzzzzz"})).empty());
  CHECK(proposal(webnn_cli({"zzzzzz"})).empty());
}

}  // namespace
}  // namespace webnn::tests::suggestions_test
