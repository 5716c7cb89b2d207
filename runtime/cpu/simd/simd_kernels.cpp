#include "runtime/cpu/simd/simd_kernels.hpp"

#include "runtime/cpu/simd/gate_panels.hpp"
#include "runtime/cpu/simd/movement.hpp"
#include "runtime/cpu/simd/prepare.hpp"

namespace webnn::runtime {

std::span<const KernelEntry> simd_kernels() {
  using namespace simd;
// The two entries of a SIMD_KERNEL row; a third argument is what packs its constants.
#define SIMD_ENTRIES(name, prepare, ...)                                       \
  {"simd." name ".avx512", prepare<Isa::avx512> __VA_OPT__(, ) __VA_ARGS__}, { \
    "simd." name ".avx2", prepare<Isa::avx2> __VA_OPT__(, ) __VA_ARGS__        \
  }
  static constexpr KernelEntry entries[] = {
      SIMD_ENTRIES("unary", prepare_elementwise),
      SIMD_ENTRIES("binary", prepare_elementwise),
      SIMD_ENTRIES("integerUnary", prepare_elementwise),
      SIMD_ENTRIES("integerBinary", prepare_elementwise),
      SIMD_ENTRIES("comparison", prepare_elementwise),
      SIMD_ENTRIES("logical", prepare_elementwise),
      SIMD_ENTRIES("predicate", prepare_elementwise),
      SIMD_ENTRIES("where", prepare_elementwise),
      SIMD_ENTRIES("cast", prepare_elementwise),
      SIMD_ENTRIES("quantizeLinear", prepare_quantize_linear),
      SIMD_ENTRIES("dequantizeLinear", prepare_dequantize_linear),
      SIMD_ENTRIES("quantizedAdd", prepare_quantized_add),
      SIMD_ENTRIES("argReduction", prepare_arg_reduction),
      SIMD_ENTRIES("argReduction.rowMajor", prepare_arg_reduction),
      SIMD_ENTRIES("attention", prepare_attention),
      SIMD_ENTRIES("batchNormalization", prepare_batch_normalization),
      {"simd.conv2d.depthwise.avx512", prepare_conv2d_depthwise<Isa::avx512>, pack_conv2d_depthwise<Isa::avx512>},
      {"simd.conv2d.depthwise.avx2", prepare_conv2d_depthwise<Isa::avx2>, pack_conv2d_depthwise<Isa::avx2>},
      {"simd.conv2d.winograd.avx512", prepare_conv2d_winograd<Isa::avx512>, pack_conv2d_winograd<Isa::avx512>},
      {"simd.conv2d.winograd.avx2", prepare_conv2d_winograd<Isa::avx2>, pack_conv2d_winograd<Isa::avx2>},
      SIMD_ENTRIES("convTranspose2d", prepare_conv_transpose2d),
      SIMD_ENTRIES("globalPool2d", prepare_global_pool2d),
      SIMD_ENTRIES("gru", prepare_gru, pack_panels),
      SIMD_ENTRIES("gruCell", prepare_gru, pack_panels),
      SIMD_ENTRIES("lstm", prepare_lstm, pack_panels),
      SIMD_ENTRIES("lstmCell", prepare_lstm, pack_panels),
      SIMD_ENTRIES("instanceNormalization", prepare_instance_normalization),
      SIMD_ENTRIES("layerNormalization", prepare_layer_normalization),
      SIMD_ENTRIES("pool2d", prepare_pool2d),
      SIMD_ENTRIES("maxPool2d", prepare_pool2d),
      SIMD_ENTRIES("reduction", prepare_reduction),
      SIMD_ENTRIES("resample2d", prepare_resample2d),
      SIMD_ENTRIES("resample2d.rowMajor", prepare_resample2d),
      SIMD_ENTRIES("softmax", prepare_softmax),
      {"simd.copy", prepare_copy},
      {"simd.reorder", prepare_reorder},
      {"simd.transpose", prepare_transpose},
      {"simd.concat", prepare_concat},
      {"simd.split", prepare_split},
      {"simd.slice", prepare_slice},
      {"simd.expand", prepare_expand},
      {"simd.tile", prepare_tile},
      {"simd.reverse", prepare_reverse},
      {"simd.pad", prepare_pad},
      {"simd.triangular", prepare_triangular},
      {"simd.gather", prepare_gather},
      {"simd.gatherElements", prepare_gather_elements},
      {"simd.gatherND", prepare_gather_nd},
      {"simd.scatterElements", prepare_scatter_elements},
      {"simd.scatterND", prepare_scatter_nd},
      {"simd.cumulativeSum", prepare_cumulative_sum},
  };
#undef SIMD_ENTRIES
  return entries;
}

}  // namespace webnn::runtime
