// Weights of more than 2 GiB: offsets are 64 bits wide everywhere, opening a file does not read them, and files of
// zeros take no room on the disk. And what of smaller weights stays in memory.
#include <algorithm>
#include <doctest/doctest.h>
#include <fstream>
#include <sys/mman.h>
#include <sys/stat.h>

#include "api/kernels.hpp"
#include "api/runner/compile_program.hpp"
#include "cli/output/output_files.hpp"
#include "compiler/frontend/binary/binary_writer.hpp"
#include "compiler/frontend/load.hpp"
#include "compiler/frontend/mapped_file.hpp"
#include "runtime/cpu/cpu_device.hpp"
#include "runtime/executable.hpp"
#include "schema/file/program_file.hpp"
#include "schema/operators/operator_table.hpp"
#include "tests/harness/paths.hpp"
#include "tests/harness/skip.hpp"

namespace webnn::tests::large_weights_test {
namespace {

namespace fs = std::filesystem;
using namespace schema;

constexpr std::size_t big_bytes = 0x7fffffff;  // the largest tensor there is

/// Zeros that take no memory: nothing writes to these pages, so all of them are the system's page of zeros.
Bytes many_zeros(std::size_t size) {
  void* address = mmap(nullptr, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  REQUIRE(address != MAP_FAILED);
  madvise(address, size, MADV_HUGEPAGE);
  const std::shared_ptr<const void> owner(address, [size](const void* at) { munmap(const_cast<void*>(at), size); });
  return Bytes(owner, {static_cast<const std::byte*>(address), size});
}

/// y = elements of `big` at `at`; z = x + small, whose bytes lie behind those of `big`.
compiler::Graph large_graph() {
  compiler::Graph graph;
  const auto at = graph.add_input("at", {DataType::int32, {2}});
  const auto x = graph.add_input("x", {DataType::float32, {2}});
  const auto big = graph.add_constant("big", {DataType::uint8, {big_bytes}}, many_zeros(big_bytes));
  const float numbers[] = {1, 2};
  const auto bytes = std::as_bytes(std::span(numbers));
  const auto small =
      graph.add_constant("small", {DataType::float32, {2}}, Bytes(std::vector<std::byte>(bytes.begin(), bytes.end())));
  const std::string names[] = {"y", "z"};
  graph.add_output("y", graph.node(graph.add_node("gather"_op, {big, at}, {}, {&names[0], 1})).outputs[0]);
  graph.add_output("z", graph.node(graph.add_node("add"_op, {x, small}, {}, {&names[1], 1})).outputs[0]);
  return graph;
}

/// The file that `write` makes, mapped.
Bytes written(const fs::path& path, const std::function<void(const FileSink&)>& write) {
  cli::OutputFile file(path);
  write([&](std::span<const std::byte> piece) {
    file.append({reinterpret_cast<const char*>(piece.data()), piece.size()});
  });
  file.commit(cli::OutputFile::Sync::no);
  struct stat status {};
  REQUIRE(stat(path.c_str(), &status) == 0);
  CHECK(std::uint64_t(status.st_size) > std::uint64_t{1} << 31);
  CHECK(std::uint64_t(status.st_blocks) * 512 < 4u << 20);
  return compiler::map_file(path, ~std::uint64_t{0});
}

/// Whether the folder's file system keeps holes, without which the files would fill the disk.
bool keeps_holes(const fs::path& folder) {
  {
    std::ofstream file(folder / "probe");
    file.seekp(1 << 26).put('x');
  }
  struct stat status {};
  return stat((folder / "probe").c_str(), &status) == 0 && status.st_blocks * 512 < 1 << 20;
}

/// Bytes of the mapping that begins at `address` that are in this process's memory.
std::uint64_t resident_bytes(const std::byte* address) {
  char begin[32];
  std::snprintf(begin, sizeof begin, "%zx-", std::size_t(reinterpret_cast<std::uintptr_t>(address)));
  std::ifstream maps("/proc/self/smaps");
  bool found = false;
  for (std::string line; std::getline(maps, line);) {
    if (line.starts_with(begin)) found = true;
    if (found && line.starts_with("Rss:")) return std::strtoull(line.c_str() + 4, nullptr, 10) * 1024;
  }
  FAIL("no mapping begins there");
  return 0;
}

}  // namespace

TEST_CASE("large weights: a graph with more than 2 GiB of them is written, compiled, opened and run") {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return skip("a sanitizer reads gigabytes too slowly");
#endif
  const ScratchFolder scratch;
  if (!keeps_holes(scratch.path())) return skip("without holes in files the disk would need 4 GiB");
  const Bytes graph_file = written(scratch.path() / "m.wnnb",
                                   [](const FileSink& sink) { compiler::write_binary_graph(large_graph(), sink); });
  Diagnostics diagnostics;
  auto graph = compiler::read_graph(graph_file, {}, diagnostics);
  REQUIRE(graph);
  CHECK(resident_bytes(graph_file.data()) < 1u << 20);

  runtime::CpuDevice device(Feature(~0u));
  compiler::Options options;
  options.verify_constants = false;
  const auto compiled = api::compile_program(std::move(*graph), options, device, {}, diagnostics);
  REQUIRE(compiled);
  Program program = *compiled;
  for (Bytes& constant : program.constants)  // the same zeros from elsewhere: the file's would be read into memory
    if (constant.size() == big_bytes) constant = many_zeros(big_bytes);
  const Bytes program_file =
      written(scratch.path() / "m.wnnc", [&](const FileSink& sink) { write_program(program, sink); });
  auto opened = read_program(program_file, {}, api::kernel_table(), &device.target(), diagnostics);
  REQUIRE(opened);
  CHECK(resident_bytes(program_file.data()) < 1u << 20);

  opened->constant_checksums.clear();
  runtime::Executable executable(std::move(*opened), device, 1);
  const std::int32_t at[] = {0, 0x7ffffffe};
  const float x[] = {10, 20};
  std::uint8_t y[2] = {9, 9};
  float z[2] = {};
  const std::byte* inputs[] = {reinterpret_cast<const std::byte*>(at), reinterpret_cast<const std::byte*>(x)};
  std::byte* outputs[] = {reinterpret_cast<std::byte*>(y), reinterpret_cast<std::byte*>(z)};
  executable.run(inputs, outputs);
  CHECK(y[0] == 0);
  CHECK(y[1] == 0);
  CHECK(z[0] == 11);
  CHECK(z[1] == 22);
}

TEST_CASE("large weights: a compiled graph has copies of its small constants, and no page of its file") {
  const ScratchFolder scratch;
  compiler::Graph graph;
  const auto x = graph.add_input("x", {DataType::float32, {1024, 512}});
  const auto constant = [&](const char* name, const OperandDescriptor& descriptor, std::size_t bytes) {
    return graph.add_constant(name, descriptor, Bytes(std::vector<std::byte>(bytes, std::byte{1})));
  };
  const auto matrix = constant("matrix", {DataType::float32, {1024, 512}}, std::size_t{1} << 21);
  const auto row = constant("row", {DataType::float32, {512}}, 2048);
  const auto sum = graph.node(graph.add_node("add"_op, {x, matrix}, {}, {})).outputs[0];
  graph.add_output("y", graph.node(graph.add_node("mul"_op, {sum, row}, {}, {})).outputs[0]);
  cli::OutputFile file(scratch.path() / "m.wnnb");
  compiler::write_binary_graph(graph, [&](std::span<const std::byte> piece) {
    file.append({reinterpret_cast<const char*>(piece.data()), piece.size()});
  });
  file.commit(cli::OutputFile::Sync::no);

  const Bytes bytes = compiler::map_file(scratch.path() / "m.wnnb", ~std::uint64_t{0});
  Diagnostics diagnostics;
  auto read = compiler::read_graph(bytes, {}, diagnostics);
  REQUIRE(read);
  const auto program = api::compile_program(std::move(*read), {}, runtime::CpuDevice(Feature(~0u)), {}, diagnostics);
  REQUIRE(program);
  std::size_t mapped = 0, copied = 0;
  for (const Bytes& data : program->constants) {
    CHECK(data.is_mapped() == (data.size() == std::size_t{1} << 21));
    ++(data.is_mapped() ? mapped : copied);
  }
  CHECK(mapped == 1);
  CHECK(copied == 1);
  CHECK(resident_bytes(bytes.data()) <= 3u << 16);  // the head, and what the system maps around it
  for (const Bytes& data : program->constants)
    CHECK(std::ranges::all_of(data.view(), [](std::byte byte) { return byte == std::byte{1}; }));
}

}  // namespace webnn::tests::large_weights_test
