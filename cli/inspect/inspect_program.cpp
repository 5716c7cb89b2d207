#include "cli/inspect/inspect_program.hpp"

#include <algorithm>
#include <ostream>

#include "api/devices.hpp"
#include "api/kernels.hpp"
#include "api/runner/read_program.hpp"
#include "cli/inspect/arena_plan.hpp"
#include "cli/json/json.hpp"
#include "cli/output/messages.hpp"
#include "cli/output/summary.hpp"
#include "cli/programs/chosen_device.hpp"
#include "schema/error.hpp"
#include "schema/file/checksum.hpp"
#include "schema/file/program_file.hpp"
#include "schema/text.hpp"

namespace webnn::cli {
namespace {

using namespace schema;

/// The value that a constant belongs to; null if there is none.
const ProgramValue* value_of_constant(const Program& program, std::size_t constant) {
  for (const ProgramValue& value : program.values)
    if (value.slot.kind == Slot::Kind::constant && value.slot.index == constant && value.view_of == no_index)
      return &value;
  return nullptr;
}

/// The name of a constant's private form, or of its layout.
std::string_view form_of(const ProgramValue& value) {
  return value.form.empty() ? name_of(value.layout) : std::string_view(value.form);
}

std::uint64_t constant_bytes(const Program& program) {
  std::uint64_t bytes = 0;
  for (const Bytes& constant : program.constants) bytes += constant.size();
  return bytes;
}

std::string operands_text(const Program& program, const std::vector<std::uint32_t>& values) {
  std::string text;
  for (const std::uint32_t value : values)
    text += (text.empty() ? "" : ", ") + (value == no_index ? "-" : escaped(program.values[value].name));
  return text;
}

void print_bindings(std::ostream& out, const char* title, const std::vector<Binding>& bindings) {
  for (const Binding& binding : bindings)
    out << title << escaped(binding.name) << ": " << binding.descriptor.text()
        << (binding.layout == Layout::row_major ? "" : " " + std::string(name_of(binding.layout)))
        << (binding.value == no_index ? ", not used" : "") << "\n";
}

void print_steps(std::ostream& out, const Program& program) {
  out << "steps    " << program.steps.size() << "\n";
  for (std::size_t i = 0; i < program.steps.size(); ++i) {
    const Step& step = program.steps[i];
    out << "  " << i << "  " << row(step.kernel).name << "  " << row(step.op).name;
    for (const PostOp& post_op : step.post_ops) out << " -> " << row(post_op.op).name;
    out << "(" << operands_text(program, step.inputs) << ") -> " << operands_text(program, step.outputs) << "  label "
        << in_quotes(step.label) << "\n";
  }
}

void print_memory(std::ostream& out, const Program& program) {
  out << "arena    " << program.arena_bytes << " bytes; downwards, over the steps:\n";
  const std::vector<ArenaUse> uses = arena_uses(program);
  out << arena_picture(uses, program.arena_bytes, program.steps.size());
  for (std::size_t i = 0; i < uses.size(); ++i)
    out << "  " << arena_letter(i) << "  " << uses[i].offset << ".." << uses[i].offset + uses[i].bytes << "  steps "
        << uses[i].first_step << ".." << uses[i].last_step << "  " << escaped(uses[i].name) << ": "
        << program.values[uses[i].value].descriptor.text() << "\n";
}

void print_constants(std::ostream& out, const Program& program) {
  out << "constants " << program.constants.size() << ", " << size_text(constant_bytes(program)) << "\n";
  for (std::size_t i = 0; i < program.constants.size(); ++i) {
    out << "  " << i << "  " << size_text(program.constants[i].size()) << "  "
        << checksum_text(program.constant_checksums[i]);
    if (const ProgramValue* value = value_of_constant(program, i))
      out << "  " << escaped(form_of(*value)) << "  " << escaped(value->name) << ": " << value->descriptor.text();
    out << "\n";
  }
}

void print_program(std::ostream& out, const api::Source& file, const Program& program) {
  out << escaped(file.name) << ": program " << in_quotes(program.name) << ", " << size_text(file.content.size()) << "\n"
      << "needs    device " << name_of(program.target.device) << ", features " << text_of(program.target.features)
      << "\n";
  if (program.target.compute_units != 0) out << "made for " << program.target.compute_units << " compute units\n";
  out << "made by  webnn-cli " << escaped(program.tool_version) << "\n";
  print_bindings(out, "input    ", program.inputs);
  print_bindings(out, "output   ", program.outputs);
  print_steps(out, program);
  print_memory(out, program);
  print_constants(out, program);
  if (program.graph.size() != 0) out << "graph    carried, " << size_text(program.graph.size()) << "\n";
}

Json bindings_json(const std::vector<Binding>& bindings) {
  Json list = Json::array();
  for (const Binding& binding : bindings) {
    Json json = descriptor_json(binding.name, binding.descriptor);
    json["layout"] = name_of(binding.layout);
    json["used"] = binding.value != no_index;
    list.push_back(std::move(json));
  }
  return list;
}

Json names_json(const Program& program, const std::vector<std::uint32_t>& values) {
  Json list = Json::array();
  for (const std::uint32_t value : values)
    list.push_back(value == no_index ? Json(nullptr) : Json(program.values[value].name));
  return list;
}

Json step_json(const Program& program, const Step& step) {
  Json post_ops = Json::array();
  for (const PostOp& post_op : step.post_ops) post_ops.push_back(row(post_op.op).name);
  return {{"kernel", row(step.kernel).name},
          {"operator", row(step.op).name},
          {"postOps", std::move(post_ops)},
          {"label", step.label},
          {"inputs", names_json(program, step.inputs)},
          {"outputs", names_json(program, step.outputs)}};
}

Json program_json(const api::Source& file, const Program& program) {
  Json steps = Json::array(), memory = Json::array(), constants = Json::array();
  for (const Step& step : program.steps) steps.push_back(step_json(program, step));
  for (const ArenaUse& use : arena_uses(program)) {
    Json json = descriptor_json(use.name, program.values[use.value].descriptor);
    json.update(
        {{"offset", use.offset}, {"bytes", use.bytes}, {"firstStep", use.first_step}, {"lastStep", use.last_step}});
    memory.push_back(std::move(json));
  }
  for (std::size_t i = 0; i < program.constants.size(); ++i) {
    const ProgramValue* value = value_of_constant(program, i);
    Json json = value ? descriptor_json(value->name, value->descriptor) : Json::object();
    json["bytes"] = program.constants[i].size();
    json["checksum"] = checksum_text(program.constant_checksums[i]);
    if (value) json["form"] = form_of(*value);
    constants.push_back(std::move(json));
  }
  Json document{{"schema", "webnn-cli/inspect-program/1"},
                {"name", program.name},
                {"bytes", file.content.size()},
                {"toolVersion", program.tool_version},
                {"device", name_of(program.target.device)},
                {"features", text_of(program.target.features)},
                {"inputs", bindings_json(program.inputs)},
                {"outputs", bindings_json(program.outputs)},
                {"steps", std::move(steps)},
                {"arenaBytes", program.arena_bytes},
                {"memory", std::move(memory)},
                {"constants", std::move(constants)},
                {"graphBytes", program.graph.size()}};
  if (program.target.compute_units != 0) document["computeUnits"] = program.target.compute_units;
  return document;
}

}  // namespace

Program open_program(const api::Source& file, Console& console) {
  Diagnostics diagnostics;
  std::optional<Program> program = read_program(file.content, file.name, api::kernel_table(), nullptr, diagnostics);
  report_diagnostics(console, diagnostics, {});
  if (!program) throw Error(exit_code_of(diagnostics), in_quotes(file.name) + " is not a correct program");
  return std::move(*program);
}

ExitCode inspect_program(const api::Source& file, bool json, Console& console) {
  const Program program = open_program(file, console);
  if (json)
    console.out << program_json(file, program).dump() << "\n";
  else
    print_program(console.out, file, program);
  return ExitCode::success;
}

namespace {

struct Compatibility {
  std::string device;
  std::string reason;  // why it does not run; empty: it runs
  bool needs_fallback = false;
  ExitCode code = ExitCode::success;
};

/// Whether the program runs on this machine: on the named device, otherwise on the kind that it is for (the best of
/// several GPUs).
Compatibility compatibility_of(const api::Source& file, const std::string& device_name, Console& console) {
  CompileOptions options;
  options.device = device_name;
  settle_device(options, console, &file);
  api::parse_device_name(options.device);
  const auto target = target_of_program(file.content);
  Compatibility found{options.device, {}, target && includes(target->features, Feature::cpu_fallback)};
  if (found.needs_fallback) options.fallback = "op";
  Diagnostics diagnostics;
  if (read_program(file.content, file.name, api::kernel_table(), nullptr, diagnostics)) try {
      const auto device = api::open_device(context_options(options));
      remark_device(console, *device, 0);
      if (const auto program = api::read_program_for(*device, file.content, file.name, diagnostics)) {
        check_constants(*program);
        return found;
      }
    } catch (const Error& error) {  // there is no such device, or a constant was changed
      found.reason = error.what();
      found.code = ExitCode::program;
      return found;
    }
  found.code = exit_code_of(diagnostics);
  const Diagnostic& first = diagnostics.all().front();
  found.reason = row(first.code).text() + ": " + first.message;
  return found;
}

}  // namespace

ExitCode inspect_compatibility(const api::Source& file, const std::string& device, bool json, Console& console) {
  const Compatibility found = compatibility_of(file, device, console);
  const bool runs = found.reason.empty();
  if (json)
    console.out << Json{{"schema", "webnn-cli/compatibility/1"},
                        {"runsHere", runs},
                        {"device", found.device},
                        {"needsFallback", found.needs_fallback},
                        {"reason", found.reason}}
                       .dump()
                << "\n";
  else
    console.out << escaped(file.name)
                << (!runs                  ? ": does not run here: "
                    : found.needs_fallback ? ": runs here with --fallback op"
                                           : ": runs here")
                << escaped(found.reason) << "\n";
  return found.code;
}

}  // namespace webnn::cli
