// Program files: what is written reads back the same, and whatever happens to the bytes, reading them ends in a refusal
// or in a program that is safe to run.
#include "schema/file/program_file.hpp"

#include <algorithm>
#include <doctest/doctest.h>

#include "api/kernels.hpp"
#include "api/runner/compile_program.hpp"
#include "runtime/cpu/cpu_device.hpp"
#include "runtime/executable.hpp"
#include "schema/error.hpp"
#include "tests/harness/forged_file.hpp"
#include "tests/harness/graph_text.hpp"
#include "tests/runtime/hand_made.hpp"

namespace program_file_test {

using namespace webnn;
using namespace webnn::tests;

namespace {

File file_of(const Program& program) {
  return written_file([&](const FileSink& sink) { write_program(program, sink); });
}

struct Reading {
  std::optional<Program> program;
  Diagnostics diagnostics;
};
Reading read(const File& file, const Target* machine = nullptr) {
  Reading reading;
  reading.program = read_program(Bytes(file), "p.wnnc", api::kernel_table(), machine, reading.diagnostics);
  return reading;
}
Code code_of(const File& file, const Target* machine = nullptr) {
  const Reading reading = read(file, machine);
  REQUIRE_FALSE(reading.program);
  REQUIRE(reading.diagnostics.all().size() == 1);
  CHECK(exit_code_of(reading.diagnostics) == ExitCode::program);
  return reading.diagnostics.all()[0].code;
}

/// Runs a program on inputs of ones; nothing when it is refused on the way. Sizes beyond a limit are not run.
std::optional<std::vector<File>> run(Program program, Feature features = Feature::none) {
  constexpr std::uint64_t limit = 1 << 20;
  std::vector<File> inputs, outputs;
  for (const Binding& binding : program.inputs) {
    if (byte_length(binding.descriptor) > limit) return std::nullopt;
    inputs.emplace_back(byte_length(binding.descriptor), std::byte{0x3f});
  }
  for (const Binding& binding : program.outputs) {
    if (byte_length(binding.descriptor) > limit) return std::nullopt;
    outputs.emplace_back(byte_length(binding.descriptor));
  }
  if (program.arena_bytes > limit) return std::nullopt;
  try {
    runtime::CpuDevice device(features);
    runtime::Executable executable(std::move(program), device, 1);
    std::vector<const std::byte*> from;
    std::vector<std::byte*> to;
    for (const File& input : inputs) from.push_back(input.data());
    for (File& output : outputs) to.push_back(output.data());
    executable.run(from, to);
  } catch (const Error&) {
    return std::nullopt;
  }
  return outputs;
}

/// A program with a constant, a post-op-free chain and attributes of several kinds.
Program rich_program() {
  ProgramMaker maker(4);
  const auto x = maker.input("x");
  maker.unused_input("spare");
  const auto sum = maker.binary("add", x, maker.constant({1, 2, 3, 4}));
  maker.output("y", maker.unary("elu", maker.unary("clamp", sum)));
  Program program = std::move(maker.program);
  program.name = "rich";
  const auto clamp = std::ranges::find(program.steps, *find_operator("clamp"), &Step::op);
  REQUIRE(clamp != program.steps.end());
  clamp->attributes[0].emplace(std::in_place_type<Number>, std::int64_t{-1});
  clamp->attributes[1].emplace(std::in_place_type<Number>, 3.5);
  return program;
}

}  // namespace

TEST_CASE("program file: what is written reads back the same, and writing it again gives the same bytes") {
  const Program program = rich_program();
  const File file = file_of(program);
  const Reading reading = read(file);
  REQUIRE(reading.program);
  CHECK(reading.program->name == "rich");
  CHECK(reading.program->steps.size() == program.steps.size());
  CHECK(reading.program->steps[1].attributes == program.steps[1].attributes);
  CHECK(reading.program->constant_checksums.size() == program.constants.size());
  CHECK(file_of(*reading.program) == file);
  CHECK(run(*reading.program) == run(program));
}

TEST_CASE("program file: each refusal has its own code") {
  const File good = file_of(rich_program());
  const auto changed = [&](auto change) {
    File file = good;
    change(file);
    return code_of(file);
  };
  CHECK(changed([](File& file) { file.resize(10); }) == Code::program_cut_off);
  CHECK(changed([](File& file) { file.resize(file.size() - 1); }) == Code::program_cut_off);
  CHECK(changed([](File& file) { file.push_back({}); }) == Code::program_cut_off);
  CHECK(changed([](File& file) { file[0] = std::byte{'X'}; }) == Code::program_damaged);
  CHECK(changed([](File& file) { file[4] = std::byte{9}; }) == Code::program_format);
  CHECK(changed([](File& file) { file[80] ^= std::byte{1}; }) == Code::program_damaged);
  CHECK(changed([](File& file) {
          put(file, 16, number_at(file, 16) + 64);
          forge_checksums(file);
        }) == Code::program_structure);
  CHECK(changed([](File& file) {
          std::fill(file.begin() + 64, file.begin() + 96, std::byte{0xff});
          forge_checksums(file);
        }) == Code::program_structure);
  Program unsafe = rich_program();
  unsafe.steps.erase(unsafe.steps.begin());
  CHECK(code_of(file_of(unsafe)) == Code::program_unsafe);
  Program modern = rich_program();
  modern.target.features = Feature::avx512;
  const Target old{DeviceKind::cpu, Feature::avx2};
  CHECK(code_of(file_of(modern), &old) == Code::program_target);
  const Target gpu{DeviceKind::vulkan, Feature::avx512};
  CHECK(code_of(file_of(modern), &gpu) == Code::program_device);
  Program mixed = rich_program();
  mixed.target = {DeviceKind::vulkan, Feature::float16 | Feature::cpu_fallback};
  mixed.steps.clear(), mixed.outputs.clear();
  const Target alone{DeviceKind::vulkan, Feature::float16}, weaker{DeviceKind::vulkan, Feature::none};
  CHECK(code_of(file_of(mixed), &alone) == Code::program_fallback);
  CHECK(code_of(file_of(mixed), &weaker) == Code::program_target);
  CHECK(read(file_of(modern)).program.has_value());
}

TEST_CASE("program file: a post-op without one of its operands is refused, whether the operator needs it or not") {
  const auto refusal = [](OperatorId op, std::vector<NewOperand<Step>> operands) {
    Program program = rich_program();
    append_post_op(program.steps[0], op, {}, operands);
    const File file = file_of(program);
    CHECK(code_of(file) == Code::program_unsafe);
    return read(file).diagnostics.all()[0].message;
  };
  const std::string expected = "input 2 of a post-op is absent";
  CHECK(refusal("add"_op, {ResultOf{0}, no_index}).find(expected) != std::string::npos);
  CHECK(refusal("layerNormalization"_op, {ResultOf{0}, no_index, no_index}).find(expected) != std::string::npos);
}

TEST_CASE("program file: every cut and every changed byte ends in a refusal or in the right result") {
  const Program program = rich_program();
  const auto expected = run(program);
  const File good = file_of(program);
  for (std::size_t size = 0; size < good.size(); ++size)
    CHECK(code_of(File(good.begin(), good.begin() + std::ptrdiff_t(size))) == Code::program_cut_off);
  for (std::size_t at = 0; at < good.size(); ++at)
    for (const std::byte flip : {std::byte{0x01}, std::byte{0x80}, std::byte{0xff}}) {
      File file = good;
      file[at] ^= flip;
      const Reading reading = read(file);
      if (!reading.program) continue;
      const auto outputs = run(*reading.program);
      if (outputs) CHECK_MESSAGE(outputs == expected, "byte " << at);
    }
}

TEST_CASE("program file: with forged checksums every changed byte is refused or runs safely") {
  const File good = file_of(rich_program());
  const std::size_t end = metadata_end(good);
  std::size_t refused = 0, ran = 0;
  for (std::size_t at = 64; at < end; ++at)
    for (const std::byte flip : {std::byte{0x01}, std::byte{0x10}, std::byte{0x80}, std::byte{0xff}}) {
      File file = good;
      file[at] ^= flip;
      forge_checksums(file);
      Reading reading = read(file);
      if (reading.program && run(std::move(*reading.program)))
        ++ran;
      else
        ++refused;
    }
  CHECK(refused > 0);
  CHECK(ran > 0);  // names and labels may change
}

TEST_CASE("program file: with forged checksums packed constants are refused or run safely") {
  Diagnostics diagnostics;
  const compiler::Graph graph = graph_of(R"(
    %x = input float32[1, 8, 12, 12]
    %w = constant float32[8, 8, 3, 3] {0.5...}
    %c = conv2d(%x, %w) {padding=[1, 1, 1, 1]} : float32[1, 8, 12, 12]
    %m = input float32[3, 16]
    %b = constant float32[16, 24] {0.25...}
    %p = matmul(%m, %b) : float32[3, 24]
    %s = input float32[2, 1, 4]
    %gw = constant float32[1, 24, 4] {0.1...}
    %gr = constant float32[1, 24, 8] {0.1...}
    %g = gru(%s, %gw, %gr) {steps=2, hiddenSize=8} : float32[1, 1, 8]
    output "c" = %c
    output "p" = %p
    output "g" = %g
)");
  runtime::CpuDevice machine(Feature(~0u));
  const auto program = api::compile_program(graph, {}, machine, {}, diagnostics);
  REQUIRE(program);
  const File good = file_of(*program);
  const auto expected = run(*program, machine.target().features);
  REQUIRE(expected);
  std::size_t refused = 0, ran = 0;
  for (std::size_t at = 64; at < metadata_end(good); ++at) {
    File file = good;
    file[at] ^= std::byte(1u << at % 8);
    forge_checksums(file);
    Reading reading = read(file);
    if (!reading.program) {
      ++refused;
      continue;
    }
    reading.program->constant_checksums.clear();  // as a forger would have them right
    ++(run(std::move(*reading.program), machine.target().features) ? ran : refused);
  }
  CHECK(refused > 100);
  CHECK(ran > 100);
}

TEST_CASE("program file: a program can carry its graph, which is found even where the program is refused") {
  Program program = rich_program();
  program.target.features = Feature::amx_int8;
  CHECK(graph_of_program(Bytes(file_of(program))).size() == 0);
  program.graph = Bytes(std::vector<std::byte>(100, std::byte{7}));
  const File file = file_of(program);
  const Target old{DeviceKind::cpu, Feature::avx2};
  CHECK(code_of(file, &old) == Code::program_target);
  CHECK(std::ranges::equal(graph_of_program(Bytes(file)).view(), program.graph.view()));
  const Reading reading = read(file);
  REQUIRE(reading.program);
  CHECK(reading.program->constants.size() == 1);
  CHECK(reading.program->graph.size() == 100);
  CHECK(file_of(*reading.program) == file);
}

TEST_CASE("program file: a constant whose bytes changed is found when its kernel is prepared") {
  File file = file_of(rich_program());
  file.back() ^= std::byte{1};
  Reading reading = read(file);
  REQUIRE(reading.program);
  runtime::CpuDevice device(Feature::none);
  std::string message;
  try {
    runtime::Executable(Program(*reading.program), device, 1);
  } catch (const Error& error) {
    message = error.what();
    CHECK(error.code() == ExitCode::program);
  }
  CHECK(message.starts_with("constant 0 of the program has the checksum "));
  CHECK(message.find(", the file says ") != std::string::npos);
  reading.program->constant_checksums.clear();  // --no-verify
  CHECK(runtime::Executable(std::move(*reading.program), device, 1).program().constants.size() == 1);
}

}  // namespace program_file_test
