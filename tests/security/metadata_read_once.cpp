// Another process may change a mapped file at any moment: what a reader has checked must be what it uses.
#include <algorithm>
#include <cstring>
#include <doctest/doctest.h>

#include "compiler/frontend/binary/binary_writer.hpp"
#include "schema/file/container.hpp"
#include "schema/text.hpp"
#include "tests/harness/graph_text.hpp"

namespace webnn::tests::metadata_read_once_test {

using namespace webnn::schema;

TEST_CASE("security: the metadata of a file are those that were checked, whatever becomes of the file") {
  std::string content;
  const compiler::Graph graph = parsed(R"(graph "g" {
    %x = input float32[4]
    %y = relu(%x)
    output "y" = %y
  })");
  compiler::write_binary_graph(graph, [&](std::span<const std::byte> piece) { content += text_of(piece); });
  const std::span<const std::byte> file = std::as_bytes(std::span(content));

  Diagnostics diagnostics;
  const auto container = open_container(file, graph_container, "g.wnnb", diagnostics);
  REQUIRE(container);
  const std::vector<std::byte> checked(container->metadata.view().begin(), container->metadata.view().end());
  std::memset(content.data() + 64, 0xff, content.size() - 64);  // the other process
  CHECK(std::ranges::equal(container->metadata.view(), checked));
  CHECK(text_of(container->metadata).find("relu") != std::string_view::npos);
}

}  // namespace webnn::tests::metadata_read_once_test
