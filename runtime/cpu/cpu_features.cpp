#include "runtime/cpu/cpu_features.hpp"

#include "runtime/cpu/processor.hpp"

namespace webnn::runtime {
namespace {

std::optional<Feature> features_of(std::span<const NamedFeatures> table, std::string_view name) {
  for (const NamedFeatures& row : table)
    if (row.name == name) return row.features;
  return std::nullopt;
}

std::vector<std::string_view> names_of(std::span<const NamedFeatures> table) {
  std::vector<std::string_view> names;
  for (const NamedFeatures& row : table) names.push_back(row.name);
  return names;
}

}  // namespace

std::optional<Feature> parse_isa(std::string_view name) { return features_of(isas(), name); }

std::vector<std::string_view> isa_names() { return names_of(isas()); }

std::optional<Feature> parse_cpu_target(std::string_view name) {
  return name == "native" ? detect_cpu_features() : features_of(cpu_targets(), name);
}

std::vector<std::string_view> cpu_target_names() {
  std::vector<std::string_view> names = names_of(cpu_targets());
  names.emplace_back("native");
  return names;
}

}  // namespace webnn::runtime
