// MLOpSupportLimits: what a context's device supports, by operator and operand.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "schema/elements/data_type.hpp"

namespace webnn {

struct RankRange {
  std::uint32_t min = 0;
  std::uint32_t max = 0;
  bool operator==(const RankRange&) const = default;
};

struct TensorLimits {
  std::vector<schema::DataType> dataTypes{};
  RankRange rankRange{};
  bool operator==(const TensorLimits&) const = default;
};

struct OpSupportLimits {
  std::string preferredInputLayout;  // "nchw" or "nhwc"
  std::uint64_t maxTensorByteLength = 0;
  TensorLimits input, constant, output;
  /// operators["conv2d"]["filter"]: by operator, then by operand ("output" for the result, "outputs" where there may be
  /// several), with the specification's names.
  std::map<std::string, std::map<std::string, TensorLimits>> operators;
};

}  // namespace webnn
