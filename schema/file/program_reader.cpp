// Metadata and constants -> Program. Nothing in the file is trusted: the Verifier proves its structure, this file
// checks that every name and number is known, and verify_program proves that running it is safe.
#include <algorithm>
#include <file_form/program_generated.h>

#include "schema/error.hpp"
#include "schema/file/attributes.hpp"
#include "schema/file/checksum.hpp"
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

/// An enumerator from its number.
template <class Enum>
Enum enumerator(std::uint8_t value, Enum last, const char* noun) {
  if (value > std::uint8_t(last)) refuse(std::string(noun) + " number " + std::to_string(value) + " does not exist");
  return Enum(value);
}

OperandDescriptor descriptor(std::uint8_t type, const flatbuffers::Vector<std::uint32_t>* shape,
                             MetadataReader& reader) {
  OperandDescriptor result;
  if (type >= data_type_count) refuse("data type number " + std::to_string(type) + " does not exist");
  result.type = DataType(type);
  const std::vector<std::uint32_t> sizes = reader.list(shape);
  if (sizes.size() > max_rank) refuse("a value has rank " + std::to_string(sizes.size()));
  result.shape = Shape(sizes);
  if (const std::string problem = descriptor_error(result); !problem.empty()) refuse(problem);
  return result;
}

OperatorId operator_named(const std::string& name) {
  const auto id = find_any_operator(name);
  if (!id) refuse("there is no operator " + in_quotes(name));
  return *id;
}

Attributes attributes(OperatorId op, const FileAttributes* list, MetadataReader& reader) {
  auto result = read_attributes(row(op), list, reader);
  if (!result) refuse(std::string(row(op).name) + " has attributes that its row does not know");
  return std::move(*result);
}

ProgramValue read_value(const file::ProgramValue& value, MetadataReader& reader) {
  ProgramValue result;
  result.name = reader.text(value.name());
  result.descriptor = descriptor(value.type(), value.shape(), reader);
  result.layout = enumerator(value.layout(), Layout::private_form, "layout");
  result.slot = {enumerator(value.slot(), Slot::Kind::lines, "place"), value.slot_index(), value.slot_offset(),
                 value.slot_bytes()};
  result.view_of = value.view_of();
  result.form = reader.text(value.form());
  return result;
}

Step read_step(const file::Step& step, const KernelTable& kernels, MetadataReader& reader) {
  Step result;
  const std::string kernel_name = reader.text(step.kernel());
  const auto kernel = kernels.find(kernel_name);
  if (!kernel)
    throw Refusal{Code::program_kernel, "this build has no kernel " + in_quotes(kernel_name),
                  "compile the graph with this build"};
  result.kernel = *kernel;
  result.op = operator_named(reader.text(step.op()));
  result.attributes = attributes(result.op, step.attributes(), reader);
  result.inputs = reader.list(step.inputs());
  std::vector<WrittenOperands> operands;
  if (step.post_ops())
    for (const file::PostOp* post_op : *step.post_ops()) {
      const OperatorId op = operator_named(reader.text(post_op->op()));
      result.post_ops.push_back({op, attributes(op, post_op->attributes(), reader)});
      if (!post_op->operands() || post_op->operands()->size() != operands.emplace_back().size())
        refuse("a post-op does not say where its operands come from");
      std::ranges::copy(*post_op->operands(), operands.back().begin());
    }
  if (const std::string error = read_operands(result.post_ops, operands, result.inputs.size()); !error.empty())
    refuse(error);
  result.outputs = reader.list(step.outputs());
  result.label = reader.text(step.label());
  return result;
}

std::vector<Binding> read_bindings(const flatbuffers::Vector<flatbuffers::Offset<file::Binding>>* list,
                                   MetadataReader& reader) {
  std::vector<Binding> bindings;
  if (!list) return bindings;
  for (const file::Binding* binding : *list)
    bindings.push_back({reader.text(binding->name()), descriptor(binding->type(), binding->shape(), reader),
                        binding->value(), enumerator(binding->layout(), Layout::private_form, "layout")});
  return bindings;
}

/// The embedded graph; empty when there is none.
Bytes carried_graph(const file::Program& metadata, MetadataReader& reader) {
  const file::Constant* graph = metadata.graph();
  if (!graph) return {};
  auto bytes = reader.constant({graph->offset(), graph->bytes(), graph->checksum()});
  if (!bytes) refuse("the graph that the program carries does not lie in the file");
  return std::move(*bytes);
}

void read_constants(const file::Program& metadata, MetadataReader& reader, Program& program) {
  if (!metadata.constants()) return;
  for (const file::Constant* constant : *metadata.constants()) {
    reader.at("constants", program.constants.size());
    auto bytes = reader.constant({constant->offset(), constant->bytes(), constant->checksum()});
    if (!bytes) refuse("constant " + std::to_string(program.constants.size()) + " does not lie in the file");
    program.constants.push_back(std::move(*bytes));
    program.constant_checksums.push_back(constant->checksum());
  }
}

/// The metadata, after the Verifier has accepted them.
const file::Program& metadata_of(const Container& container, const MetadataReader& reader) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(container.metadata.data());
  flatbuffers::Verifier verifier = reader.verifier();
  if (container.metadata.size() < 16 || !file::VerifyProgramBuffer(verifier))
    refuse("the metadata is no correct FlatBuffer");
  return *file::GetProgram(bytes);
}

Target target(const file::Program& metadata) {
  return {enumerator(metadata.device(), *std::rbegin(device_kinds), "device"), Feature(metadata.features()),
          metadata.compute_units()};
}

void check_version(const file::Program& metadata, MetadataReader& reader) {
  if (metadata.tables() != hash_of_tables())
    throw Refusal{Code::program_version,
                  "the program was written by version " + in_quotes(reader.text(metadata.tool_version())) +
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

Program read(const Container& container, MetadataReader& reader, const KernelTable& kernels, const Target* machine) {
  const file::Program& metadata = metadata_of(container, reader);
  check_version(metadata, reader);
  Program program;
  program.name = reader.text(metadata.name());
  program.tool_version = reader.text(metadata.tool_version());
  program.target = target(metadata);
  if (machine) check_target(program.target, *machine);
  program.arena_bytes = metadata.arena_bytes();
  if (metadata.values())
    for (const file::ProgramValue* value : *metadata.values()) {
      reader.at("values", program.values.size());
      program.values.push_back(read_value(*value, reader));
    }
  if (metadata.steps())
    for (const file::Step* step : *metadata.steps()) {
      reader.at("steps", program.steps.size());
      program.steps.push_back(read_step(*step, kernels, reader));
    }
  reader.at("inputs", 0);
  program.inputs = read_bindings(metadata.inputs(), reader);
  reader.at("outputs", 0);
  program.outputs = read_bindings(metadata.outputs(), reader);
  read_constants(metadata, reader, program);
  program.graph = carried_graph(metadata, reader);
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
  const auto report = [&](Code code, const std::string& path, const std::string& message, const std::string& hint) {
    diagnostics.error(code, {file_name, 0, 0, path}, message).hints.push_back(hint);
    return std::nullopt;
  };
  try {
    MetadataReader reader(*container, file);
    return read(*container, reader, kernels, machine);
  } catch (const Refusal& refusal) {
    return report(refusal.code, {}, refusal.message, refusal.hint);
  } catch (const MetadataReader::Refusal& refusal) {
    return report(Code::program_structure, refusal.path, refusal.message, "compile the graph again");
  }
}

namespace {

/// What `part` extracts from the metadata of a file; an empty result when they are damaged.
template <class Part>
auto part_of(const Bytes& file, Part part)
    -> decltype(part(std::declval<const file::Program&>(), std::declval<MetadataReader&>())) {
  Diagnostics ignored;
  const auto container = open_container(file.view(), program_container, {}, ignored);
  if (!container) return {};
  try {
    MetadataReader reader(*container, file);
    return part(metadata_of(*container, reader), reader);
  } catch (const Refusal&) {
    return {};
  } catch (const MetadataReader::Refusal&) {
    return {};
  }
}

}  // namespace

void check_constants(const Program& program) {
  for (std::size_t i = 0; i < program.constant_checksums.size() && i < program.constants.size(); ++i)
    if (const std::uint64_t found = checksum_of(program.constants[i].view()); found != program.constant_checksums[i])
      throw Error(ExitCode::program,
                  "constant " + std::to_string(i) + " of the program has the checksum " + checksum_text(found) +
                      ", the file says " + checksum_text(program.constant_checksums[i]),
                  "the file was changed; copy it again or compile the graph again");
}

std::optional<Target> target_of_program(const Bytes& file) {
  return part_of(file, [](const file::Program& metadata, MetadataReader&) { return std::optional(target(metadata)); });
}

Bytes graph_of_program(const Bytes& file) {
  return part_of(file,
                 [](const file::Program& metadata, MetadataReader& reader) { return carried_graph(metadata, reader); });
}

}  // namespace webnn::schema
