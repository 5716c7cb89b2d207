// The size of a structure comes from the caller: one that ends within a pointer would give half of it.
#include <cstddef>
#include <cstdint>
#include <doctest/doctest.h>
#include <string>

#include "api/webnn.h"

namespace webnn::tests::size_of_c_test {
namespace {

/// The message of a usage error; others are no such refusal.
std::string refusal(webnn_status* status) {
  std::string message = webnn_status_code(status) == WEBNN_USAGE ? webnn_status_message(status) : "not refused";
  webnn_status_release(status);
  return message;
}

}  // namespace

TEST_CASE("security: a structure's size that ends within a member is refused") {
  webnn_context_options options{};
  options.isa = "baseline";
  webnn_context* context = nullptr;
  for (std::size_t size = offsetof(webnn_context_options, isa) + 1; size < offsetof(webnn_context_options, threads);
       ++size) {
    CAPTURE(size);
    options.struct_size = size;
    CHECK(refusal(webnn_context_create(&options, &context)) == "options has struct_size " + std::to_string(size));
  }

  REQUIRE(webnn_context_create(nullptr, &context) == nullptr);
  const std::uint32_t shape = 2;
  webnn_tensor_options of_tensor{};
  of_tensor.struct_size = sizeof of_tensor;
  of_tensor.rank = 1;
  of_tensor.shape = &shape;
  webnn_tensor* tensor = nullptr;
  REQUIRE(webnn_context_create_tensor(context, &of_tensor, &tensor) == nullptr);
  const std::uint32_t other = 3;
  webnn_descriptor descriptor{offsetof(webnn_descriptor, shape) + 4, WEBNN_FLOAT32, 0, &other, nullptr};
  CHECK(refusal(webnn_tensor_descriptor(tensor, &descriptor)) ==
        "descriptor has struct_size " + std::to_string(descriptor.struct_size));
  CHECK(descriptor.shape == &other);  // not the half of another pointer
  webnn_tensor_release(tensor);
  webnn_context_release(context);
}

}  // namespace webnn::tests::size_of_c_test
