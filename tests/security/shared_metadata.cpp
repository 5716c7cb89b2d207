// Binary files whose metadata lead many times to the same bytes: ten kilobytes took gigabytes before any limit was asked,
// and lists within lists took minutes. Our writers share nothing, and their files stay far below what is refused.
#include <doctest/doctest.h>
#include <file_form/graph_generated.h>
#include <file_form/program_generated.h>

#include "api/kernels.hpp"
#include "compiler/frontend/binary/binary_reader.hpp"
#include "compiler/frontend/binary/binary_writer.hpp"
#include "schema/file/attributes.hpp"
#include "schema/file/program_file.hpp"
#include "tests/cli/command_line.hpp"
#include "tests/harness/forged_file.hpp"
#include "tests/security/processor_time.hpp"

namespace webnn::tests::shared_metadata_test {
namespace {

using namespace compiler;
using Builder = flatbuffers::FlatBufferBuilder;
template <class T>
using Offsets = std::vector<flatbuffers::Offset<T>>;

/// A file with these metadata and, `constants` times, no bytes but those of one constant.
File file_with(const ContainerKind& kind, const Builder& builder, std::uint64_t constant_bytes = 0) {
  const std::vector<Bytes> constants{Bytes(File(constant_bytes))};
  return written_file([&](const FileSink& sink) {
    write_container(kind, std::as_bytes(std::span(builder.GetBufferPointer(), builder.GetSize())), constants, sink);
  });
}

struct ProgramParts {
  Offsets<file::ProgramValue> values{};
  Offsets<file::Step> steps{};
  Offsets<file::Constant> constants{};
  std::uint64_t arena_bytes = 0;
};
File program_file(Builder& builder, const ProgramParts& parts, std::uint64_t constant_bytes = 0) {
  const auto tool = builder.CreateString("");
  const auto values = builder.CreateVector(parts.values);
  const auto steps = builder.CreateVector(parts.steps);
  const auto constants = builder.CreateVector(parts.constants);
  file::ProgramBuilder program(builder);
  program.add_tool_version(tool);
  program.add_tables(hash_of_tables());
  program.add_values(values);
  program.add_steps(steps);
  program.add_constants(constants);
  program.add_arena_bytes(parts.arena_bytes);
  file::FinishProgramBuffer(builder, program.Finish());
  return file_with(program_container, builder, constant_bytes);
}

/// What is wrong with a file that is refused at once.
Diagnostic refused_program(const File& file, Code code = Code::program_structure) {
  Diagnostics diagnostics;
  CHECK(processor_seconds_of([&] {
          CHECK_FALSE(read_program(Bytes(file), "p.wnnc", api::kernel_table(), nullptr, diagnostics));
        }) < most_processor_seconds);
  REQUIRE(diagnostics.all().size() == 1);
  CHECK(exit_code_of(diagnostics) == ExitCode::program);
  CHECK(diagnostics.all()[0].code == code);
  CHECK(diagnostics.all()[0].hints == std::vector<std::string>{"compile the graph again"});
  return diagnostics.all()[0];
}

/// `list`: of words.
flatbuffers::Offset<file::Attribute> attribute_of(Builder& builder, flatbuffers::Offset<flatbuffers::String> name,
                                                  flatbuffers::uoffset_t list) {
  constexpr std::uint8_t text_list = 8;
  file::AttributeBuilder attribute(builder);
  attribute.add_name(name);
  attribute.add_kind(text_list);
  attribute.add_texts(list);
  return attribute.Finish();
}

flatbuffers::Offset<FileAttributes> activations(Builder& builder, std::size_t count, std::size_t length) {
  const std::vector<flatbuffers::Offset<flatbuffers::String>> words(count,
                                                                    builder.CreateString(std::string(length, 't')));
  const auto list = builder.CreateVector(words);
  const auto name = builder.CreateString("activations");
  return builder.CreateVector(Offsets<file::Attribute>{attribute_of(builder, name, list.o)});
}

File graph_file(Builder& builder, const Offsets<file::GraphValue>& values, const std::vector<std::uint32_t>& inputs,
                const Offsets<file::Node>& nodes, const Offsets<file::GraphConstant>& constants = {},
                std::uint64_t constant_bytes = 0) {
  const auto tool = builder.CreateString("");
  const auto value_list = builder.CreateVector(values);
  const auto input_list = builder.CreateVector(inputs);
  const auto node_list = builder.CreateVector(nodes);
  const auto constant_list = builder.CreateVector(constants);
  file::GraphBuilder graph(builder);
  graph.add_tool_version(tool);
  graph.add_values(value_list);
  graph.add_inputs(input_list);
  graph.add_nodes(node_list);
  graph.add_constants(constant_list);
  file::FinishGraphBuffer(builder, graph.Finish());
  return file_with(graph_container, builder, constant_bytes);
}

Diagnostic refused_graph(const File& file) {
  Diagnostics diagnostics;
  CHECK(processor_seconds_of([&] { CHECK_FALSE(read_binary_graph(Bytes(file), {}, diagnostics)); }) <
        most_processor_seconds);
  REQUIRE(diagnostics.all().size() == 1);
  CHECK(diagnostics.all()[0].code == Code::binary_graph_damaged);
  CHECK(diagnostics.all()[0].hints == std::vector<std::string>{"convert the graph again"});
  return diagnostics.all()[0];
}

constexpr const char* shared = "names and lists are shared so often that copies of them take more than ";

}  // namespace

TEST_CASE("security: a program's values that share a name") {
  Builder builder;
  const auto name = builder.CreateString(std::string(100'000, 'n'));
  ProgramParts parts;
  for (int i = 0; i < 5'000; ++i) {
    file::ProgramValueBuilder value(builder);
    value.add_name(name);
    parts.values.push_back(value.Finish());
  }
  const Diagnostic found = refused_program(program_file(builder, parts));
  CHECK(contains(found.message, shared));
  CHECK(found.location.path.starts_with("/values/"));
}

TEST_CASE("security: a program's steps that share lists of a shared word") {
  Builder builder;
  const auto kernel = builder.CreateString("reference.lstm");
  const auto op = builder.CreateString("lstm");
  const auto attributes = activations(builder, 2'000, 500);
  ProgramParts parts;
  for (int i = 0; i < 1'000; ++i) parts.steps.push_back(file::CreateStep(builder, kernel, op, attributes));
  const Diagnostic found = refused_program(program_file(builder, parts));
  CHECK(contains(found.message, shared));
  CHECK(found.location.path == "/steps/0");
}

TEST_CASE("security: tables and lists of words that are shared are not walked through each time") {
  SUBCASE("a value") {
    Builder builder;
    const auto value = file::CreateProgramValue(builder, builder.CreateString("n"));
    const Diagnostic found =
        refused_program(program_file(builder, {.values = Offsets<file::ProgramValue>(200'000, value)}));
    CHECK(found.message == "the metadata is no correct FlatBuffer");
  }
  SUBCASE("a list of words") {
    Builder builder;
    const auto kernel = builder.CreateString("reference.lstm");
    const auto op = builder.CreateString("lstm");
    const std::vector<flatbuffers::Offset<flatbuffers::String>> words(1'000'000, builder.CreateString(""));
    const auto list = builder.CreateVector(words);
    const auto name = builder.CreateString("activations");
    Offsets<file::Attribute> attributes;
    for (int i = 0; i < 20'000; ++i) attributes.push_back(attribute_of(builder, name, list.o));
    const Diagnostic found = refused_program(
        program_file(builder, {.steps = {file::CreateStep(builder, kernel, op, builder.CreateVector(attributes))}}));
    CHECK(found.message == "lstm has attributes that its row does not know");  // the same one twice
  }
}

TEST_CASE("security: a list of words that lead out of the metadata") {
  const auto read_with = [](std::uint32_t offset) {
    Builder builder;
    const auto kernel = builder.CreateString("reference.lstm");
    const auto op = builder.CreateString("lstm");
    const auto list = builder.CreateVector(std::vector<std::uint32_t>{offset});
    const auto name = builder.CreateString("activations");
    const auto attributes = builder.CreateVector(Offsets<file::Attribute>{attribute_of(builder, name, list.o)});
    return refused_program(program_file(builder, {.steps = {file::CreateStep(builder, kernel, op, attributes)}}));
  };
  for (const std::uint32_t offset : {0u, 1u, 3u, 1u << 20, 0x7fffffffu, 0x80000000u, 0xffffffffu}) {
    CAPTURE(offset);
    const Diagnostic found = read_with(offset);
    CHECK(found.message == "a list of words is no correct FlatBuffer");
    CHECK(found.location.path == "/steps/0");
  }
}

TEST_CASE("security: a program's step with very many operands or post-ops, or with a long form of them") {
  const auto refused_step = [](std::size_t form_bytes, std::size_t operands, std::size_t post_ops) {
    Builder builder;
    const auto value = [&](const char* name, Layout layout, Slot::Kind place, std::size_t form) {
      const auto shape = builder.CreateVector(std::vector<std::uint32_t>{1});
      return file::CreateProgramValue(builder, builder.CreateString(name), std::uint8_t(DataType::uint8), shape,
                                      std::uint8_t(layout), std::uint8_t(place), 0, 0, 1, no_index,
                                      builder.CreateString(std::string(form, 'f')));
    };
    ProgramParts parts;
    parts.values = {value("c", form_bytes ? Layout::private_form : Layout::row_major, Slot::Kind::constant, form_bytes),
                    value("y", Layout::row_major, Slot::Kind::arena, 0)};
    parts.constants = {file::CreateConstant(builder, 0, 1)};
    const auto kernel = builder.CreateString("reference.concat"), op = builder.CreateString("concat"),
               relu = builder.CreateString("relu");
    const auto places = builder.CreateVector(std::vector<std::uint8_t>{1, 0, 0});
    Offsets<file::PostOp> relus;
    for (std::size_t i = 0; i < post_ops; ++i) relus.push_back(file::CreatePostOp(builder, relu, 0, places));
    const auto axis =
        builder.CreateVector(Offsets<file::Attribute>{file::CreateAttribute(builder, builder.CreateString("axis"), 1)});
    const auto inputs = builder.CreateVector(std::vector<std::uint32_t>(operands, 0));
    const auto outputs = builder.CreateVector(std::vector<std::uint32_t>{1});
    parts.steps = {file::CreateStep(builder, kernel, op, axis, builder.CreateVector(relus), inputs, outputs)};
    parts.arena_bytes = 64;
    return refused_program(program_file(builder, parts, 1), Code::program_unsafe).message;
  };
  const std::string form = refused_step(200'000, 8000, 0);
  CHECK(form == "value 0 'c': the name of its private form has 200000 bytes, at most 256 can be");
  CHECK(contains(refused_step(256, 8000, 0), "output 0 of concat is uint8[8000], found uint8[1]"));
  CHECK(contains(refused_step(0, 1'000'000, 0), "its operator has 1000000 operands, at most 8192 can be"));
  CHECK(contains(refused_step(0, 2, 40'000), "it has 40000 post-ops, at most 32 can be"));
}

TEST_CASE("security: constants that are the same bytes of a file") {
  constexpr std::uint64_t bytes = 400'000;
  SUBCASE("of a program") {
    Builder builder;
    ProgramParts parts;
    for (int i = 0; i < 2; ++i) parts.constants.push_back(file::CreateConstant(builder, 0, bytes));
    const Diagnostic found = refused_program(program_file(builder, parts, bytes));
    CHECK(found.message == "the constants together are longer than the 400000 bytes that the file has of them");
    CHECK(found.location.path == "/constants/1");
  }
  SUBCASE("of a graph") {
    Builder builder;
    const auto shape = builder.CreateVector(std::vector<std::uint32_t>{bytes});
    Offsets<file::GraphValue> values;
    for (const char* name : {"a", "b"})
      values.push_back(
          file::CreateGraphValue(builder, builder.CreateString(name), std::uint8_t(DataType::uint8), shape, 0));
    const Offsets<file::GraphConstant> constants{file::CreateGraphConstant(builder, 0, bytes)};
    const Diagnostic found = refused_graph(graph_file(builder, values, {}, {}, constants, bytes));
    CHECK(found.message == "the constants together are longer than the 400000 bytes that the file has of them");
    CHECK(found.location.path == "/values/1");
  }
}

TEST_CASE("security: a graph's nodes that share a label, and lists") {
  constexpr std::uint32_t count = 4'000;
  const auto read_with = [](std::size_t label_length, std::size_t words) {
    Builder builder;
    const auto shape = builder.CreateVector(std::vector<std::uint32_t>{4});
    Offsets<file::GraphValue> values;
    for (std::uint32_t i = 0; i <= count; ++i) {
      const auto name = builder.CreateString("v" + std::to_string(i));
      values.push_back(file::CreateGraphValue(builder, name, std::uint8_t(DataType::float32), shape));
    }
    const auto op = builder.CreateString(words ? "lstm" : "relu");
    const auto label = builder.CreateString(std::string(label_length, 'l'));
    const auto attributes = words ? activations(builder, words, 1'000) : flatbuffers::Offset<FileAttributes>();
    Offsets<file::Node> nodes;
    for (std::uint32_t i = 0; i < count; ++i) {
      const auto inputs = builder.CreateVector(std::vector<std::uint32_t>{i});
      const auto outputs = builder.CreateVector(std::vector<std::uint32_t>{i + 1});
      nodes.push_back(file::CreateNode(builder, op, inputs, outputs, attributes, label));
    }
    return refused_graph(graph_file(builder, values, {0}, nodes));
  };
  for (const auto& [label_length, words] : {std::pair(400'000, 0), std::pair(0, 2'000)}) {
    const Diagnostic found = read_with(std::size_t(label_length), std::size_t(words));
    CHECK(contains(found.message, shared));
    CHECK(found.location.path.starts_with("/nodes/"));
  }
}

TEST_CASE("security: what our writers make is far from what is refused: it shares nothing") {
  compiler::Graph graph;
  ValueId last = graph.add_input("x", {DataType::float32, {4}});
  for (int i = 0; i < 64'000; ++i) {
    const std::vector<std::string> names{"v" + std::to_string(i)};
    const NodeId node = graph.add_node(*find_operator("relu"), {last}, {}, names, "the same label for all of them");
    last = graph.node(node).outputs[0];
  }
  graph.add_output("y", last);
  const File file = written_file([&](const FileSink& sink) { write_binary_graph(graph, sink); });
  Diagnostics diagnostics;
  CHECK(read_binary_graph(Bytes(file), {}, diagnostics));

  // A quarter of what may be copied is what is in the file.
  const Bytes bytes(file);
  const auto container = open_container(bytes.view(), graph_container, "g.wnnb", diagnostics);
  REQUIRE(container);
  MetadataReader reader(*container, bytes);
  const file::Graph& metadata = *file::GetGraph(container->metadata.data());
  for (int times = 0; times < 4; ++times)
    for (const file::Node* node : *metadata.nodes()) {
      reader.text(node->op());
      reader.text(node->label());
      reader.list(node->inputs());
      reader.list(node->outputs());
    }
}

}  // namespace webnn::tests::shared_metadata_test
