// Which processors the project can be configured for (cmake/processor.cmake).
#include <doctest/doctest.h>

#include "tests/harness/machine/shell.hpp"
#include "tests/harness/paths.hpp"

namespace webnn::tests::processor_test {
namespace {

ShellResult configured_for(const std::string& pointer_bytes, const std::string& order, const std::string& processor) {
  return run_shell("cmake -DCMAKE_SIZEOF_VOID_P=" + pointer_bytes + " -DCMAKE_CXX_BYTE_ORDER=" + order +
                   "_ENDIAN -DCMAKE_SYSTEM_PROCESSOR=" + processor + " -DCMAKE_CXX_COMPILER=c++ -P " +
                   shell_word(source_dir() / "cmake/processor.cmake"));
}

bool says(const ShellResult& result, const std::string& text) {
  return result.status != 0 && result.output.find(text) != std::string::npos;
}

}  // namespace

TEST_CASE("structure: the project is configured for little-endian 64-bit x86 and ARM alone") {
  CHECK(configured_for("8", "LITTLE", "x86_64").status == 0);
  CHECK(configured_for("8", "LITTLE", "aarch64").status == 0);
  CHECK(says(configured_for("4", "LITTLE", "i686"), "supports 64-bit processors only"));
  CHECK(says(configured_for("8", "BIG", "aarch64"), "supports little-endian processors only"));
  CHECK(says(configured_for("8", "LITTLE", "riscv64"), "supports x86-64 and 64-bit ARM"));
}

}  // namespace webnn::tests::processor_test
