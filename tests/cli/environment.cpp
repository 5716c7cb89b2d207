// Variables of the environment that stand for options, colours, and --verbose.
#include <algorithm>
#include <cstdlib>
#include <doctest/doctest.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "cli/options/command_tree.hpp"
#include "tests/cli/command_line.hpp"
#include "tests/harness/paths.hpp"

namespace webnn::tests::environment_test {
namespace {

const std::string digits = (source_dir() / "models/digits/digits.json").string();

/// A variable of this process, for as long as the object lives.
class Variable {
 public:
  Variable(std::string name, const std::string& value) : name_(std::move(name)) {
    if (const char* before = std::getenv(name_.c_str())) before_ = before;
    setenv(name_.c_str(), value.c_str(), 1);
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  ~Variable() { before_ ? setenv(name_.c_str(), before_->c_str(), 1) : unsetenv(name_.c_str()); }

 private:
  std::string name_;
  std::optional<std::string> before_;
};

CommandResult on_terminal(const std::vector<std::string>& arguments) {
  std::ostringstream out, err;
  cli::Console console{out, err};
  console.err_is_terminal = true;
  const int code = cli::run_command_line(arguments, console);
  return {code, out.str(), err.str()};
}

constexpr const char* escape = "\x1b[";

TEST_CASE("cli environment: every option has a variable, which its page names") {
  for (const cli::CommandFacts& command : cli::command_facts()) {
    if (command.name.empty()) continue;
    const std::string page = webnn_cli({"man", command.name}).out;
    for (const cli::OptionFacts& option : command.options) {
      if (option.is_positional || option.names[0] == "--help") continue;
      CAPTURE(option.names[0]);
      std::string variable = "WEBNN_CLI_" + option.names[0].substr(option.names[0].find_first_not_of('-'));
      std::ranges::transform(variable, variable.begin(), [](char c) {
        return c == '-' ? '_' : c >= 'a' && c <= 'z' ? char(c - 'a' + 'A') : c;
      });
      CHECK(option.environment == variable);
      CHECK(contains(page, option.environment));
    }
  }
  CHECK(contains(webnn_cli({"--help"}).out, "WEBNN_CLI_MAX_MEMORY"));
}

TEST_CASE("cli environment: a variable says what its option says, and the option wins") {
  const std::string usual = webnn_cli({"run", digits, "--fill", "ones"}).out;
  const std::string two = webnn_cli({"run", digits, "--fill", "ones", "--top", "2"}).out;
  REQUIRE(two != usual);
  {
    const Variable top("WEBNN_CLI_TOP", "2"), fill("WEBNN_CLI_FILL", "ones");
    CHECK(webnn_cli({"run", digits}).out == two);
    CHECK(webnn_cli({"run", digits, "--top", "1"}).out != two);
    CHECK(webnn_cli({"run", digits, "--top", "1"}).code == 0);
  }
  {
    const Variable format("WEBNN_CLI_FORMAT", "text"), emit("WEBNN_CLI_EMIT", "dot");
    const CommandResult refused = webnn_cli({"run", digits, "--fill", "ones"});
    CHECK(refused.code == 3);
    CHECK(contains(refused.err, "is not a valid graph when it is read as 'text': 1 error"));
    CHECK(contains(refused.err, "hint: 'text' comes from the environment's WEBNN_CLI_FORMAT"));
    CHECK(webnn_cli({"run", digits, "--fill", "ones", "--format", "json"}).out == usual);
    CHECK(webnn_cli({"compile", digits, "--format", "json"}).out.starts_with("digraph"));
  }
  const Variable quiet("WEBNN_CLI_QUIET", "true");
  CHECK(webnn_cli({"run", digits, "--fill", "ones"}).out.empty());
  const Variable off("WEBNN_CLI_QUIET", "false");
  CHECK(webnn_cli({"run", digits, "--fill", "ones"}).out == usual);
}

TEST_CASE("cli environment: a wrong value is a usage error that names the variable") {
  for (const cli::CommandFacts& command : cli::command_facts())
    for (const cli::OptionFacts& option : command.options) {
      if (option.environment.empty() || (option.takes_value && option.words.empty())) continue;
      std::vector<std::string> arguments{command.name};
      for (const cli::OptionFacts& other : command.options)
        if (other.is_positional) arguments.push_back(other.words.empty() ? "some.json" : other.words[0]);
      const Variable wrong(option.environment, "no-such-word");
      const CommandResult result = webnn_cli(arguments);
      CAPTURE(command.name);
      CAPTURE(result.err);
      CHECK(result.code == 2);
      CHECK(contains(result.err, option.environment + " 'no-such-word'"));
    }
  for (const auto& [variable, value] : {std::pair{"WEBNN_CLI_THREADS", "many"},
                                        {"WEBNN_CLI_MAX_MEMORY", "3Q"},
                                        {"WEBNN_CLI_DEVICE", "abacus"},
                                        {"WEBNN_CLI_TIMEOUT", "soon"},
                                        {"WEBNN_CLI_ISA", "sse9"}}) {
    const Variable wrong(variable, value);
    const CommandResult result = webnn_cli({"run", digits, "--fill", "ones"});
    CAPTURE(result.err);
    CHECK(result.code == 2);
    CHECK(contains(result.err, variable));
    CHECK(contains(result.err, "'" + std::string(value) + "'"));
  }
}

TEST_CASE("cli environment: a variable counts for the commands that take its value") {
  const ScratchFolder scratch;
  const Variable weights("WEBNN_CLI_WEIGHTS", "inline");
  CHECK(webnn_cli({"version"}).code == 0);
  const Variable format("WEBNN_CLI_OUTPUT_FORMAT", "github");
  const std::string converted = (scratch.path() / "d.json").string();
  CHECK(webnn_cli({"convert", digits, "-o", converted}).code == 0);  // --weights is a number for inspect
  CHECK(webnn_cli({"validate", digits}).code == 0);                  // inspect knows no github
  CHECK(contains(webnn_cli({"inspect", digits}).err, "WEBNN_CLI_"));
}

TEST_CASE("cli environment: the form of the output decides how messages are written, for commands that have forms") {
  const Variable form("WEBNN_CLI_OUTPUT_FORMAT", "json");
  const CommandResult failed = webnn_cli({"run", "none.json"});
  CHECK(failed.code == 6);
  CHECK(nlohmann::json::parse(failed.err).at("exitCode") == 6);
  CHECK(webnn_cli({"convert", "none.json", "-o", "none.webnn"}).err.starts_with("webnn-cli: "));
}

TEST_CASE("cli colours: on terminals, unless NO_COLOR or --color says otherwise") {
  const Variable terminal("TERM", "xterm"), no_color("NO_COLOR", "");
  const std::vector<std::string> wrong{"run", "none.json"};
  const auto with = [&](const std::string& when) {
    std::vector<std::string> arguments = wrong;
    arguments.insert(arguments.end(), {"--color", when});
    return arguments;
  };
  CHECK(contains(on_terminal(wrong).err, escape));
  CHECK_FALSE(contains(webnn_cli(wrong).err, escape));
  CHECK(contains(webnn_cli(with("always")).err, escape));
  CHECK_FALSE(contains(on_terminal(with("never")).err, escape));
  CHECK(webnn_cli(with("sometimes")).code == 2);
  {
    const Variable set("NO_COLOR", "1");
    CHECK_FALSE(contains(on_terminal(wrong).err, escape));
    CHECK(contains(on_terminal(with("always")).err, escape));
  }
  {
    const Variable dumb("TERM", "dumb");
    CHECK_FALSE(contains(on_terminal(wrong).err, escape));
  }
  const Variable never("WEBNN_CLI_COLOR", "never");
  CHECK_FALSE(contains(on_terminal(wrong).err, escape));
}

TEST_CASE("cli colours: diagnostics say the same with colours as without") {
  const ScratchFolder scratch;
  const std::string file = (scratch.path() / "bad.json").string();
  write_file(file, R"({"format": "webnn-graph-json", "version": 2, "inputs": {}, "nodes": [{"op": "relo"}]})");
  const std::string plain = webnn_cli({"validate", file}).err;
  std::string coloured = webnn_cli({"validate", file, "--color", "always"}).err;
  CHECK(contains(coloured, "\x1b[1;31merror[WNN"));
  for (std::size_t at = coloured.find(escape); at != coloured.npos; at = coloured.find(escape))
    coloured.erase(at, coloured.find('m', at) + 1 - at);
  CHECK(coloured == plain);
}

TEST_CASE("cli verbose: the device and its threads are named on standard error") {
  const CommandResult verbose = webnn_cli({"run", digits, "--fill", "ones", "-v"});
  CHECK(verbose.code == 0);
  CHECK(contains(verbose.err, "note: device cpu ("));
  CHECK(contains(verbose.err, " thread"));
  CHECK(verbose.out == webnn_cli({"run", digits, "--fill", "ones"}).out);
  CHECK(contains(webnn_cli({"run", digits, "--fill", "ones", "--verbose", "-t", "1"}).err, ", 1 thread\n"));
}

}  // namespace
}  // namespace webnn::tests::environment_test
