// The table of the fastest kernels for architectures of GPUs.
#include <doctest/doctest.h>
#include <set>
#include <string>

#include "api/kernels.hpp"
#include "runtime/vulkan/choices.hpp"
#include "runtime/vulkan/vulkan_device.hpp"
#include "tests/harness/machine/gpu.hpp"

namespace webnn::tests::choices_test {

using namespace runtime::vulkan;

TEST_CASE("vulkan choices: each row names a kernel of a GPU for its class of calls, once") {
  for (const std::string_view architecture : architectures_with_choices()) {
    CAPTURE(architecture);
    std::set<std::string_view> classes;
    for (const runtime::KernelChoice& choice : choices_for(architecture)) {
      CAPTURE(choice.call_class);
      const auto kernel = api::find_kernel(choice.kernel);
      REQUIRE(kernel);
      CHECK(row(*kernel).device == DeviceKind::vulkan);
      CHECK(row(*kernel).op == choice.call_class.substr(0, choice.call_class.find(' ')));
      CHECK(classes.insert(choice.call_class).second);
    }
    CHECK(!classes.empty());
  }
  CHECK(choices_for("").empty());
  CHECK(choices_for("abacus").empty());
}

TEST_CASE("vulkan choices: software has no architecture") {
  const auto device = open_test_gpu();
  if (!device) return;
  const Profile& profile = dynamic_cast<const VulkanDevice&>(*device).queue().profile();
  CHECK(device->choices().size() == choices_for(profile.architecture).size());
  if (profile.is_cpu) CHECK(profile.architecture.empty());
}

}  // namespace webnn::tests::choices_test
