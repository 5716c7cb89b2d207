// Shape rules of the operators: one function for each distinct rule, in infer_<family>.cpp. They run after the generic
// checks of check_operator, so operands, types, ranks and attribute kinds are already known to be valid.
#pragma once

#include "schema/operators/operator_call.hpp"

namespace webnn::schema {

// infer_elementwise.cpp
void infer_same(const OperatorCall&, Inference&);  // output = first operand
void infer_clamp(const OperatorCall&, Inference&);
void infer_broadcast(const OperatorCall&, Inference&);   // output = broadcast of all operands, type of the first
void infer_comparison(const OperatorCall&, Inference&);  // output = uint8 of the broadcast
void infer_predicate(const OperatorCall&, Inference&);   // output = uint8 of the operand's shape
void infer_where(const OperatorCall&, Inference&);
void infer_cast(const OperatorCall&, Inference&);

// infer_movement.cpp
void infer_reshape(const OperatorCall&, Inference&);
void infer_concat(const OperatorCall&, Inference&);
void infer_expand(const OperatorCall&, Inference&);
void infer_pad(const OperatorCall&, Inference&);
void infer_reverse(const OperatorCall&, Inference&);
void infer_slice(const OperatorCall&, Inference&);
void infer_split(const OperatorCall&, Inference&);
void infer_tile(const OperatorCall&, Inference&);
void infer_transpose(const OperatorCall&, Inference&);
IntegerList all_axes(const OperatorCall&);       // [0, .., rank-1]
IntegerList reversed_axes(const OperatorCall&);  // [rank-1, .., 0]
IntegerList one_per_axis(const OperatorCall&);   // [1, .., 1]
/// The sizes of split's outputs along its axis, from `splits` as a number or a list.
std::vector<std::uint32_t> split_sizes(const OperatorCall&);

// infer_indexed.cpp
void infer_gather(const OperatorCall&, Inference&);
void infer_gather_elements(const OperatorCall&, Inference&);
void infer_gather_nd(const OperatorCall&, Inference&);
void infer_scatter_elements(const OperatorCall&, Inference&);
void infer_scatter_nd(const OperatorCall&, Inference&);

// infer_reduction.cpp
void infer_reduction(const OperatorCall&, Inference&);
void infer_arg_reduction(const OperatorCall&, Inference&);
void infer_along_axis(const OperatorCall&, Inference&);  // output = operand; `axis` is one of its axes

// infer_normalization.cpp
void infer_batch_normalization(const OperatorCall&, Inference&);
void infer_instance_normalization(const OperatorCall&, Inference&);
void infer_layer_normalization(const OperatorCall&, Inference&);
IntegerList inner_axes(const OperatorCall&);  // [1, .., rank-1]

// infer_window.cpp
void infer_conv2d(const OperatorCall&, Inference&);
void infer_quantized_conv2d(const OperatorCall&, Inference&);
void infer_conv_transpose2d(const OperatorCall&, Inference&);
void infer_pool2d(const OperatorCall&, Inference&);
void infer_quantized_pool2d(const OperatorCall&, Inference&);
void infer_resample2d(const OperatorCall&, Inference&);
IntegerList whole_window(const OperatorCall&);  // the input's height and width
/// The axis that a letter of a layout ("nchw", "ohwi") names.
unsigned axis_of(std::string_view layout, char letter);

// infer_contraction.cpp
void infer_gemm(const OperatorCall&, Inference&);
void infer_matmul(const OperatorCall&, Inference&);
void infer_attention(const OperatorCall&, Inference&);

// infer_quantization.cpp
void infer_quantize(const OperatorCall&, Inference&);  // also dequantizeLinear: the row gives the output's type
void infer_quantized_add(const OperatorCall&, Inference&);
void infer_byte_table(const OperatorCall&, Inference&);
void infer_block_quantized_matmul(const OperatorCall&, Inference&);

// infer_recurrent.cpp
void infer_gru(const OperatorCall&, Inference&);
void infer_gru_cell(const OperatorCall&, Inference&);
void infer_lstm(const OperatorCall&, Inference&);
void infer_lstm_cell(const OperatorCall&, Inference&);

}  // namespace webnn::schema
