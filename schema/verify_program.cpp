// Three parts, each relying on the one before: the values, the steps, then memory over time.
#include "schema/verify_program.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "schema/kernels/line_window.hpp"
#include "schema/name_hash.hpp"
#include "schema/operators/check_spec.hpp"
#include "schema/text.hpp"

namespace webnn::schema {
namespace {

constexpr std::size_t max_problems = 20;
using Problems = std::vector<std::string>;

void report(Problems& problems, std::string sentence) {
  if (problems.size() < max_problems) problems.push_back(std::move(sentence));
}

std::string text_of_value(const Program& program, std::uint32_t value) {
  return "value " + std::to_string(value) + " " + in_quotes(program.values[value].name);
}

std::string text_of_step(const Program& program, std::size_t step) {
  return "step " + std::to_string(step) + " " + in_quotes(program.steps[step].label);
}

std::string descriptor_problem(const OperandDescriptor& descriptor) {
  if (std::size_t(descriptor.type) >= data_type_count) return "unknown data type";
  return descriptor_error(descriptor);
}

// ---- values and bindings ------------------------------------------------------------------------------------------

std::string slot_problem(const Program& program, const ProgramValue& value) {
  const Slot& slot = value.slot;
  if (slot.kind == Slot::Kind::none) return {};
  // A packed constant has the size that its kernel gave it; the kernel checks it during preparation.
  const bool packed = value.layout == Layout::private_form && slot.kind == Slot::Kind::constant;
  const std::uint64_t bytes = packed ? slot.bytes : byte_length(value.descriptor);
  if (slot.bytes != bytes)
    return "its place has " + std::to_string(slot.bytes) + " bytes, its descriptor " + std::to_string(bytes);
  if (slot.kind != Slot::Kind::arena && slot.offset != 0) return "only a place in the arena has an offset";
  switch (slot.kind) {
    case Slot::Kind::input:
      if (slot.index >= program.inputs.size()) return "there is no input " + std::to_string(slot.index);
      return {};
    case Slot::Kind::output:
      if (slot.index >= program.outputs.size()) return "there is no output " + std::to_string(slot.index);
      if (byte_length(program.outputs[slot.index].descriptor) != bytes)
        return "its size is not that of output " + std::to_string(slot.index);
      return {};
    case Slot::Kind::constant:
      if (slot.index >= program.constants.size()) return "there is no constant " + std::to_string(slot.index);
      if (program.constants[slot.index].size() != bytes)
        return "constant " + std::to_string(slot.index) + " has " +
               std::to_string(program.constants[slot.index].size()) + " bytes, its descriptor " + std::to_string(bytes);
      return {};
    case Slot::Kind::arena:
      if (slot.index != 0) return "a place in the arena has no index";
      if (slot.offset % arena_alignment != 0) return "offset " + std::to_string(slot.offset) + " is not aligned";
      if (slot.offset > program.arena_bytes || bytes > program.arena_bytes - slot.offset)
        return "it ends outside the arena of " + std::to_string(program.arena_bytes) + " bytes";
      return {};
    case Slot::Kind::lines:
      if (slot.index != 0) return "lines have no index";
      return {};
    case Slot::Kind::none:
      break;
  }
  return "unknown kind of place";
}

std::string layout_problem(const ProgramValue& value) {
  switch (value.layout) {
    case Layout::row_major:
    case Layout::channels_last:
      if (!value.form.empty()) return "only a private form has a name";
      if (value.layout == Layout::channels_last && value.descriptor.shape.rank() != 4)
        return "only a value of rank 4 has channels";
      return {};
    case Layout::private_form:
      if (value.slot.kind != Slot::Kind::constant) return "only a constant has a private form";
      if (value.form.empty()) return "its private form has no name";
      if (value.form.size() > most_form_bytes)
        return "the name of its private form has " + std::to_string(value.form.size()) + " bytes, at most " +
               std::to_string(most_form_bytes) + " can be";
      return {};
  }
  return "no kernel knows its layout";
}

std::string view_problem(const Program& program, const ProgramValue& view) {
  if (view.view_of >= program.values.size()) return "it is a view of a value that does not exist";
  const ProgramValue& source = program.values[view.view_of];
  if (source.view_of != no_index) return "it is a view of a view";
  if (source.slot != view.slot) return "it is a view of a value in another place";
  if (source.descriptor.type != view.descriptor.type) return "it is a view of a value of another type";
  if (source.layout == Layout::private_form || view.layout == Layout::private_form)
    return "a packed constant has no views";
  if (source.slot.kind == Slot::Kind::lines) return "a value of which there are only lines has no views";
  return {};
}

void check_values(const Program& program, Problems& problems) {
  constexpr std::uint64_t most_arena_bytes = std::uint64_t{1} << 62;  // sums with other sizes stay in 64 bits
  if (program.arena_bytes > most_arena_bytes)
    report(problems, "an arena of " + std::to_string(program.arena_bytes) + " bytes, at most " +
                         std::to_string(most_arena_bytes) + " can be");
  for (std::uint32_t i = 0; i < program.values.size(); ++i) {
    const ProgramValue& value = program.values[i];
    std::string problem = descriptor_problem(value.descriptor);
    if (problem.empty()) problem = layout_problem(value);
    if (problem.empty()) problem = slot_problem(program, value);
    if (problem.empty() && value.view_of != no_index) problem = view_problem(program, value);
    // A value in a caller's input has the binding's descriptor, or is a view of one that has.
    if (problem.empty() && value.view_of == no_index && value.slot.kind == Slot::Kind::input &&
        program.inputs[value.slot.index].value != i)
      problem = "input " + std::to_string(value.slot.index) + " is bound to another value";
    if (!problem.empty()) report(problems, text_of_value(program, i) + ": " + problem);
  }
}

std::string binding_problem(const Program& program, const Binding& binding, Slot::Kind kind, std::uint32_t index) {
  if (kind == Slot::Kind::input && binding.value == no_index) return {};
  if (binding.value >= program.values.size()) return "it is bound to a value that does not exist";
  const ProgramValue& value = program.values[binding.value];
  if (value.descriptor != binding.descriptor) return "its descriptor is not that of its value";
  if (value.slot.kind != kind || value.slot.index != index) return "its value lies elsewhere";
  if (value.layout != binding.layout) return "its layout is not that of its value";
  if (kind == Slot::Kind::input && value.view_of != no_index) return "it is bound to a view";
  return {};
}

void check_bindings(const Program& program, const std::vector<Binding>& bindings, Slot::Kind kind, Problems& problems) {
  const std::string noun = kind == Slot::Kind::input ? "input " : "output ";
  NameViews names(bindings.size());
  for (std::uint32_t i = 0; i < bindings.size(); ++i) {
    std::string problem = binding_problem(program, bindings[i], kind, i);
    if (problem.empty() && !names.insert(bindings[i].name).second) problem = "its name is taken";
    if (!problem.empty())
      report(problems, noun + std::to_string(i) + " " + in_quotes(bindings[i].name) + ": " + problem);
  }
}

void check_descriptors(const std::vector<Binding>& bindings, std::string_view noun, Problems& problems) {
  for (const Binding& binding : bindings)
    if (const std::string problem = descriptor_problem(binding.descriptor); !problem.empty())
      report(problems, std::string(noun) + " " + in_quotes(binding.name) + ": " + problem);
}

// ---- steps --------------------------------------------------------------------------------------------------------

/// Its kernel spec is a copy of all that: a stranger's indices of four bytes must not become any amount of memory.
std::string size_problem(const Step& step) {
  if (step.post_ops.size() > most_post_ops)
    return "it has " + std::to_string(step.post_ops.size()) + " post-ops, at most " + std::to_string(most_post_ops) +
           " can be";
  if (const std::size_t operands = Expression(step).root_operand_count(); operands > largest_operand_list)
    return "its operator has " + std::to_string(operands) + " operands, at most " +
           std::to_string(largest_operand_list) + " can be";
  return {};
}

std::string step_problem(const Program& program, const Step& step, std::vector<bool>& written) {
  if (step.kernel.row == nullptr) return "it has no kernel";
  if (std::string problem = size_problem(step); !problem.empty()) return problem;
  const auto exists = [&](std::uint32_t value) {
    return value < program.values.size() && program.values[value].slot.kind != Slot::Kind::none;
  };
  for (std::uint32_t input : step.inputs)
    if (input != no_index && !exists(input)) return "it reads value " + std::to_string(input) + ", which has no place";
  for (std::uint32_t output : step.outputs) {
    if (!exists(output)) return "it writes value " + std::to_string(output) + ", which has no place";
    const ProgramValue& value = program.values[output];
    if (value.slot.kind != Slot::Kind::arena && value.slot.kind != Slot::Kind::output &&
        value.slot.kind != Slot::Kind::lines)
      return "it writes " + text_of_value(program, output) + ", which never changes";
    if (value.view_of != no_index) return "it writes " + text_of_value(program, output) + ", which is a view";
    if (written[output]) return "it writes " + text_of_value(program, output) + " a second time";
    written[output] = true;
  }
  const KernelSpec spec = spec_of(program, step);
  if (std::string error = spec_error(spec); !error.empty()) return error;
  if (!takes(row(step.kernel), spec, program.target) || !takes_layouts(row(step.kernel), spec))
    return "kernel " + std::string(row(step.kernel).name) + " does not take this " + std::string(row(step.op).name);
  for (std::size_t i = 0; i < step.inputs.size() && i < 8; ++i) {
    const std::uint32_t input = step.inputs[i];
    if (((row(step.kernel).overreads >> i) & 1u) && input != no_index &&
        program.values[input].slot.kind != Slot::Kind::arena)
      return "it may read past the end of " + text_of_value(program, input) + ", which is not in the arena";
  }
  return {};
}

/// A value of which there are only lines passes from a step to the next one. `together` are the steps in bands with step `i`.
std::string lines_problem(const Program& program, std::size_t i, const StepRange& together) {
  const auto is_lines = [&](std::uint32_t value) {
    return value != no_index && program.values[value].slot.kind == Slot::Kind::lines;
  };
  const Step& step = program.steps[i];
  const bool reads_lines = i > 0 && passes_lines(program, i - 1);
  for (std::size_t operand = 0; operand < step.inputs.size(); ++operand) {
    const std::uint32_t input = step.inputs[operand];
    if (is_lines(input) && (operand != 0 || !reads_lines || input != program.steps[i - 1].outputs[0]))
      return "it reads " + text_of_value(program, input) + ", of which there are only lines in the step before";
  }
  if (!passes_lines(program, i)) return {};
  if (together.last - together.first >= most_steps_in_bands)
    return "more than " + std::to_string(most_steps_in_bands) + " steps would run in bands";
  const bool is_last = i + 1 == program.steps.size();
  if (is_last || program.steps[i + 1].inputs.empty() || program.steps[i + 1].inputs[0] != step.outputs[0])
    return "the step after it does not read its lines";
  const Step& next = program.steps[i + 1];
  if (!can_run_in_bands(step.kernel, spec_of(program, step), next.kernel, spec_of(program, next)))
    return "it and the step after it do not run in bands";
  return {};
}

void check_steps(const Program& program, Problems& problems) {
  std::vector<bool> written(program.values.size());
  for (std::size_t i = 0; i < program.steps.size(); ++i)
    if (const std::string problem = step_problem(program, program.steps[i], written); !problem.empty())
      report(problems, text_of_step(program, i) + ": " + problem);
  if (!problems.empty()) return;
  const std::vector<StepRange> together = steps_together(program);
  for (std::size_t i = 0; i < program.steps.size(); ++i)
    if (const std::string problem = lines_problem(program, i, together[i]); !problem.empty())
      report(problems, text_of_step(program, i) + ": " + problem);
}

// ---- memory over time ---------------------------------------------------------------------------------------------

/// Replays the steps over the arena and the outputs' memory. A value here is one that owns its bytes; a view counts as
/// the value that it shows.
class MemoryReplay {
 public:
  MemoryReplay(const Program& program, Problems& problems)
      : program_(program), problems_(problems), last_use_(program.values.size(), never) {}

  void run() {
    if (!find_last_uses()) return;
    std::vector<std::vector<std::uint32_t>> dying(program_.steps.size());
    for (std::uint32_t value = 0; value < last_use_.size(); ++value)
      if (last_use_[value] < dying.size()) dying[last_use_[value]].push_back(value);
    for (std::uint32_t step = 0; step < program_.steps.size(); ++step) {
      for (std::size_t i = 0; i < program_.steps[step].outputs.size(); ++i)
        if (changes(program_.steps[step].outputs[i]) && !write(step, i)) return;
      for (std::uint32_t value : dying[step]) release(value);
    }
  }

 private:
  static constexpr std::uint32_t never = no_index;
  static constexpr std::uint32_t after_the_end = no_index - 1;
  /// Arena bytes are at (0, offset), the memory of output i is at (i + 1, 0).
  using Place = std::pair<std::uint64_t, std::uint64_t>;

  std::uint32_t owner(std::uint32_t value) const {
    const std::uint32_t source = program_.values[value].view_of;
    return source == no_index ? value : source;
  }
  bool changes(std::uint32_t value) const {
    const Slot::Kind kind = program_.values[value].slot.kind;
    return kind == Slot::Kind::arena || kind == Slot::Kind::output;
  }
  Place place(std::uint32_t value) const {
    const Slot& slot = program_.values[value].slot;
    return {slot.kind == Slot::Kind::output ? std::uint64_t{slot.index} + 1 : 0, slot.offset};
  }
  std::uint64_t bytes(std::uint32_t value) const { return program_.values[value].slot.bytes; }

  /// False when a value is read before it is written.
  bool find_last_uses() {
    const std::vector<StepRange> together = steps_together(program_);
    bool fine = true;
    for (std::uint32_t step = 0; step < program_.steps.size(); ++step) {
      for (std::uint32_t input : program_.steps[step].inputs) {
        if (input == no_index || !changes(input)) continue;
        if (last_use_[owner(input)] == never) {
          report(problems_, text_of_step(program_, step) + ": it reads " + text_of_value(program_, input) +
                                " before that is written");
          fine = false;
        }
        last_use_[owner(input)] = together[step].last;
      }
      for (std::uint32_t output : program_.steps[step].outputs) last_use_[output] = step;
    }
    for (const Binding& output : program_.outputs) {
      if (last_use_[owner(output.value)] == never) {
        report(problems_, "output " + in_quotes(output.name) + " is never written");
        fine = false;
      }
      last_use_[owner(output.value)] = after_the_end;
    }
    return fine;
  }

  /// Inserts output `i` of `step` into the map of live values; false when it overlaps one of them.
  bool write(std::uint32_t step, std::size_t i) {
    const std::uint32_t output = program_.steps[step].outputs[i];
    const Place here = place(output);
    const auto meets = [&](std::map<Place, std::uint32_t>::iterator other) {
      return other->first.first == here.first && other->first.second < here.second + bytes(output) &&
             here.second < other->first.second + bytes(other->second);
    };
    auto other = live_.lower_bound(here);
    if (other != live_.begin() && meets(std::prev(other))) --other;
    while (other != live_.end() && meets(other)) {
      if (!in_place(step, i, other->second)) {
        report(problems_, text_of_step(program_, step) + ": it writes " + text_of_value(program_, output) + " over " +
                              text_of_value(program_, other->second) + ", which is still needed");
        return false;
      }
      other = live_.erase(other);
    }
    live_.emplace(here, output);
    return true;
  }

  /// Whether output `i` of `step` may overwrite `old`, which is live before the step.
  bool in_place(std::uint32_t step, std::size_t i, std::uint32_t old) const {
    const Step& the_step = program_.steps[step];
    const std::uint32_t output = the_step.outputs[i];
    if (i != 0 || last_use_[old] != step || program_.values[old].slot != program_.values[output].slot) return false;
    if (bits_of(program_.values[old].descriptor.type) != bits_of(program_.values[output].descriptor.type)) return false;
    bool is_operand = false;
    for (std::size_t operand = 0; operand < the_step.inputs.size(); ++operand) {
      const std::uint32_t input = the_step.inputs[operand];
      if (input == no_index || owner(input) != old) continue;
      if (operand >= 8 || !((row(the_step.kernel).in_place >> operand) & 1u)) return false;
      if (program_.values[input].layout != program_.values[output].layout) return false;
      is_operand = true;
    }
    return is_operand;
  }

  void release(std::uint32_t value) {
    const auto at = live_.find(place(value));
    if (at != live_.end() && at->second == value) live_.erase(at);
  }

  const Program& program_;
  Problems& problems_;
  std::vector<std::uint32_t> last_use_;  // step, by owner; a value that is never read is used where it is written
  std::map<Place, std::uint32_t> live_;  // disjoint at any time
};

}  // namespace

std::vector<std::string> verify_program(const Program& program) {
  Problems problems;
  if (!is_device_kind(program.target.device)) report(problems, "the target is an unknown device");
  constexpr std::size_t limit = no_index - 1;  // of everything with a 32-bit index
  if (program.values.size() >= limit || program.steps.size() >= limit || program.inputs.size() >= limit ||
      program.outputs.size() >= limit)
    report(problems, "there are too many values, steps or bindings");
  check_descriptors(program.inputs, "input", problems);
  check_descriptors(program.outputs, "output", problems);
  if (!problems.empty()) return problems;
  check_values(program, problems);
  check_bindings(program, program.inputs, Slot::Kind::input, problems);
  check_bindings(program, program.outputs, Slot::Kind::output, problems);
  if (!problems.empty()) return problems;
  check_steps(program, problems);
  if (!problems.empty()) return problems;
  MemoryReplay(program, problems).run();
  return problems;
}

}  // namespace webnn::schema
