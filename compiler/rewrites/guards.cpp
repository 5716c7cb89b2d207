#include "compiler/rewrites/guards.hpp"

#include "schema/elements/elements.hpp"

namespace webnn::compiler {

std::optional<Number> element_of(const Match& match, std::string_view constant) {
  const Value& value = match.graph().value(match.value(constant));
  if (element_count(value.descriptor.shape) != 1) return std::nullopt;
  return load_element(value.descriptor.type, value.data.view().data(), 0);
}

bool is_identity_permutation(Match& match) {
  const IntegerList p = match.integers("p");
  for (std::size_t i = 0; i < p.size(); ++i)
    if (p[i] != std::int64_t(i)) return false;
  return true;
}

bool compose_permutations(Match& match) {
  const IntegerList p = match.integers("p");
  IntegerList r;
  for (const std::int64_t axis : match.integers("q")) r.push_back(p[std::size_t(axis)]);
  match.set_attribute("r", std::move(r));
  return true;
}

bool channels_of_normalization(Match& match) {
  const Shape& shape = match.descriptor("x").shape;
  const auto axis = unsigned(match.number("a").value_or(Number(1)).as_int64());
  IntegerList sizes(shape.rank(), 1);
  sizes[axis] = shape[axis];
  match.set_attribute("n", std::move(sizes));
  return true;
}

}  // namespace webnn::compiler
