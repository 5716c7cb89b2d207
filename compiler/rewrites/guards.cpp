#include "compiler/rewrites/guards.hpp"

namespace webnn::compiler {

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

}  // namespace webnn::compiler
