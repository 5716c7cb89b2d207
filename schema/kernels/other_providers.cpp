#include "schema/kernels/other_providers.hpp"

#include <algorithm>

namespace webnn::schema {

std::vector<OtherProvider> other_providers(const Program& program, std::string_view wanted) {
  std::vector<OtherProvider> others;
  for (const Step& step : program.steps) {
    const OtherProvider one{row(step.op).name, row(step.kernel).provider()};
    if (one.provider != wanted && !row(step.op).internal() && std::ranges::find(others, one) == others.end())
      others.push_back(one);
  }
  return others;
}

std::string text_of(const std::vector<OtherProvider>& others) {
  std::string text;
  for (const OtherProvider& one : others)
    text += (text.empty() ? "" : ", ") + std::string(one.op) + " (" + std::string(one.provider) + ")";
  return text;
}

}  // namespace webnn::schema
