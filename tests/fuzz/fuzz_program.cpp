// libFuzzer target: program files (.wnnc).
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "tests/fuzz/entry.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string broken = webnn::tests::fuzz_program({reinterpret_cast<const char*>(data), size});
  if (broken.empty()) return 0;
  std::fprintf(stderr, "%s\n", broken.c_str());
  std::abort();
}
