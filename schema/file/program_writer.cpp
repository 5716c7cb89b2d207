// Program -> metadata and constants.
#include <file_form/program_generated.h>

#include "schema/file/attributes.hpp"
#include "schema/file/program_file.hpp"
#include "schema/version.hpp"

namespace webnn::schema {
namespace {

using Builder = flatbuffers::FlatBufferBuilder;
template <class T>
using Offsets = std::vector<flatbuffers::Offset<T>>;

flatbuffers::Offset<flatbuffers::String> text(Builder& builder, std::string_view word) {
  return builder.CreateString(word.data(), word.size());
}
flatbuffers::Offset<flatbuffers::Vector<std::uint32_t>> sizes(Builder& builder, const Shape& shape) {
  return builder.CreateVector(shape.begin(), shape.rank());
}

flatbuffers::Offset<file::ProgramValue> write_value(Builder& builder, const ProgramValue& value) {
  const auto name = text(builder, value.name);
  const auto shape = sizes(builder, value.descriptor.shape);
  const auto form = value.form.empty() ? flatbuffers::Offset<flatbuffers::String>() : text(builder, value.form);
  return file::CreateProgramValue(builder, name, std::uint8_t(value.descriptor.type), shape, std::uint8_t(value.layout),
                                  std::uint8_t(value.slot.kind), value.slot.index, value.slot.offset, value.slot.bytes,
                                  value.view_of, form);
}

flatbuffers::Offset<file::PostOp> write_post_op(Builder& builder, const Expression& expression, std::size_t step) {
  const Operator& op = row(expression.op(step));
  const auto name = text(builder, op.name);
  const auto attributes = write_attributes(builder, op, expression.attributes(step));
  const WrittenOperands operands = written_operands(expression, step);
  return file::CreatePostOp(builder, name, attributes, builder.CreateVector(operands.data(), operands.size()));
}

flatbuffers::Offset<file::Step> write_step(Builder& builder, const Step& step) {
  const Operator& op = row(step.op);
  Offsets<file::PostOp> post_ops;
  const Expression expression(step);
  for (std::size_t i = 1; i < expression.size(); ++i) post_ops.push_back(write_post_op(builder, expression, i));
  const auto kernel = text(builder, row(step.kernel).name);
  const auto name = text(builder, op.name);
  const auto attributes = write_attributes(builder, op, step.attributes);
  const auto post_op_list = builder.CreateVector(post_ops);
  const auto inputs = builder.CreateVector(step.inputs);
  const auto outputs = builder.CreateVector(step.outputs);
  return file::CreateStep(builder, kernel, name, attributes, post_op_list, inputs, outputs, text(builder, step.label));
}

flatbuffers::Offset<flatbuffers::Vector<flatbuffers::Offset<file::Binding>>> write_bindings(
    Builder& builder, const std::vector<Binding>& bindings) {
  Offsets<file::Binding> list;
  for (const Binding& binding : bindings) {
    const auto name = text(builder, binding.name);
    const auto shape = sizes(builder, binding.descriptor.shape);
    list.push_back(file::CreateBinding(builder, name, std::uint8_t(binding.descriptor.type), shape, binding.value,
                                       std::uint8_t(binding.layout)));
  }
  return builder.CreateVector(list);
}

}  // namespace

void write_program(const Program& program, const FileSink& sink) {
  Builder builder;
  Offsets<file::ProgramValue> values;
  for (const ProgramValue& value : program.values) {
    values.push_back(write_value(builder, value));
    check_metadata_size(program_container, builder.GetSize());
  }
  Offsets<file::Step> steps;
  for (const Step& step : program.steps) {
    steps.push_back(write_step(builder, step));
    check_metadata_size(program_container, builder.GetSize());
  }
  std::vector<Bytes> behind = program.constants;
  if (program.graph.size() != 0) behind.push_back(program.graph);
  Offsets<file::Constant> constants;
  for (const ConstantPlace& place : place_constants(behind))
    constants.push_back(file::CreateConstant(builder, place.offset, place.bytes, place.checksum));
  flatbuffers::Offset<file::Constant> graph;
  if (program.graph.size() != 0) {
    graph = constants.back();
    constants.pop_back();
  }
  const auto inputs = write_bindings(builder, program.inputs);
  const auto outputs = write_bindings(builder, program.outputs);
  const auto value_list = builder.CreateVector(values);
  const auto step_list = builder.CreateVector(steps);
  const auto constant_list = builder.CreateVector(constants);
  const auto tool = text(builder, version);
  const auto name = text(builder, program.name);
  file::FinishProgramBuffer(
      builder, file::CreateProgram(builder, tool, hash_of_tables(), name, std::uint8_t(program.target.device),
                                   std::uint32_t(program.target.features), value_list, step_list, inputs, outputs,
                                   constant_list, program.arena_bytes, graph, program.target.compute_units));
  write_container(program_container, std::as_bytes(std::span(builder.GetBufferPointer(), builder.GetSize())), behind,
                  sink);
}

}  // namespace webnn::schema
