// Forms of calls whose elements go to other places, or come from between them.
#include <array>

#include "tests/harness/random/call_generator.hpp"

namespace webnn::tests {

void CallGenerator::movement() {
  const Sizes shape = op().operands[0].min_rank == 4 ? sizes(4) : sizes(rank(1, 5));
  const auto count = std::uint32_t(shape.size());
  if (op().name == "concat") {
    const std::uint32_t axis = below(count);
    for (std::uint32_t i = 0; i < 1 + below(4); ++i) {
      Sizes part = shape;
      part[axis] = 1 + below(20);
      operand(part);
    }
    set("axis", std::int64_t(axis));
    return;
  }
  if (op().name == "expand") {
    operand(broadcastable(shape));
    return set_list("newShape", shape);
  }
  operand(shape);
  if (op().name == "transpose") set_list("permutation", permutation(count));
  if (op().name == "reverse") set_list("axes", some_axes(count));
  if (op().name == "tile") {
    Sizes repetitions(count);
    for (std::uint32_t& item : repetitions) item = 1 + below(3);
    set_list("repetitions", repetitions);
  }
  if (op().name == "pad") {
    Sizes before(count), after(count);
    for (std::uint32_t i = 0; i < count; ++i) before[i] = below(shape[i]), after[i] = below(shape[i]);
    set_list("beginningPadding", before);
    set_list("endingPadding", after);
    draw("mode");
    set("value", Number(2));
  }
  if (op().name == "slice") {
    Sizes starts(count), lengths(count), strides(count);
    for (std::uint32_t i = 0; i < count; ++i) {
      starts[i] = below(shape[i]);
      lengths[i] = 1 + below(shape[i] - starts[i]);
      strides[i] = 1 + below(3);
    }
    set_list("starts", starts);
    set_list("sizes", lengths);
    if (chance(2)) set_list("strides", strides);
  }
  if (op().name == "split") {
    const std::uint32_t axis = below(count);
    Sizes parts;
    for (std::uint32_t left = shape[axis]; left > 0; left -= parts.back()) parts.push_back(1 + below(left));
    set_list("splits", parts);
    set("axis", std::int64_t(axis));
  }
  if (op().name == "triangular") draw_all();
}

void CallGenerator::indexed() {
  const Sizes shape = sizes(rank(1, 4));
  const auto axis = below(std::uint32_t(shape.size()));
  const bool axis_given = op().attribute_index("axis") >= 0;
  operand(shape);
  if (op().name == "gather") {
    operand(sizes(below(3)), DataType::int32);
  } else if (axis_given) {  // gatherElements, scatterElements
    Sizes at = shape;
    at[axis] = 1 + below(shape[axis]);
    operand(at, DataType::int32);
    if (op().operands.size() > 2) operand(at);
  } else {  // gatherND, scatterND
    const std::uint32_t depth = 1 + below(std::uint32_t(shape.size()));
    Sizes at = sizes(1);
    Sizes updates = at;
    at.push_back(depth);
    updates.insert(updates.end(), shape.begin() + depth, shape.end());
    operand(at, DataType::int32);
    if (op().operands.size() > 2) operand(updates);
  }
  if (axis_given) set("axis", std::int64_t(axis));
}

void CallGenerator::resample() {
  operand({1 + below(2), size(40), 1 + below(12), 1 + below(12)});
  draw("mode");
  if (chance(2)) {
    set_list("sizes", {1 + below(20), 1 + below(20)});
  } else {
    static constexpr std::array<double, 5> scales = {0.5, 1, 1.5, 2, 3};
    set("scales", RealList{scales[below(5)], scales[below(5)]});
  }
}

}  // namespace webnn::tests
