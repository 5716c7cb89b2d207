// The table of diagnostics, collecting them, and "did you mean".
#include <algorithm>
#include <doctest/doctest.h>
#include <set>

#include "schema/diagnostics.hpp"

namespace diagnostics_test {

using namespace webnn::schema;

TEST_CASE("diagnostics: every code has its own number, a title and an explanation") {
  std::set<std::uint16_t> numbers;
  std::set<std::string_view> titles;
  for (const DiagnosticCode& code : diagnostic_table()) {
    CAPTURE(code.text());
    CHECK(numbers.insert(code.number).second);
    CHECK(titles.insert(code.title).second);
    CHECK_FALSE(code.title.ends_with('.'));
    CHECK(code.explanation.size() > 40);
    CHECK(code.explanation.ends_with('.'));
  }
}

TEST_CASE("diagnostics: a row is found by its text, and belongs to its code") {
  CHECK(row(Code::not_json).title == "not JSON");
  CHECK(row(Code::unknown_operator).title == "unknown operator");
  CHECK(row(Code::tensor_too_large).title == "tensor too large");
  CHECK(row(Code::unsafe_path).title == "unsafe path");
  CHECK(row(Code::no_kernel).title == "no kernel");
  CHECK(row(Code::bad_pass_result).title == "bad result of a pass");
  for (std::size_t i = 0; i < diagnostic_table().size(); ++i)
    CHECK(find_diagnostic_code(row(Code(i)).text()) == Code(i));
  CHECK(row(Code::not_json).text() == "WNN0101");
  CHECK(find_diagnostic_code("wnn0101") == Code::not_json);
  CHECK(find_diagnostic_code("101") == Code::not_json);
  CHECK_FALSE(find_diagnostic_code("WNN0000"));
  CHECK_FALSE(find_diagnostic_code("WNN"));
  CHECK_FALSE(find_diagnostic_code("WNN0101x"));
  CHECK_FALSE(find_diagnostic_code("99999999999999999999"));
}

TEST_CASE("diagnostics: only errors count as errors") {
  Diagnostics diagnostics;
  diagnostics.warning(Code::unused_input, {}, "the input 'x' is not used");
  diagnostics.note(Code::rewritten_operator, {}, "squeeze is read as reshape");
  CHECK_FALSE(diagnostics.has_errors());
  diagnostics.error(Code::unknown_operator, {"g.json", 3, 7, "/nodes/0/op"}, "there is no operator 'conv'").hints = {
      "did you mean 'cos'?"};
  CHECK(diagnostics.has_errors());
  CHECK(diagnostics.error_count() == 1);
  REQUIRE(diagnostics.all().size() == 3);
  CHECK(diagnostics.all()[2].location.line == 3);
  CHECK(diagnostics.all()[2].hints.size() == 1);
}

TEST_CASE("diagnostics: sizes that are not given are a wrong call, unless the file is wrong, too") {
  Diagnostics diagnostics;
  diagnostics.error(Code::unbound_dimension, {}, "the dimension 'batch' has no size");
  CHECK(exit_code_of(diagnostics) == ExitCode::usage);
  diagnostics.error(Code::bad_rank, {}, "the input has no shape");
  CHECK(exit_code_of(diagnostics) == ExitCode::invalid_input);
}

TEST_CASE("diagnostics: what a pass leaves wrong is our own bug, a program file that is wrong is its user's") {
  Diagnostics of_pass, of_file;
  of_file.error(Code::program_unsafe, {}, "step 0 writes over value 1");
  CHECK(exit_code_of(of_file) == ExitCode::program);
  of_pass.error(Code::bad_pass_result, {}, "after fuse_post_ops: the nodes form a cycle");
  CHECK(exit_code_of(of_pass) == ExitCode::internal);
  of_pass.error(Code::no_kernel, {}, "no kernel takes relu");
  CHECK(exit_code_of(of_pass) == ExitCode::internal);
}

TEST_CASE("diagnostics: 'did you mean' finds typing errors, and nothing that is far") {
  const std::vector<std::string_view> names{"conv2d", "convTranspose2d", "abs", "relu", "sigmoid"};
  CHECK(nearest("conv2D", names) == "conv2d");
  CHECK(nearest("sigmiod", names) == "sigmoid");
  CHECK(nearest("rleu", names) == "relu");
  CHECK(nearest("ab", names) == "abs");
  CHECK(nearest("convTransposed2d", names) == "convTranspose2d");
  CHECK(nearest("softmax", names) == "");
  CHECK(nearest("", names) == "");
  CHECK(nearest(std::string(1 << 20, 'a'), names) == "");
  CHECK(nearest("conv2d", {}) == "");
}

}  // namespace diagnostics_test
