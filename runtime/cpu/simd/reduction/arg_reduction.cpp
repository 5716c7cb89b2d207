// argMin and argMax of float32 and float16 along one axis, in either layout.
#define HWY_TARGET_INCLUDE "runtime/cpu/simd/reduction/arg_reduction.inl.hpp"
#include <algorithm>

#include "runtime/cpu/simd/for_each_isa.hpp"
#include "runtime/cpu/simd/isa.hpp"
#include "runtime/cpu/simd/simd_kernel.hpp"
#include "runtime/memory_order.hpp"
#include "runtime/threads/parallel.hpp"
#include "schema/operators/operator_call.hpp"
#include "schema/round_up.hpp"

namespace webnn::runtime::simd {
namespace {

/// The number of results found before they are stored in the output's type.
constexpr std::size_t most_results = 256;
constexpr std::size_t grain_elements = 30'000;

/// Stores `count` results at position `at` of an int32 or int64 output.
void store(const std::int32_t* places, std::size_t count, DataType type, std::size_t at, std::byte* output) {
  if (type == DataType::int64) {
    std::copy_n(places, count, reinterpret_cast<std::int64_t*>(output) + at);
  } else {
    std::copy_n(places, count, reinterpret_cast<std::int32_t*>(output) + at);
  }
}

template <typename T>
Kernel prepare(const AxisView& view, DataType type, bool greatest, Isa isa) {
  const auto runs = VECTOR_CODE(isa, choose_arg_of_runs<T>)(greatest);
  const auto columns = VECTOR_CODE(isa, choose_arg_of_columns<T>)(greatest);
  // Without columns, a unit of work is many runs; otherwise it is a tile of columns.
  const std::size_t width = view.inner == 1 ? 1 : std::min<std::size_t>(view.inner, 64);
  const std::size_t tiles = div_up(view.inner, width);
  const std::size_t grain = 1 + grain_elements / (view.size * width);
  return {[=](const KernelArguments& arguments) {
    const auto* x = reinterpret_cast<const T*>(arguments.inputs[0]);
    parallel_for(view.outer * tiles, grain, [&](std::size_t begin, std::size_t end) {
      std::int32_t places[most_results];
      if (view.inner == 1) {
        for (std::size_t i = begin; i < end; i += most_results) {
          const std::size_t count = std::min(most_results, end - i);
          runs(x + i * view.size, view.size, count, places);
          store(places, count, type, i, arguments.outputs[0]);
        }
        return;
      }
      for (std::size_t task = begin; task < end; ++task) {
        const std::size_t outer = task / tiles, first = task % tiles * width;
        const std::size_t count = std::min(width, view.inner - first);
        columns(x + outer * view.size * view.inner + first, count, view.size, view.inner, places);
        store(places, count, type, outer * view.inner + first, arguments.outputs[0]);
      }
    });
  }};
}

}  // namespace

/// The results have the order of the input's memory, without the reduced axis.
Kernel prepare_arg_reduction(const KernelSpec& spec, Constants, Isa isa) {
  const SpecCall call(spec);
  const Layout layout = common_layout(spec);
  const Shape& shape = call.shape(0);
  const AxisView view =
      view_along(shape_in_memory(shape, layout), axis_in_memory(call.u32("axis"), shape.rank(), layout));
  const DataType type = spec.outputs[0].type;
  const bool greatest = spec.op == "argMax"_op;
  return call.operand(0).type == DataType::float16 ? prepare<Half>(view, type, greatest, isa)
                                                   : prepare<float>(view, type, greatest, isa);
}

namespace {

/// argMin and argMax of a tensor of rank 4 whose results have the same order in memory as the input, in either layout.
bool arg_keeps_order(const KernelSpec& spec) {
  const SpecCall call(spec);
  constexpr std::uint32_t channels = 1;
  return call.shape(0).rank() == 4 && (call.u32("axis") == channels || call.boolean("keepDimensions"));
}

}  // namespace

constexpr SimdKernel arg_reduction_list[] = {
    {.row = {.name = "argReduction",
             .family = Family::arg_reduction,
             .types = floats,
             .layouts = LayoutRule::uniform,
             .can = arg_keeps_order},
     .prepare = prepare_arg_reduction},
    {.row = {.name = "argReduction.rowMajor", .family = Family::arg_reduction, .types = floats, .factor = 1.1},
     .prepare = prepare_arg_reduction},
};
extern constexpr SimdKernels arg_reduction_kernels(arg_reduction_list);

}  // namespace webnn::runtime::simd
