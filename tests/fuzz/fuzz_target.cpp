// The libFuzzer target FUZZ_TARGET (CMakeLists.txt): files of one kind. With `--suffixes` alone it prints how the names
// of seeds end.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "tests/fuzz/entry.hpp"

#ifdef FUZZ_WHOLE                 // the target is linked to everything
#define DOCTEST_CONFIG_IMPLEMENT  // the harness of the tests reports by it
#include <doctest/doctest.h>

#include "tests/fuzz/whole_targets.hpp"
#endif

#ifdef FUZZ_KERNELS  // the target is linked to the runtime
#include "api/kernels.hpp"

const webnn::schema::KernelTable& webnn::tests::fuzz::fuzz_kernels() { return api::kernel_table(); }
#else
const webnn::schema::KernelTable& webnn::tests::fuzz::fuzz_kernels() {
  static const schema::KernelTable none;
  return none;
}
#endif

namespace {

webnn::tests::FuzzTarget this_target() {
#ifdef FUZZ_WHOLE
  static const doctest::Context context;
  for (const webnn::tests::WholeTarget& target : webnn::tests::whole_targets())
    if (target.name == FUZZ_TARGET) return {target.name, {}, target.check};
#endif
  const std::vector<webnn::tests::FuzzTarget> targets = webnn::tests::fuzz_targets();
  const auto found = std::ranges::find(targets, FUZZ_TARGET, &webnn::tests::FuzzTarget::name);
  if (found != targets.end()) return *found;
  std::fprintf(stderr, "there is no target of the name '" FUZZ_TARGET "'\n");
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* count, char*** arguments) {
  if (*count != 2 || std::string_view((*arguments)[1]) != "--suffixes") return 0;
  for (const std::string_view suffix : this_target().suffixes) std::printf("%.*s\n", int(suffix.size()), suffix.data());
  std::exit(0);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const webnn::tests::FuzzTarget target = this_target();
  const std::string broken = broken_promise(target, {reinterpret_cast<const char*>(data), size});
  if (broken.empty()) return 0;
  std::fprintf(stderr, "%s\n", broken.c_str());
  std::abort();
}
