// The rank of a descriptor comes from the caller: it is checked before a single size is read.
#include <cstdint>
#include <doctest/doctest.h>
#include <string>

#include "api/webnn.h"

namespace webnn::tests::rank_of_c_test {

TEST_CASE("security: a rank of 2^32 - 1 through the C interface is refused, not read") {
  webnn_context* context = nullptr;
  REQUIRE(webnn_context_create(nullptr, &context) == nullptr);
  const std::uint32_t size = 2;  // one, not four billion
  webnn_tensor_options options{};
  options.struct_size = sizeof options;
  options.rank = 0xffffffff;
  options.shape = &size;
  webnn_tensor* tensor = nullptr;
  webnn_status* status = webnn_context_create_tensor(context, &options, &tensor);
  REQUIRE(status != nullptr);
  CHECK(webnn_status_code(status) == WEBNN_USAGE);
  CHECK(std::string(webnn_status_message(status)).find("4294967295") != std::string::npos);
  webnn_status_release(status);

  webnn_builder* builder = nullptr;
  REQUIRE(webnn_builder_create(context, &builder) == nullptr);
  webnn_descriptor descriptor{};
  descriptor.struct_size = sizeof descriptor;
  descriptor.rank = 9;
  descriptor.shape = &size;
  webnn_operand* operand = nullptr;
  status = webnn_builder_input(builder, "x", &descriptor, &operand);
  CHECK(webnn_status_code(status) == WEBNN_USAGE);
  webnn_status_release(status);
  webnn_builder_release(builder);
  webnn_context_release(context);
}

}  // namespace webnn::tests::rank_of_c_test
