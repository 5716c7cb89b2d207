// What a device may compute that takes zeros for subnormal float32 numbers and gives zeros for them: the results of a case
// that this explains are told from wrong ones.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "compiler/vectors/vector_reader.hpp"

namespace webnn::cli {

/// A case with subnormal numbers.
class LostSubnormals {
 public:
  /// None for a case that has none.
  static std::optional<LostSubnormals> of(const compiler::Graph& graph,
                                          const std::vector<compiler::NamedTensor>& inputs,
                                          const std::vector<compiler::NamedTensor>& expected);

  /// Whether each element of an output is what the case wants, with zeros for subnormal numbers in it, or what a CPU
  /// computes with zeros for those of inputs and constants: within the tolerance.
  bool explain(const compiler::NamedTensor& wanted, std::span<const std::byte> actual,
               const schema::Tolerance& tolerance);

 private:
  LostSubnormals(const compiler::Graph& graph, const std::vector<compiler::NamedTensor>& inputs);
  void compute();

  compiler::Graph graph_;  // without them
  std::vector<compiler::NamedTensor> inputs_;
  bool is_computed_ = false;
  std::vector<std::pair<std::string, std::vector<std::byte>>> results_;  // of the CPU, by output
};

}  // namespace webnn::cli
