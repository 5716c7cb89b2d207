// Calls of one operator by chance. A function for each family draws the shapes and attributes that blind chance would
// hardly get right. The call may still be invalid: the operator's row decides.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tests/harness/random/call_draft.hpp"

namespace webnn::tests {

class CallGenerator : CallDraft {
 public:
  using CallDraft::CallDraft;

  /// Nullopt when chance made no correct call. To be called once.
  std::optional<RandomCall> run();

 private:
  void make_form();

  // ---- elementwise, along rows, and quantised
  void broadcasting();
  void select();
  void normalization();
  void quantization();
  void quantized_add();
  void quantized_average_pool2d();
  /// The scale, a multiple of `unit` / 16, and the zero point of "input", "output", ..
  double quantization_of(const std::string& name, double unit = 1);

  // ---- sums of products: call_generator_products.cpp
  void convolution();
  /// As in the body of a network: 3x3 windows side by side, or pixels, over many channels.
  void convolution_of_full_vectors();
  /// A product with a matrix, as behind global pooling.
  void convolution_of_few_positions();
  /// The operands of a convolution, and how they are quantised if they are.
  void filter_and_bias(const Sizes& input, const Sizes& filter, std::uint32_t output_channels);
  void window();
  void contraction();
  void draw_gemm(std::uint32_t rows, std::uint32_t inner, std::uint32_t columns);
  void draw_block_quantized_matmul(std::uint32_t rows);
  void draw_attention();
  /// An operand whose axes are in any order, which the attribute puts right.
  void permuted_operand(const Sizes& shape, std::string_view permutation_name);
  void recurrent();

  // ---- elements at other places: call_generator_movements.cpp
  void movement();
  void indexed();
  void resample();
};

}  // namespace webnn::tests
