#include "runtime/vulkan/choices.hpp"

namespace webnn::runtime::vulkan {
namespace {

struct ChoiceRow {
  std::string_view architecture;
  KernelChoice choice;
};
constexpr ChoiceRow choice_rows[] = {
    {},  // the list may be empty
#define CHOICE(architecture, call_class, kernel) {architecture, {call_class, kernel}},
#include "runtime/vulkan/choices.def"
#undef CHOICE
};

}  // namespace

std::vector<KernelChoice> choices_for(std::string_view architecture) {
  std::vector<KernelChoice> choices;
  for (const ChoiceRow& row : choice_rows)
    if (!architecture.empty() && row.architecture == architecture) choices.push_back(row.choice);
  return choices;
}

std::vector<std::string_view> architectures_with_choices() {
  std::vector<std::string_view> names;
  for (const ChoiceRow& row : choice_rows)
    if (!row.architecture.empty() && (names.empty() || names.back() != row.architecture))
      names.push_back(row.architecture);
  return names;
}

}  // namespace webnn::runtime::vulkan
