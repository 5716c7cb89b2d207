#include "runtime/vulkan/kernels/spirv.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <set>
#include <utility>

#include "runtime/vulkan/kernels/spirv_instructions.hpp"

namespace webnn::runtime::vulkan {
namespace {

using namespace spirv;

// The instructions that are read or written here.
enum Operation : Word {
  op_name = 5,
  op_entry_point = 15,
  op_execution_mode = 16,
  op_capability = 17,
  op_type_int = 21,
  op_type_float = 22,
  op_constant = 43,
  op_function = 54,
  op_function_parameter = 55,
  op_function_end = 56,
  op_function_call = 57,
  op_decorate = 71,
  op_label = 248,
  op_return_value = 254,
};

void append(std::vector<Word>& to, Operation operation, std::initializer_list<Word> operands) {
  spirv::append(to, operation, std::span(operands.begin(), operands.size()));
}

}  // namespace

SpirvModule::SpirvModule(std::span<const Word> words) {
  std::size_t first_function = words.size();
  for_each(body_of(words), [&](const Instruction& instruction, std::size_t at) {
    const auto& w = instruction.words;
    if (instruction.operation == op_function) first_function = std::min(first_function, header_words + at);
    if (instruction.operation == op_type_int && w[2] == 32 && w[3] == 0) uint_type_ = w[1];
    if (instruction.operation == op_type_float && w[2] == 32) float_type_ = w[1];
    if (instruction.operation == op_name) {
      const std::string name = text_of(w.subspan(2));  // functions are named "name(u1;f1;"
      if (const std::size_t bracket = name.find('('); bracket != std::string::npos)
        names_.emplace(name.substr(0, bracket), w[1]);
    }
  });
  declarations_.assign(words.begin(), words.begin() + std::ptrdiff_t(first_function));
  functions_.assign(words.begin() + std::ptrdiff_t(first_function), words.end());
}

SpirvModule::Function SpirvModule::function(std::string_view name) const {
  const auto found = names_.find(name);
  if (found == names_.end()) refuse("it has no function " + std::string(name));
  Function function{found->second, 0, 0, {}};
  bool inside = false;
  for_each(functions_, [&](const Instruction& instruction, std::size_t) {
    const auto& w = instruction.words;
    if (instruction.operation == op_function) inside = w[2] == function.id;
    if (!inside) return;
    if (instruction.operation == op_function) {
      function.result_type = w[1];
      function.type = w[4];
    }
    if (instruction.operation == op_function_parameter) function.parameter_types.push_back(w[1]);
  });
  if (function.type == 0) refuse("it does not define " + std::string(name));
  return function;
}

Word SpirvModule::next_id() { return declarations_[id_bound]++; }

Word SpirvModule::constant_of(Word type, Word bits) {
  if (type == 0) refuse("it lacks a type");
  const auto [place, is_new] = constants_.try_emplace({type, bits}, 0);
  if (is_new) {
    place->second = next_id();
    append(declarations_, op_constant, {type, place->second, bits});
  }
  return place->second;
}

Word SpirvModule::constant(std::uint32_t value) { return constant_of(uint_type_, value); }
Word SpirvModule::constant(float value) { return constant_of(float_type_, std::bit_cast<Word>(value)); }

Word SpirvModule::begin_function(const Function& like, std::vector<Word>& parameters) {
  const Word id = next_id();
  append(functions_, op_function, {like.result_type, id, 0, like.type});
  parameters.clear();
  for (const Word type : like.parameter_types) {
    parameters.push_back(next_id());
    append(functions_, op_function_parameter, {type, parameters.back()});
  }
  append(functions_, op_label, {next_id()});
  return id;
}

Word SpirvModule::call(const Function& callee, std::span<const Word> arguments) {
  if (arguments.size() != callee.parameter_types.size()) refuse("a function takes other arguments");
  const Word result = next_id();
  std::vector<Word> operands{callee.result_type, result, callee.id};
  operands.insert(operands.end(), arguments.begin(), arguments.end());
  spirv::append(functions_, op_function_call, operands);
  return result;
}

void SpirvModule::end_function(Word result) {
  append(functions_, op_return_value, {result});
  append(functions_, op_function_end, {});
}

void SpirvModule::redirect_calls(const Function& from, Word to) {
  std::vector<std::size_t> places;
  for_each(functions_, [&](const Instruction& instruction, std::size_t at) {
    if (instruction.operation == op_function_call && instruction.words[3] == from.id) places.push_back(at + 3);
  });
  for (const std::size_t place : places) functions_[place] = to;
}

namespace {

/// The result id of an instruction in a function; 0: none.
Word result_of(const Instruction& instruction) {
  // Instructions without a result that GLSL compilers emit: statements, merges, branches, ends.
  constexpr Word without[] = {0,   8,   56,  62,  63,  64,  99,  224, 225, 228, 246,
                              247, 249, 250, 251, 252, 253, 254, 255, 317, 4458};
  if (instruction.operation == op_label) return instruction.words[1];
  const bool gives =
      instruction.words.size() > 2 && std::ranges::find(without, instruction.operation) == std::end(without);
  return gives ? instruction.words[2] : 0;
}

}  // namespace

void SpirvModule::drop_unreached() {
  std::map<Word, std::vector<Word>> calls;  // by function
  std::vector<Word> work;
  Word current = 0;
  for_each(functions_, [&](const Instruction& instruction, std::size_t) {
    if (instruction.operation == op_function) calls[current = instruction.words[2]];
    if (instruction.operation == op_function_call) calls[current].push_back(instruction.words[3]);
  });
  for_each(std::span<const Word>(declarations_).subspan(header_words),
           [&](const Instruction& instruction, std::size_t) {
             if (instruction.operation == op_entry_point) work.push_back(instruction.words[2]);
           });
  std::set<Word> reached(work.begin(), work.end());
  while (!work.empty()) {
    const Word function = work.back();
    work.pop_back();
    for (const Word callee : calls[function])
      if (reached.insert(callee).second) work.push_back(callee);
  }

  std::vector<Word> kept;
  std::set<Word> dropped;
  bool keeps = false;
  for_each(functions_, [&](const Instruction& instruction, std::size_t) {
    if (instruction.operation == op_function) keeps = reached.contains(instruction.words[2]);
    if (keeps)
      kept.insert(kept.end(), instruction.words.begin(), instruction.words.end());
    else if (const Word id = result_of(instruction))
      dropped.insert(id);
  });
  functions_ = std::move(kept);
  std::vector<Word> declarations(declarations_.begin(), declarations_.begin() + header_words);
  for_each(std::span<const Word>(declarations_).subspan(header_words),
           [&](const Instruction& instruction, std::size_t) {
             const bool is_about_one = instruction.operation == op_name || instruction.operation == op_decorate;
             if (is_about_one && dropped.contains(instruction.words[1])) return;
             declarations.insert(declarations.end(), instruction.words.begin(), instruction.words.end());
           });
  declarations_ = std::move(declarations);
}

std::vector<Word> SpirvModule::words() const {
  std::vector<Word> words = declarations_;
  words.insert(words.end(), functions_.begin(), functions_.end());
  return words;
}

std::vector<Word> with_float_modes(std::vector<Word> shader, std::span<const FloatMode> modes) {
  if (modes.empty()) return shader;
  Word entry_point = 0;
  std::size_t behind_entry_point = 0;
  for_each(body_of(shader), [&](const Instruction& instruction, std::size_t at) {
    if (instruction.operation != op_entry_point) return;
    entry_point = instruction.words[2];
    behind_entry_point = header_words + at + instruction.words.size();
  });
  if (behind_entry_point == 0) refuse("it has no entry point");
  std::vector<Word> capabilities, executions;
  Word declared = 0;
  for (const FloatMode& mode : modes) {
    if (mode.capability != declared) append(capabilities, op_capability, {mode.capability});
    declared = mode.capability;
    append(executions, op_execution_mode, {entry_point, mode.mode, mode.bits});
  }
  shader.insert(shader.begin() + std::ptrdiff_t(behind_entry_point), executions.begin(), executions.end());
  shader.insert(shader.begin() + header_words, capabilities.begin(), capabilities.end());
  return shader;
}

}  // namespace webnn::runtime::vulkan
