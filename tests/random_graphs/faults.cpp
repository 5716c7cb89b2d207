// The proof that random graphs find what is wrong: faults as kernels and passes really have them, each seeded alone,
// are all found.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <doctest/doctest.h>

#include "schema/elements/elements.hpp"
#include "tests/harness/machine/sanitizers.hpp"
#include "tests/harness/skip.hpp"
#include "tests/random_graphs/differences.hpp"

namespace faults_test {

using namespace webnn;
using namespace webnn::tests;

namespace {

// ---- kernels

bool is_any(const KernelSpec& spec, std::initializer_list<OperatorId> ops) {
  return std::ranges::find(ops, spec.op) != ops.end();
}

/// The attribute of the spec's operator, as it is given; null: it has none.
std::optional<AttributeValue>* attribute(KernelSpec& spec, std::string_view name) {
  const int index = row(spec.op).attribute_index(name);
  return index < 0 ? nullptr : &spec.attributes[std::size_t(index)];
}

using Change = std::function<void(const OperandDescriptor&, std::byte*)>;

/// The kernel on an operand that is changed in a copy.
runtime::Kernel on_changed_operand(const KernelSpec& spec, runtime::Kernel kernel, std::size_t place, Change change) {
  if (place >= spec.inputs.size() || !spec.inputs[place] || spec.input_layout(place) != Layout::row_major)
    return kernel;
  const OperandDescriptor descriptor = *spec.inputs[place];
  kernel.run = [=, run = std::move(kernel.run)](const runtime::KernelArguments& arguments) {
    std::vector<std::byte> copy(byte_length(descriptor) + 64);
    std::memcpy(copy.data(), arguments.inputs[place], byte_length(descriptor));
    change(descriptor, copy.data());
    std::vector<const std::byte*> inputs(arguments.inputs.begin(), arguments.inputs.end());
    inputs[place] = copy.data();
    run({inputs, arguments.outputs, arguments.scratch});
  };
  kernel.run_lines = nullptr;
  return kernel;
}

/// The kernel whose first result is changed behind it.
runtime::Kernel with_changed_result(const KernelSpec& spec, runtime::Kernel kernel, Change change) {
  const OperandDescriptor descriptor = spec.outputs[0];
  kernel.run = [=, run = std::move(kernel.run)](const runtime::KernelArguments& arguments) {
    run(arguments);
    change(descriptor, arguments.outputs[0]);
  };
  kernel.run_lines = nullptr;
  return kernel;
}

/// The kernel whose first two operands are exchanged when they are alike.
runtime::Kernel with_exchanged_operands(const KernelSpec& spec, runtime::Kernel kernel) {
  if (spec.inputs.size() < 2 || spec.inputs[0] != spec.inputs[1] || spec.input_layout(0) != spec.input_layout(1))
    return kernel;
  kernel.run = [=, run = std::move(kernel.run)](const runtime::KernelArguments& arguments) {
    std::vector<const std::byte*> inputs(arguments.inputs.begin(), arguments.inputs.end());
    std::swap(inputs[0], inputs[1]);
    run({inputs, arguments.outputs, arguments.scratch});
  };
  kernel.run_lines = nullptr;
  return kernel;
}

void clear_last(const OperandDescriptor& descriptor, std::byte* data) {
  store_element(Number(0), descriptor.type, data, element_count(descriptor.shape) - 1);
}
void clear_all(const OperandDescriptor& descriptor, std::byte* data) { std::memset(data, 0, byte_length(descriptor)); }
void clear_last_column(const OperandDescriptor& descriptor, std::byte* data) {
  const std::size_t columns = descriptor.shape[descriptor.shape.rank() - 1];
  for (std::size_t i = columns - 1; i < element_count(descriptor.shape); i += columns)
    store_element(Number(0), descriptor.type, data, i);
}
template <typename Replace>
Change each(Replace replace) {
  return [=](const OperandDescriptor& descriptor, std::byte* data) {
    for (std::size_t i = 0; i < element_count(descriptor.shape); ++i)
      store_element(Number(replace(load_element(descriptor.type, data, i))), descriptor.type, data, i);
  };
}

using KernelChange = runtime::Kernel (*)(const KernelSpec&, runtime::Kernel);
Damage kernel_fault(KernelChange change) { return {.kernel = change}; }
Damage spec_fault(void (*change)(KernelSpec&)) { return {.spec = change}; }

/// Padding as if the window began one pixel later.
void shift_padding(KernelSpec& spec) {
  auto* padding = attribute(spec, "padding");
  if (!padding || !*padding) return;
  auto& list = std::get<IntegerList>(**padding);
  if (list.size() == 4 && list[1] > 0) ++list[0], --list[1];
}
template <typename T>
void set_attribute(KernelSpec& spec, std::string_view name, T value) {
  if (auto* there = attribute(spec, name)) there->emplace(value);
}

// ---- what the compiler gives

/// The place of a value in the arena, of a step's output that some later step reads: the next result is put there, too.
void overwrite_live_value(Program& program) {
  for (std::size_t s = 0; s + 2 < program.steps.size(); ++s) {
    ProgramValue& early = program.values[program.steps[s].outputs[0]];
    ProgramValue& next = program.values[program.steps[s + 1].outputs[0]];
    const auto reads_early = [&](const Step& step) {
      return std::ranges::find(step.inputs, program.steps[s].outputs[0]) != step.inputs.end();
    };
    if (early.slot.kind != Slot::Kind::arena || next.slot.kind != Slot::Kind::arena ||
        next.slot.bytes > early.slot.bytes || next.view_of != no_index || early.slot.offset == next.slot.offset)
      continue;
    if (!std::any_of(program.steps.begin() + std::ptrdiff_t(s) + 2, program.steps.end(), reads_early)) continue;
    for (ProgramValue& value : program.values)
      if (&value != &next && value.view_of == program.steps[s + 1].outputs[0]) value.slot.offset = early.slot.offset;
    next.slot.offset = early.slot.offset;
    return;
  }
}

void exchange_dependent_steps(Program& program) {
  for (std::size_t s = 0; s + 1 < program.steps.size(); ++s)
    if (std::ranges::find(program.steps[s + 1].inputs, program.steps[s].outputs[0]) !=
        program.steps[s + 1].inputs.end())
      return std::swap(program.steps[s], program.steps[s + 1]);
}

/// Whether a post-op takes the running result alone.
bool has_one_operand(const Expression& expression, std::size_t step) {
  return expression.is_link(step) && expression.operands(step).size() == 1;
}

void drop_last_post_op(Program& program) {
  for (Step& step : program.steps)
    if (step.post_ops.size() == 1 && has_one_operand(step, 1) && row(step.post_ops[0].op).family == Family::unary)
      return step.post_ops.pop_back();
}

void exchange_post_ops(Program& program) {
  for (Step& step : program.steps)
    for (std::size_t i = 1; i < step.post_ops.size(); ++i) {
      PostOp &first = step.post_ops[i - 1], &second = step.post_ops[i];
      if (!has_one_operand(step, i) || !has_one_operand(step, i + 1) ||
          (first.op == second.op && first.attributes == second.attributes))
        continue;
      std::swap(first.op, second.op);
      return std::swap(first.attributes, second.attributes);
    }
}

/// An earlier result is taken for the one before it.
void take_wrong_step(Program& program) {
  for (Step& step : program.steps)
    for (std::size_t i = 0; i < step.post_ops.size(); ++i)
      for (StepOperand& operand : step.post_ops[i].operands)
        if (operand.is_step() && operand.index < i) return void(++operand.index);
}

void exchange_operands(Program& program) {
  for (Step& step : program.steps)
    if (step.inputs.size() == 2 && !row(step.op).commutative && row(step.op).family == Family::binary &&
        program.values[step.inputs[0]].descriptor == program.values[step.inputs[1]].descriptor)
      std::swap(step.inputs[0], step.inputs[1]);
}

void exchange_constants(Program& program) {
  for (std::size_t i = 0; i < program.constants.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (program.constants[i].size() == program.constants[j].size())
        return std::swap(program.constants[i], program.constants[j]);
}

void lose_end_of_constants(Program& program) {
  for (Bytes& constant : program.constants) {
    std::vector<std::byte> bytes(constant.view().begin(), constant.view().end());
    std::fill(bytes.end() - std::ptrdiff_t(std::min<std::size_t>(bytes.size(), 4)), bytes.end(), std::byte{});
    constant = Bytes(std::move(bytes));
  }
}

void exchange_outputs(Program& program) {
  for (std::size_t i = 0; i + 1 < program.outputs.size(); ++i)
    if (program.outputs[i].descriptor == program.outputs[i + 1].descriptor) {
      ProgramValue &one = program.values[program.outputs[i].value],
                   &other = program.values[program.outputs[i + 1].value];
      std::swap(one.slot.index, other.slot.index);
      return std::swap(program.outputs[i].value, program.outputs[i + 1].value);
    }
}

void forget_numbers(Program& program) {
  for (Step& step : program.steps)
    for (std::size_t i = 0; i < step.attributes.size(); ++i)
      if (row(step.op).attributes[i].kind == AttributeKind::real) step.attributes[i].reset();
}

void drop_bias(Program& program) {
  for (Step& step : program.steps)
    if (step.inputs.size() > 2 && row(step.op).family == Family::convolution && step.op.index < operator_count)
      step.inputs[2] = no_index;
}

Damage program_fault(void (*change)(Program&)) {
  return {.program = [=](Program& program) {
    change(program);
    program.verified = true;  // what the loader's proof would say is not the question here
  }};
}

struct Fault {
  std::string_view name;
  Damage damage;
  const char* device = "cpu";
};

std::vector<Fault> faults() {
  return {
      {"matmul leaves the last product out", kernel_fault([](const KernelSpec& spec, runtime::Kernel kernel) {
         return is_any(spec, {"matmul"_op}) ? on_changed_operand(spec, std::move(kernel), 0, clear_last_column)
                                            : kernel;
       })},
      {"a reduction leaves the last element out", kernel_fault([](const KernelSpec& spec, runtime::Kernel kernel) {
         return row(spec.op).family == Family::reduction ? on_changed_operand(spec, std::move(kernel), 0, clear_last)
                                                         : kernel;
       })},
      {"the windows of a convolution are one pixel off", spec_fault([](KernelSpec& spec) {
         if (row(spec.op).family == Family::convolution) shift_padding(spec);
       }),
       "cpu:reference"},
      {"the windows of a pool are one pixel off", spec_fault([](KernelSpec& spec) {
         if (row(spec.op).family == Family::window) shift_padding(spec);
       })},
      {"the last element of a result is not written", kernel_fault([](const KernelSpec& spec, runtime::Kernel kernel) {
         return is_elementwise(row(spec.op).family) ? with_changed_result(spec, std::move(kernel), clear_last) : kernel;
       })},
      {"NaN becomes 0", kernel_fault([](const KernelSpec& spec, runtime::Kernel kernel) {
         if (!is_float(spec.outputs[0].type)) return kernel;
         return with_changed_result(spec, std::move(kernel), each([](const Number& number) {
                                      return number.is_nan() ? 0.0 : number.as_double();
                                    }));
       })},
      {"infinity becomes the greatest number", kernel_fault([](const KernelSpec& spec, runtime::Kernel kernel) {
         if (!is_float(spec.outputs[0].type)) return kernel;
         const double most = spec.outputs[0].type == DataType::float16 ? 65504 : 3.4028234663852886e38;
         return with_changed_result(spec, std::move(kernel), each([=](const Number& number) {
                                      return std::isinf(number.as_double()) ? std::copysign(most, number.as_double())
                                                                            : number.as_double();
                                    }));
       })},
      {"subtraction and division exchange their operands", program_fault(exchange_operands)},
      {"concat exchanges two operands", kernel_fault([](const KernelSpec& spec, runtime::Kernel kernel) {
         return is_any(spec, {"concat"_op}) ? with_exchanged_operands(spec, std::move(kernel)) : kernel;
       })},
      {"gather takes the first element for the last index",
       kernel_fault([](const KernelSpec& spec, runtime::Kernel kernel) {
         return is_any(spec, {"gather"_op}) ? on_changed_operand(spec, std::move(kernel), 1, clear_last) : kernel;
       })},
      {"a scatter loses its last update", kernel_fault([](const KernelSpec& spec, runtime::Kernel kernel) {
         return is_any(spec, {"scatterElements"_op, "scatterND"_op})
                    ? on_changed_operand(spec, std::move(kernel), 2, clear_last)
                    : kernel;
       })},
      {"where takes the wrong side at the end", kernel_fault([](const KernelSpec& spec, runtime::Kernel kernel) {
         return is_any(spec, {"where"_op})
                    ? on_changed_operand(spec, std::move(kernel), 0,
                                         each([](const Number& number) { return double(number.as_double() == 0); }))
                    : kernel;
       })},
      {"gemm forgets beta", spec_fault([](KernelSpec& spec) {
         if (is_any(spec, {"gemm"_op})) set_attribute(spec, "beta", 1.0);
       })},
      {"normalizations take another epsilon", spec_fault([](KernelSpec& spec) {
         if (row(spec.op).family == Family::normalization) set_attribute(spec, "epsilon", 0.1);
       })},
      {"resample2d forgets its mode", spec_fault([](KernelSpec& spec) {
         if (is_any(spec, {"resample2d"_op})) set_attribute(spec, "mode", std::string("nearest-neighbor"));
       }),
       "cpu:reference"},
      {"cumulativeSum forgets what exclusive says", spec_fault([](KernelSpec& spec) {
         if (is_any(spec, {"cumulativeSum"_op})) set_attribute(spec, "exclusive", false);
       })},
      {"pad forgets its mode", spec_fault([](KernelSpec& spec) {
         if (is_any(spec, {"pad"_op})) set_attribute(spec, "mode", std::string("constant"));
       })},
      {"a recurrent network forgets its state", kernel_fault([](const KernelSpec& spec, runtime::Kernel kernel) {
         const int state =
             row(spec.op).operand_index(row(spec.op).name.ends_with("Cell") ? "hiddenState" : "initialHiddenState");
         return row(spec.op).family == Family::recurrent
                    ? on_changed_operand(spec, std::move(kernel), std::size_t(state), clear_all)
                    : kernel;
       })},
      {"a value is read after it was overwritten", program_fault(overwrite_live_value)},
      {"a step runs before the one whose result it takes", program_fault(exchange_dependent_steps)},
      {"a fused operator is lost", program_fault(drop_last_post_op)},
      {"two fused operators change places", program_fault(exchange_post_ops)},
      {"a fused operator takes the result of the wrong step", program_fault(take_wrong_step)},
      {"two constants change places", program_fault(exchange_constants)},
      {"the end of a constant is lost", program_fault(lose_end_of_constants)},
      {"two outputs change places", program_fault(exchange_outputs)},
      {"numbers of attributes are forgotten", program_fault(forget_numbers)},
      {"the bias of a convolution is lost", program_fault(drop_bias)},
  };
}

}  // namespace

TEST_CASE("random graphs find every fault that is seeded into kernels and passes") {
  if (under_sanitizer) return skip("a sanitizer makes thousands of graphs take too long");
  constexpr std::uint32_t most_graphs = 1000;
  for (Fault& fault : faults()) {
    VariantRunner runner({.name = std::string(fault.name), .device = fault.device}, std::move(fault.damage));
    VariantRunner* const runners[] = {&runner};
    std::uint32_t seed = 0;
    while (seed < most_graphs && !find_difference(random_network(seed), runners)) ++seed;
    CHECK_MESSAGE(seed < most_graphs, fault.name);
    MESSAGE(fault.name << ": found by graph " << seed);
  }
}

}  // namespace faults_test
