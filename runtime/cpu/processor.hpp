// What cpu_features.hpp knows of a processor, in the file of that processor (processor_NAME.cpp).
#pragma once

#include <span>

#include "runtime/cpu/cpu_features.hpp"

namespace webnn::runtime {

struct NamedFeatures {
  std::string_view name;
  Feature features;
};

/// What `--isa` takes, in ascending order, from "baseline" to "native".
std::span<const NamedFeatures> isas();
/// What `--target` takes, without "native".
std::span<const NamedFeatures> cpu_targets();

}  // namespace webnn::runtime
