// Metadata and constants -> Program. Nothing in the file is trusted: the Verifier proves its structure, this file
// checks that every name and number is known, and verify_program proves that running it is safe.
#include <algorithm>
#include <file_form/program_generated.h>

#include "schema/file/attributes.hpp"
#include "schema/file/program_file.hpp"
#include "schema/text.hpp"
#include "schema/verify_program.hpp"
#include "schema/version.hpp"

namespace webnn::schema {
namespace {

/// What is wrong, as one sentence; caught only in read_program.
struct Refusal {
  Code code;
  std::string message;
  std::string hint;
};

[[noreturn]] void refuse(const std::string& message) {
  throw Refusal{Code::program_structure, message, "compile the graph again"};
}

std::string text(const flatbuffers::String* word) { return word ? word->str() : std::string(); }

template <class T>
std::vector<T> words_of(const flatbuffers::Vector<T>* list) {
  return list ? std::vector<T>(list->begin(), list->end()) : std::vector<T>();
}

/// An enumerator from its number.
template <class Enum>
Enum enumerator(std::uint8_t value, Enum last, const char* noun) {
  if (value > std::uint8_t(last)) refuse(std::string(noun) + " number " + std::to_string(value) + " does not exist");
  return Enum(value);
}

OperandDescriptor descriptor(std::uint8_t type, const flatbuffers::Vector<std::uint32_t>* shape) {
  OperandDescriptor result;
  if (type >= data_type_count) refuse("data type number " + std::to_string(type) + " does not exist");
  result.type = DataType(type);
  const std::vector<std::uint32_t> sizes = words_of(shape);
  if (sizes.size() > max_rank) refuse("a value has rank " + std::to_string(sizes.size()));
  result.shape = Shape(sizes);
  if (const std::string problem = descriptor_error(result); !problem.empty()) refuse(problem);
  return result;
}

OperatorId operator_named(const flatbuffers::String* name) {
  const auto id = find_any_operator(text(name));
  if (!id) refuse("there is no operator " + in_quotes(text(name)));
  return *id;
}

Attributes attributes(OperatorId op, const FileAttributes* list) {
  auto result = read_attributes(row(op), list);
  if (!result) refuse(std::string(row(op).name) + " has attributes that its row does not know");
  return std::move(*result);
}

ProgramValue read_value(const file::ProgramValue& value) {
  ProgramValue result;
  result.name = text(value.name());
  result.descriptor = descriptor(value.type(), value.shape());
  result.layout = enumerator(value.layout(), Layout::private_form, "layout");
  result.slot = {enumerator(value.slot(), Slot::Kind::lines, "place"), value.slot_index(), value.slot_offset(),
                 value.slot_bytes()};
  result.view_of = value.view_of();
  result.form = text(value.form());
  return result;
}

Step read_step(const file::Step& step, const KernelTable& kernels) {
  Step result;
  const auto kernel = kernels.find(text(step.kernel()));
  if (!kernel)
    throw Refusal{Code::program_kernel, "this build has no kernel " + in_quotes(text(step.kernel())),
                  "compile the graph with this build"};
  result.kernel = *kernel;
  result.op = operator_named(step.op());
  result.attributes = attributes(result.op, step.attributes());
  result.inputs = words_of(step.inputs());
  std::vector<WrittenOperands> operands;
  if (step.post_ops())
    for (const file::PostOp* post_op : *step.post_ops()) {
      const OperatorId op = operator_named(post_op->op());
      result.post_ops.push_back({op, attributes(op, post_op->attributes())});
      if (!post_op->operands() || post_op->operands()->size() != operands.emplace_back().size())
        refuse("a post-op does not say where its operands come from");
      std::ranges::copy(*post_op->operands(), operands.back().begin());
    }
  if (const std::string error = read_operands(result.post_ops, operands, result.inputs.size()); !error.empty())
    refuse(error);
  result.outputs = words_of(step.outputs());
  result.label = text(step.label());
  return result;
}

std::vector<Binding> read_bindings(const flatbuffers::Vector<flatbuffers::Offset<file::Binding>>* list) {
  std::vector<Binding> bindings;
  if (!list) return bindings;
  for (const file::Binding* binding : *list)
    bindings.push_back({text(binding->name()), descriptor(binding->type(), binding->shape()), binding->value(),
                        enumerator(binding->layout(), Layout::private_form, "layout")});
  return bindings;
}

/// The embedded graph; empty when there is none.
Bytes carried_graph(const file::Program& metadata, const Container& container, const Bytes& file) {
  const file::Constant* graph = metadata.graph();
  if (!graph) return {};
  auto bytes = constant_at(container, file, {graph->offset(), graph->bytes(), graph->checksum()});
  if (!bytes) refuse("the graph that the program carries does not lie in the file");
  return std::move(*bytes);
}

void read_constants(const file::Program& metadata, const Container& container, const Bytes& file, Program& program) {
  if (!metadata.constants()) return;
  for (const file::Constant* constant : *metadata.constants()) {
    auto bytes = constant_at(container, file, {constant->offset(), constant->bytes(), constant->checksum()});
    if (!bytes) refuse("constant " + std::to_string(program.constants.size()) + " does not lie in the file");
    program.constants.push_back(std::move(*bytes));
    program.constant_checksums.push_back(constant->checksum());
  }
}

/// The metadata, after the Verifier has accepted them.
const file::Program& metadata_of(const Container& container) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(container.metadata.data());
  flatbuffers::Verifier verifier(bytes, container.metadata.size(), 64, 100'000'000);
  if (container.metadata.size() < 16 || !file::VerifyProgramBuffer(verifier))
    refuse("the metadata is no correct FlatBuffer");
  return *file::GetProgram(bytes);
}

Target target(const file::Program& metadata) {
  return {enumerator(metadata.device(), *std::rbegin(device_kinds), "device"), Feature(metadata.features()),
          metadata.compute_units()};
}

void check_version(const file::Program& metadata) {
  if (metadata.tables() != hash_of_tables())
    throw Refusal{Code::program_version,
                  "the program was written by version " + in_quotes(text(metadata.tool_version())) +
                      ", whose tables are not those of version " + in_quotes(version),
                  "compile the graph again"};
}

void check_target(const Target& wanted, const Target& here) {
  const bool is_for_cpu = wanted.device == DeviceKind::cpu;
  if (wanted.device != here.device)
    throw Refusal{
        Code::program_device,
        "the program is for device " + in_quotes(name_of(wanted.device)) + ", this one is " +
            in_quotes(name_of(here.device)),
        "run it with --device " + std::string(row(wanted.device).word) + ", or compile the graph for this device"};
  const Feature own = without(wanted.features, Feature::cpu_fallback);
  if (!includes(here.features, own))
    throw Refusal{
        Code::program_target,
        "the program needs " + in_quotes(text_of(own)) + ", this machine offers " + in_quotes(text_of(here.features)),
        is_for_cpu ? "compile the graph here, or for an older processor with --isa"
                   : "compile the graph for this device"};
  if (!includes(here.features, wanted.features))
    throw Refusal{Code::program_fallback, "steps of the program run on the CPU, beside those that run on the GPU",
                  "allow it with --fallback op, or compile the graph without that"};
}

Program read(const Bytes& file, const Container& container, const KernelTable& kernels, const Target* machine) {
  const file::Program& metadata = metadata_of(container);
  check_version(metadata);
  Program program;
  program.name = text(metadata.name());
  program.tool_version = text(metadata.tool_version());
  program.target = target(metadata);
  if (machine) check_target(program.target, *machine);
  program.arena_bytes = metadata.arena_bytes();
  if (metadata.values())
    for (const file::ProgramValue* value : *metadata.values()) program.values.push_back(read_value(*value));
  if (metadata.steps())
    for (const file::Step* step : *metadata.steps()) program.steps.push_back(read_step(*step, kernels));
  program.inputs = read_bindings(metadata.inputs());
  program.outputs = read_bindings(metadata.outputs());
  read_constants(metadata, container, file, program);
  program.graph = carried_graph(metadata, container, file);
  if (const std::vector<std::string> problems = verify_program(program); !problems.empty())
    throw Refusal{Code::program_unsafe, problems.front(), "compile the graph again"};
  program.verified = true;
  return program;
}

}  // namespace

std::optional<Program> read_program(const Bytes& file, const std::string& file_name, const KernelTable& kernels,
                                    const Target* machine, Diagnostics& diagnostics) {
  const auto container = open_container(file.view(), program_container, file_name, diagnostics);
  if (!container) return std::nullopt;
  try {
    return read(file, *container, kernels, machine);
  } catch (const Refusal& refusal) {
    diagnostics.error(refusal.code, {file_name, 0, 0, {}}, refusal.message).hints.push_back(refusal.hint);
    return std::nullopt;
  }
}

namespace {

/// What `part` extracts from the metadata of a file; an empty result when they are damaged.
template <class Part>
auto part_of(const Bytes& file, Part part) -> decltype(part(std::declval<const file::Program&>(), Container{})) {
  Diagnostics ignored;
  const auto container = open_container(file.view(), program_container, {}, ignored);
  if (!container) return {};
  try {
    return part(metadata_of(*container), *container);
  } catch (const Refusal&) {
    return {};
  }
}

}  // namespace

std::optional<Target> target_of_program(const Bytes& file) {
  return part_of(file, [](const file::Program& metadata, const Container&) { return std::optional(target(metadata)); });
}

Bytes graph_of_program(const Bytes& file) {
  return part_of(file, [&](const file::Program& metadata, const Container& container) {
    return carried_graph(metadata, container, file);
  });
}

}  // namespace webnn::schema
