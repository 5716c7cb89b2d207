// Kernel specs and fallback operators of a program's steps.
#include "schema/program.hpp"

#include <algorithm>

namespace webnn::schema {

std::vector<std::string_view> fallen_back(const Program& program) {
  std::vector<std::string_view> operators;
  for (const Step& step : program.steps) {
    const std::string_view name = row(step.op).name;
    if (row(step.kernel).device != program.target.device && std::ranges::find(operators, name) == operators.end())
      operators.push_back(name);
  }
  return operators;
}

bool passes_lines(const Program& program, std::size_t step) {
  return std::ranges::any_of(program.steps[step].outputs, [&](std::uint32_t output) {
    return program.values[output].slot.kind == Slot::Kind::lines;
  });
}

std::vector<StepRange> steps_together(const Program& program) {
  std::vector<StepRange> ranges(program.steps.size());
  for (std::size_t begin = 0, end = 0; begin < ranges.size(); begin = end) {
    end = begin + 1;
    while (end < ranges.size() && passes_lines(program, end - 1)) ++end;
    for (std::size_t i = begin; i < end; ++i) ranges[i] = {std::uint32_t(begin), std::uint32_t(end - 1)};
  }
  return ranges;
}

KernelSpec spec_of(const Program& program, const Step& step) {
  KernelSpec spec;
  spec.op = step.op;
  spec.attributes = step.attributes;
  spec.post_ops = step.post_ops;
  for (std::size_t i = 0; i < step.inputs.size() && i < 8; ++i)
    if (const std::uint32_t index = step.inputs[i];
        index != no_index && program.values[index].slot.kind == Slot::Kind::constant)
      spec.constants |= std::uint8_t(1u << i);
  for (std::uint32_t index : step.inputs) {
    if (index == no_index) {
      spec.inputs.push_back(std::nullopt);
      spec.input_layouts.push_back(Layout::row_major);
      spec.input_forms.emplace_back();
    } else {
      spec.inputs.push_back(program.values[index].descriptor);
      spec.input_layouts.push_back(program.values[index].layout);
      spec.input_forms.push_back(program.values[index].form);
    }
  }
  for (std::uint32_t index : step.outputs) {
    spec.outputs.push_back(program.values[index].descriptor);
    spec.output_layouts.push_back(program.values[index].layout);
  }
  // An empty list means "all row-major", so that equal specs compare equal however they were made.
  const auto drop_if_plain = [](std::vector<Layout>& layouts) {
    if (std::ranges::all_of(layouts, [](Layout layout) { return layout == Layout::row_major; })) layouts.clear();
  };
  drop_if_plain(spec.input_layouts);
  drop_if_plain(spec.output_layouts);
  if (std::ranges::all_of(spec.input_forms, [](const std::string& form) { return form.empty(); }))
    spec.input_forms.clear();
  return spec;
}

}  // namespace webnn::schema
