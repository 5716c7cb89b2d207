#include "runtime/cpu/simd/simd_kernels.hpp"

#include "runtime/cpu/simd/simd_kernel.hpp"

namespace webnn::runtime {
namespace simd {

#define KERNELS(name) extern const SimdKernels name##_kernels;
#include "runtime/cpu/simd/kernels.def"

namespace {

/// What a variant adds to its kernel's row.
struct Variant {
  PrepareFunction Variants<PrepareFunction>::*prepare;
  PackFunction Variants<PackFunction>::*pack;
  std::string_view suffix;
  Feature features;
  double factor;
};
constexpr Variant variants[] = {
    {&Variants<PrepareFunction>::avx512_vnni, &Variants<PackFunction>::avx512_vnni, "avx512_vnni", Feature::avx512_vnni,
     1},
    {&Variants<PrepareFunction>::avx512, &Variants<PackFunction>::avx512, "avx512", Feature::avx512, 1},
    {&Variants<PrepareFunction>::avx2, &Variants<PackFunction>::avx2, "avx2", Feature::avx2, half_vectors},
    {&Variants<PrepareFunction>::any, &Variants<PackFunction>::any, "", Feature::none, 1},
};

}  // namespace
}  // namespace simd

void add_simd_kernels(CpuKernelList& list) {
  using namespace simd;
#define KERNELS(name) &name##_kernels,
  for (const SimdKernels* const kernels : {
#include "runtime/cpu/simd/kernels.def"
       })
    for (const SimdKernel& kernel : *kernels)
      for (const Variant& variant : variants) {
        if (kernel.prepare.*variant.prepare == nullptr) continue;
        CpuKernel one{kernel.row, kernel.prepare.*variant.prepare, kernel.pack.*variant.pack};
        one.row.features = variant.features;
        one.row.factor *= variant.factor;
        list.add({"simd", kernel.row.name, variant.suffix}, one);
      }
}

}  // namespace webnn::runtime
