// triangular: keeps the elements on one side of a diagonal of the last two axes and sets the others to zero. Each row
// is one run that is kept and one of zeros.
#include <algorithm>
#include <cstring>

#include "runtime/cpu_kernel.hpp"
#include "runtime/memory_order.hpp"
#include "runtime/threads/parallel.hpp"
#include "schema/operators/operator_call.hpp"

namespace webnn::runtime::simd {

Kernel prepare_triangular(const KernelSpec& spec, Constants) {
  const SpecCall call(spec);
  const bool upper = call.boolean("upper");
  const std::int64_t diagonal = call.i32("diagonal");
  const Shape& shape = call.shape(0);
  const std::size_t bytes = element_bytes(call.operand(0).type);
  const std::int64_t columns = shape[shape.rank() - 1], height = shape[shape.rank() - 2];
  const std::size_t rows = element_count(shape) / std::size_t(columns);
  const std::size_t row_bytes = std::size_t(columns) * bytes;
  return {[=](const KernelArguments& arguments) {
    parallel_for(rows, 1 + 100'000 / row_bytes, [&](std::size_t begin, std::size_t end) {
      for (std::size_t row = begin; row < end; ++row) {
        const std::int64_t in_matrix = std::int64_t(row) % height;
        // Columns before `turn` are zero (upper) or kept (lower).
        const std::int64_t wanted = in_matrix + diagonal + (upper ? 0 : 1);
        const std::size_t turn = std::size_t(std::clamp<std::int64_t>(wanted, 0, columns)) * bytes;
        const std::size_t kept = upper ? turn : 0, kept_bytes = upper ? row_bytes - turn : turn;
        const std::byte* source = arguments.inputs[0] + row * row_bytes;
        std::byte* target = arguments.outputs[0] + row * row_bytes;
        if (target != source) std::memcpy(target + kept, source + kept, kept_bytes);
        std::memset(target + (upper ? 0 : turn), 0, row_bytes - kept_bytes);
      }
    });
  }};
}

constexpr CpuKernel triangular_list[] = {
    {.row = {.name = "triangular", .op = "triangular", .types = whole_bytes, .in_place = 0b01},
     .prepare = prepare_triangular},
};
extern constexpr CpuKernels triangular_kernels(triangular_list);

}  // namespace webnn::runtime::simd
