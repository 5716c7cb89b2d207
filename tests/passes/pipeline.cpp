// The pass runner: what it prints, where it stops, and what it says about names that do not exist.
#include "compiler/passes/pipeline.hpp"

#include <chrono>
#include <doctest/doctest.h>
#include <sstream>

#include "compiler/compiler.hpp"
#include "compiler/ir/parse.hpp"
#include "compiler/ir/print.hpp"
#include "compiler/passes/print_unit.hpp"
#include "schema/error.hpp"
#include "tests/harness/available_kernels.hpp"
#include "tests/harness/compiler_options.hpp"

namespace webnn::tests::pipeline_test {
namespace {

using namespace webnn::compiler;

constexpr std::string_view small_graph = R"(graph "small" {
  %x = input float32[2, 3]
  %a = relu(%x) : float32[2, 3]
  %unneeded = tanh(%a) : float32[2, 3]
  %b = reshape(%a) {newShape=[6]} : float32[6]
  output "b" = %b
}
)";

Graph graph_of(std::string_view text) {
  Diagnostics diagnostics;
  auto graph = parse(text, {}, diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.all()) FAIL_CHECK(diagnostic.message);
  REQUIRE(graph);
  return *graph;
}

struct Outcome {
  bool complete = false;
  std::string log;
  std::string problems;
};

Outcome compile_with(Options options, std::string_view text = small_graph) {
  std::ostringstream log;
  options.log = &log;
  Diagnostics diagnostics;
  Outcome outcome;
  outcome.complete = compile(graph_of(text), options, diagnostics).has_value();
  outcome.log = log.str();
  for (const Diagnostic& diagnostic : diagnostics.all()) outcome.problems += diagnostic.message + "\n";
  return outcome;
}

std::size_t count(const std::string& text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

std::string usage_error(const Options& options) {
  try {
    compile_with(options);
  } catch (const Error& error) {
    CHECK(error.code() == ExitCode::usage);
    return std::string(error.what()) + "; " + error.hint();
  }
  return "no error";
}

}  // namespace

TEST_CASE("pipeline: every pass has a name of its own and says what it does") {
  for (const Pass& pass : pass_table()) {
    CHECK(&find_pass(pass.name) == &pass);
    CHECK(pass.summary.size() > 10);
  }
}

TEST_CASE("pipeline: prints nothing unless asked") {
  const Outcome outcome = compile_with(options_of_tests());
  CHECK(outcome.complete);
  CHECK(outcome.log == "");
  CHECK(outcome.problems == "");
}

TEST_CASE("pipeline: prints before and after the passes that are named") {
  Options options = options_of_tests();
  options.print_before = {"remove_dead"};
  options.print_after = {"remove_dead", "select_kernels"};
  const std::string log = compile_with(options).log;
  CHECK(count(log, "// before remove_dead\n") == 1);
  CHECK(count(log, "// after remove_dead\n") == 1);
  CHECK(count(log, "// after select_kernels\n") == 1);
  CHECK(count(log, "graph \"small\"") == 3);
  CHECK(count(log, "%unneeded") == 1);
  CHECK(count(log, "// reference.unary") == 1);
}

TEST_CASE("pipeline: 'all' prints around every pass") {
  Options options = options_of_tests();
  options.print_before = options.print_after = {"all"};
  const std::string log = compile_with(options).log;
  CHECK(count(log, "// before ") == pass_table().size());
  CHECK(count(log, "// after ") == pass_table().size());
}

TEST_CASE("pipeline: what it prints reads back, notes and all") {
  for (const Pass& pass : pass_table()) {
    Options options = options_of_tests();
    options.print_after = {std::string(pass.name)};
    options.stop_after = pass.name;
    const std::string log = compile_with(options).log;
    CAPTURE(log);
    CHECK(log.starts_with("// after " + std::string(pass.name) + "\n" + print(graph_of(log)).substr(0, 15)));
  }
}

TEST_CASE("pipeline: stops after the pass that is named") {
  Options options = options_of_tests();
  options.print_after = {"all"};
  options.stop_after = "remove_dead";
  const Outcome outcome = compile_with(options);
  CHECK_FALSE(outcome.complete);
  CHECK(outcome.problems == "");
  CHECK(count(outcome.log, "// after remove_dead\n") == 1);
  CHECK(count(outcome.log, "// after select_kernels\n") == 0);
  options.stop_after = "emit_program";  // the last one: who stops wants no program
  CHECK_FALSE(compile_with(options).complete);
}

TEST_CASE("pipeline: times every pass and counts its nodes") {
  Options options = options_of_tests();
  options.time_passes = true;
  const std::string log = compile_with(options).log;
  CAPTURE(log);
  for (const Pass& pass : pass_table()) CHECK(count(log, std::string(pass.name) + " ") == 1);
  CHECK(count(log, "total ") == 1);
  CHECK(count(log, "         3         2\n") == 1);  // remove_dead
}

TEST_CASE("pipeline: tells its caller the same times") {
  Options options = options_of_tests();
  std::vector<std::string> names;
  double sum = 0;
  options.pass_times = [&](std::span<const PassTime> times) {
    for (const PassTime& time : times) {
      names.emplace_back(time.pass);
      sum += time.milliseconds;
    }
  };
  const auto start = std::chrono::steady_clock::now();
  compile_with(options);
  const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - start;
  CHECK(sum > 0);
  CHECK(sum <= elapsed.count());
  REQUIRE(names.size() == pass_table().size() + 1);
  for (std::size_t i = 0; i < pass_table().size(); ++i) CHECK(names[i] == pass_table()[i].name);
  CHECK(names.back() == "(verification)");
}

TEST_CASE("pipeline: tells what the program consists of") {
  Options options = options_of_tests();
  options.stats = true;
  const std::string log = compile_with(options).log;
  CAPTURE(log);
  CHECK(count(log, "nodes      3, steps 1\n") == 1);  // nobody needs tanh, and relu writes what reshape shows
  CHECK(count(log, "views      1\n") == 1);
  CHECK(count(log, "reorders   0 of 0 bytes\n") == 1);
  CHECK(count(log, "arena      0 bytes, 1.00 times the 0 that are live at once\n") == 1);
  CHECK(count(log, "reference.unary x1") == 1);
}

TEST_CASE("pipeline: a pass that does not exist is a usage error with a proposal") {
  Options options = options_of_tests();
  options.print_after = {"remove_daed"};
  CHECK(usage_error(options).starts_with("no pass is named 'remove_daed'; did you mean 'remove_dead'?"));
  options = options_of_tests();
  options.stop_after = "everything";
  CHECK(usage_error(options).starts_with("no pass is named 'everything'; the passes are canonicalize"));
  options = options_of_tests();
  options.kernels = "refrence";
  CHECK(usage_error(options).starts_with("no kernels are named 'refrence'; did you mean 'reference'?"));
}

TEST_CASE("pipeline: a node that no kernel takes is an error and ends the compilation") {
  Options options = options_of_tests();
  options.target.device = DeviceKind::vulkan;
  options.available = all_but({"relu"});
  options.print_after = {"plan_memory"};
  const Outcome outcome = compile_with(options);
  CHECK_FALSE(outcome.complete);
  CHECK(count(outcome.problems, "no vulkan kernel takes relu of float32[2, 3]") == 1);
  CHECK(outcome.log == "");
}

TEST_CASE("pipeline: what a pass damages is reported under its name") {
  Diagnostics diagnostics;
  const Options options = options_of_tests();
  Unit unit{graph_of(small_graph), {}, options, diagnostics, {}};
  const Pass damage{"damage", 0, "writes a program that reads a value which nobody wrote", [](Unit& broken) {
                      broken.program.outputs = {{"y", {DataType::float32, Shape{4}}, 7}};
                    }};
  CHECK_FALSE(run_pass(damage, unit));
  REQUIRE(diagnostics.all().size() == 1);
  CHECK(diagnostics.all()[0].code == Code::bad_pass_result);
  CHECK(diagnostics.all()[0].message.starts_with(
      "after damage: output 0 'y': it is bound to a value that does not exist"));
}

TEST_CASE("pipeline: named dimensions are fixed by the options") {
  constexpr std::string_view text = R"(graph "dynamic" {
  %x = input float32[batch<=8, 3]
  %y = relu(%x)
  output "y" = %y
}
)";
  CHECK(compile_with({}, text).problems == "dimension 'batch' has no size\n");
  Options options = options_of_tests();
  options.dimensions = {{"batch", 4}};
  options.print_after = {"canonicalize"};
  const Outcome outcome = compile_with(options, text);
  CHECK(outcome.complete);
  CHECK(count(outcome.log, "%y = relu(%x) : float32[4, 3]") == 1);
}

}  // namespace webnn::tests::pipeline_test
