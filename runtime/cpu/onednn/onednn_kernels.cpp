#include "runtime/cpu/onednn/onednn_kernels.hpp"

#include <cstdlib>
#include <oneapi/dnnl/dnnl.hpp>

#include "runtime/cpu/onednn/implementation.hpp"

namespace webnn::runtime {
namespace onednn {

#define KERNELS(name) extern const CpuKernels name##_kernels;
#include "runtime/cpu/onednn/kernels.def"

}  // namespace onednn

void add_onednn_kernels(CpuKernelList& list) {
  using namespace onednn;
#define KERNELS(name) add_kernels(list, "onednn", name##_kernels);
#include "runtime/cpu/onednn/kernels.def"
}

std::string onednn_implementation(const KernelSpec& spec, bool constant_weights) {
  using enum Family;
  return row(spec.op).family == convolution ? onednn::implementation_of_convolution(spec)
                                            : onednn::implementation_of_contraction(spec, constant_weights);
}

Feature limit_onednn_isa(Feature features) {
  struct Level {
    Feature features;
    dnnl::cpu_isa isa;
  };
  using enum Feature;
  static constexpr Level levels[] = {
      {avx2 | avx512 | avx512_vnni | avx512_bf16 | amx_bf16 | amx_int8, dnnl::cpu_isa::all},
      {avx2 | avx512 | avx512_vnni | avx512_bf16, dnnl::cpu_isa::avx512_core_bf16},
      {avx2 | avx512 | avx512_vnni, dnnl::cpu_isa::avx512_core_vnni},
      {avx2 | avx512, dnnl::cpu_isa::avx512_core},
      {avx2, dnnl::cpu_isa::avx2},
      {none, dnnl::cpu_isa::sse41},
  };
  // With its first code oneDNN would look for a profiler's library in two dozen folders, each of which a sandbox is asked for.
  if (!std::getenv("DNNL_JIT_PROFILE")) dnnl_set_jit_profiling_flags(DNNL_JIT_PROFILE_NONE);
  for (const Level& level : levels)
    if (includes(features, level.features)) {
      dnnl::set_max_cpu_isa(level.isa);  // fails when it is too late; see the header
      break;
    }
  constexpr auto vnni = unsigned(dnnl::cpu_isa::avx512_core_vnni);  // has one bit for each part of the feature
  const bool is_exact = (unsigned(dnnl::get_effective_cpu_isa()) & vnni) == vnni;
  return is_exact ? features : Feature(std::uint32_t(features) & ~std::uint32_t(avx512_vnni));
}

}  // namespace webnn::runtime
