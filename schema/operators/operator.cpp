// Names of the operator families.
#include "schema/operators/operator.hpp"

namespace webnn::schema {

std::string_view name_of(Family family) {
  constexpr std::string_view names[] = {
      "unary",   "binary",   "comparison",  "logical",     "predicate",     "select",       "cast",
      "view",    "movement", "indexed",     "reduction",   "arg_reduction", "scan",         "normalization",
      "softmax", "window",   "convolution", "contraction", "resample",      "quantization", "recurrent",
  };
  static_assert(std::size(names) == family_count);
  return names[std::size_t(family)];
}

}  // namespace webnn::schema
