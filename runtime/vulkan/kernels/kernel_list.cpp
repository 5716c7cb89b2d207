// The list that joins rows of the kernel table with plans.
#include <algorithm>

#include "runtime/vulkan/kernels/plans.hpp"

namespace webnn::runtime::vulkan {
namespace {

constexpr PlanRow rows[] = {
    {"vulkan.unary", plan_unary},
    {"vulkan.binary", plan_binary},
    {"vulkan.comparison", plan_binary},
    {"vulkan.logical", plan_logical},
    {"vulkan.predicate", plan_predicate},
    {"vulkan.where", plan_where},
    {"vulkan.cast", plan_cast},
    {"vulkan.view", plan_view},
    {"vulkan.concat", plan_concat},
    {"vulkan.expand", plan_expand},
    {"vulkan.pad", plan_pad},
    {"vulkan.reverse", plan_reverse},
    {"vulkan.slice", plan_slice},
    {"vulkan.split", plan_split},
    {"vulkan.tile", plan_tile},
    {"vulkan.transpose", plan_transpose},
    {"vulkan.triangular", plan_triangular},
    {"vulkan.gather", plan_gather},
    {"vulkan.gatherElements", plan_gather_elements},
    {"vulkan.gatherND", plan_gather_nd},
    {"vulkan.scatterElements", plan_scatter_elements},
    {"vulkan.scatterND", plan_scatter_nd},
    {"vulkan.reduction", plan_reduction},
    {"vulkan.argReduction", plan_arg_reduction},
    {"vulkan.cumulativeSum", plan_cumulative_sum},
    {"vulkan.softmax", plan_softmax},
    {"vulkan.batchNormalization", plan_batch_normalization},
    {"vulkan.instanceNormalization", plan_instance_normalization},
    {"vulkan.layerNormalization", plan_layer_normalization},
    {"vulkan.pool2d", plan_pool2d},
    {"vulkan.conv2d.tiled", plan_tiled_conv2d, true},
    {"vulkan.conv2d", plan_conv2d},
    {"vulkan.convTranspose2d", plan_conv_transpose2d},
    {"vulkan.gemm.tiled", plan_tiled_gemm, true},
    {"vulkan.gemm", plan_gemm},
    {"vulkan.matmul.tiled", plan_tiled_matmul, true},
    {"vulkan.matmul", plan_matmul},
    {"vulkan.resample2d", plan_resample2d},
    {"vulkan.quantizeLinear", plan_quantization},
    {"vulkan.dequantizeLinear", plan_quantization},
    {"vulkan.gru", plan_gru},
    {"vulkan.gruCell", plan_gru},
    {"vulkan.lstm", plan_lstm},
    {"vulkan.lstmCell", plan_lstm},
};

}  // namespace

const PlanRow* find_vulkan_kernel(std::string_view name) {
  const auto* const found = std::ranges::find(rows, name, &PlanRow::name);
  return found == std::end(rows) ? nullptr : found;
}

}  // namespace webnn::runtime::vulkan
