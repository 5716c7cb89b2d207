#include "runtime/cpu/reference/reference_kernels.hpp"

#include "runtime/cpu/reference/prepare.hpp"

namespace webnn::runtime {

std::span<const KernelEntry> reference_kernels() {
  using namespace reference;
  static constexpr KernelEntry entries[] = {
      {"reference.unary", prepare_unary},
      {"reference.binary", prepare_binary},
      {"reference.comparison", prepare_comparison},
      {"reference.logical", prepare_logical},
      {"reference.predicate", prepare_predicate},
      {"reference.where", prepare_where},
      {"reference.cast", prepare_cast},
      {"reference.copy", prepare_copy},
      {"reference.concat", prepare_concat},
      {"reference.expand", prepare_expand},
      {"reference.pad", prepare_pad},
      {"reference.reverse", prepare_reverse},
      {"reference.slice", prepare_slice},
      {"reference.reorder", prepare_reorder},
      {"reference.split", prepare_split},
      {"reference.tile", prepare_tile},
      {"reference.transpose", prepare_transpose},
      {"reference.triangular", prepare_triangular},
      {"reference.gather", prepare_gather},
      {"reference.gatherElements", prepare_gather_elements},
      {"reference.gatherND", prepare_gather_nd},
      {"reference.scatterElements", prepare_scatter_elements},
      {"reference.scatterND", prepare_scatter_nd},
      {"reference.reduction", prepare_reduction},
      {"reference.argReduction", prepare_arg_reduction},
      {"reference.cumulativeSum", prepare_cumulative_sum},
      {"reference.batchNormalization", prepare_batch_normalization},
      {"reference.instanceNormalization", prepare_instance_normalization},
      {"reference.layerNormalization", prepare_layer_normalization},
      {"reference.softmax", prepare_softmax},
      {"reference.pool2d", prepare_pool2d},
      {"reference.conv2d", prepare_conv2d},
      {"reference.convTranspose2d", prepare_conv_transpose2d},
      {"reference.gemm", prepare_gemm},
      {"reference.matmul", prepare_matmul},
      {"reference.attention", prepare_attention},
      {"reference.resample2d", prepare_resample2d},
      {"reference.quantizeLinear", prepare_quantize_linear},
      {"reference.dequantizeLinear", prepare_dequantize_linear},
      {"reference.quantizedConv2d", prepare_quantized_conv2d},
      {"reference.quantizedAdd", prepare_quantized_add},
      {"reference.gru", prepare_gru},
      {"reference.gruCell", prepare_gru_cell},
      {"reference.lstm", prepare_lstm},
      {"reference.lstmCell", prepare_lstm_cell},
  };
  return entries;
}

}  // namespace webnn::runtime
