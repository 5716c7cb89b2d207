// The reductions of float32 and float16 (reduceSum, reduceMean, reduceMax, ...) over any axes, in either layout; and
// pooling with one window over the whole plane, which is a reduction over height and width.
#define HWY_TARGET_INCLUDE "runtime/cpu/simd/reduction/reduction.inl.hpp"
#include "runtime/cpu/simd/reduction/reduction.hpp"

#include <algorithm>
#include <vector>

#include "runtime/cpu/simd/epilogue.hpp"
#include "runtime/cpu/simd/for_each_isa.hpp"
#include "runtime/cpu/simd/isa.hpp"
#include "runtime/cpu/simd/simd_kernel.hpp"
#include "runtime/memory_order.hpp"
#include "runtime/threads/parallel.hpp"
#include "schema/error.hpp"
#include "schema/operators/operator_call.hpp"
#include "schema/operators/sliding_window.hpp"
#include "schema/round_up.hpp"

namespace webnn::runtime::simd {
namespace {

struct Row {
  OperatorId op;
  Fold fold;
  Finish finish;
};
constexpr Row rows[] = {
    {"reduceL1"_op, Fold::sum_of_magnitudes, Finish::none},
    {"reduceL2"_op, Fold::sum_of_squares, Finish::root},
    {"reduceLogSum"_op, Fold::sum, Finish::logarithm},
    {"reduceLogSumExp"_op, Fold::sum_of_exponentials, Finish::none},
    {"reduceMax"_op, Fold::maximum, Finish::none},
    {"reduceMean"_op, Fold::sum, Finish::mean},
    {"reduceMin"_op, Fold::minimum, Finish::none},
    {"reduceProduct"_op, Fold::product, Finish::none},
    {"reduceSum"_op, Fold::sum, Finish::none},
    {"reduceSumSquare"_op, Fold::sum_of_squares, Finish::none},
    {"averagePool2d"_op, Fold::sum, Finish::mean},
    {"l2Pool2d"_op, Fold::sum_of_squares, Finish::root},
    {"maxPool2d"_op, Fold::maximum, Finish::none},
};

/// One loop over the input; stride in elements.
struct Loop {
  bool reduced = false;
  std::int64_t size = 1, input = 0, output = 0;
};

/// All loops in the order of the input's memory, with neighbours of the same kind merged.
std::vector<Loop> loops_of(const KernelSpec& spec, const std::vector<std::uint32_t>& reduced_axes) {
  const Shape& shape = spec.inputs[0]->shape;
  const Shape& result = spec.outputs[0].shape;
  const Strides input = layout_strides(shape, spec.input_layout(0));
  const Strides output = layout_strides(result, spec.output_layout(0));
  std::array<Loop, max_rank> by_axis;
  unsigned kept = 0;
  for (unsigned axis = 0; axis < shape.rank(); ++axis) {
    const bool reduced = std::ranges::find(reduced_axes, axis) != reduced_axes.end();
    by_axis[axis] = {reduced, std::int64_t(shape[axis]), input[axis], 0};
    if (!reduced) by_axis[axis].output = output[result.rank() == shape.rank() ? axis : kept++];
  }
  std::vector<Loop> loops;
  const auto in_memory = axes_in_memory(shape.rank(), spec.input_layout(0));
  for (unsigned place = 0; place < shape.rank(); ++place) {
    const Loop& loop = by_axis[in_memory[place]];
    if (loop.size == 1) continue;
    if (!loops.empty() && loops.back().reduced == loop.reduced && loops.back().input == loop.input * loop.size &&
        loops.back().output == loop.output * loop.size) {
      loops.back() = {loop.reduced, loops.back().size * loop.size, loop.input, loop.output};
    } else {
      loops.push_back(loop);
    }
  }
  return loops;
}

/// A prepared reduction: the loops of one result, and the loops over all results.
struct Reduction {
  ReductionLoops reduced;
  std::vector<Loop> kept;   // without the columns
  Loop columns;             // size 0: runs
  std::size_t results = 1;  // number of results of the kept loops

  explicit Reduction(std::vector<Loop> loops) {
    if (loops.empty() || !loops.back().reduced) {
      columns = loops.empty() ? Loop{false, 1, 1, 1} : loops.back();
      if (!loops.empty()) loops.pop_back();
    } else {
      columns.size = 0;
    }
    std::vector<ReductionLoops::Axis> axes;
    for (const Loop& loop : loops) {
      if (!loop.reduced) {
        kept.push_back(loop);
        results *= std::size_t(loop.size);
        continue;
      }
      axes.push_back({loop.size, loop.input});
      reduced.count *= loop.size;
    }
    if (!axes.empty()) {
      reduced.inner = axes.back();
      axes.pop_back();
    }
    reduced.outer_rank = unsigned(axes.size());
    std::ranges::copy(axes, reduced.outer);
  }

  /// The offsets in the input and in the output of one index of the kept loops.
  std::pair<std::int64_t, std::int64_t> place(std::size_t number) const {
    std::int64_t input = 0, output = 0;
    for (std::size_t i = kept.size(); i-- > 0;) {
      const auto index = std::int64_t(number % std::size_t(kept[i].size));
      number /= std::size_t(kept[i].size);
      input += index * kept[i].input;
      output += index * kept[i].output;
    }
    return {input, output};
  }
};

/// The number of units of `elements` each that are worth a thread.
std::size_t grain_of(std::int64_t elements) { return 1 + 50'000 / std::size_t(elements); }

template <typename T>
Kernel prepare(Reduction reduction, const Row& row, Isa isa) {
  if (reduction.columns.size == 0) {
    const auto reduce = VECTOR_CODE(isa, run_reduction<T>)(row.fold);
    return {[=, finish = row.finish](const KernelArguments& arguments) {
      const auto* x = reinterpret_cast<const T*>(arguments.inputs[0]);
      auto* y = reinterpret_cast<T*>(arguments.outputs[0]);
      parallel_for(reduction.results, grain_of(reduction.reduced.count), [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          const auto [input, output] = reduction.place(i);
          reduce(reduction.reduced, finish, x + input, y + output);
        }
      });
    }};
  }
  constexpr std::size_t most_columns = 64;
  const auto reduce = VECTOR_CODE(isa, column_reduction<T>)(row.fold);
  const std::size_t width = VECTOR_CODE(isa, columns_at_once)();
  const auto columns = std::size_t(reduction.columns.size);
  const std::size_t tiles = div_up(columns, width);
  return {[=, finish = row.finish](const KernelArguments& arguments) {
    const auto* x = reinterpret_cast<const T*>(arguments.inputs[0]);
    auto* y = reinterpret_cast<T*>(arguments.outputs[0]);
    const std::int64_t elements = reduction.reduced.count * std::int64_t(std::min(columns, width));
    parallel_for(reduction.results * tiles, grain_of(elements), [&](std::size_t begin, std::size_t end) {
      for (std::size_t task = begin; task < end; ++task) {
        const auto [input, output] = reduction.place(task / tiles);
        const std::size_t first = task % tiles * width, count = std::min(width, columns - first);
        const T* from = x + input + first;
        T* to = y + output + std::int64_t(first) * reduction.columns.output;
        if (reduction.columns.output == 1) {
          reduce(reduction.reduced, finish, from, to, count);
        } else {  // the output has its axes in another order
          T results[most_columns];
          reduce(reduction.reduced, finish, from, results, count);
          for (std::size_t i = 0; i < count; ++i) to[std::int64_t(i) * reduction.columns.output] = results[i];
        }
      }
    });
  }};
}

Kernel prepare_over(const KernelSpec& spec, Constants constants, const std::vector<std::uint32_t>& axes, Isa isa) {
  const auto row = std::ranges::find(rows, spec.op, &Row::op);
  if (row == std::end(rows)) throw Error(ExitCode::internal, "no fold for " + std::string(schema::row(spec.op).name));
  Reduction reduction(loops_of(spec, axes));
  Kernel reduce = spec.inputs[0]->type == DataType::float16 ? prepare<Half>(std::move(reduction), *row, isa)
                                                            : prepare<float>(std::move(reduction), *row, isa);
  return with_post_ops(std::move(reduce), spec, constants, isa);
}

}  // namespace

Kernel prepare_reduction(const KernelSpec& spec, Constants constants, Isa isa) {
  return prepare_over(spec, constants, SpecCall(spec).u32_list("axes"), isa);
}
Kernel prepare_global_pool2d(const KernelSpec& spec, Constants constants, Isa isa) {
  return prepare_over(spec, constants, {2, 3}, isa);
}

namespace {

/// Pooling with one window over the whole plane.
bool takes_global_pool(const KernelSpec& spec) {
  if (!is_nchw(spec)) return false;
  const SpecCall call(spec);
  return std::ranges::all_of(sliding_windows(call, spec.outputs[0].shape), [](const SlidingWindow& axis) {
    return axis.window == axis.input && axis.output == 1 && axis.dilation == 1 && axis.begin == 0 && axis.end == 0;
  });
}

}  // namespace

constexpr SimdKernel reduction_list[] = {
    {.row = {.name = "globalPool2d",
             .family = Family::window,
             .types = floats,
             .layouts = LayoutRule::uniform,
             .can = takes_global_pool,
             .can_apply = elementwise_post_ops,
             .factor = 0.9},
     .prepare = prepare_global_pool2d},
    {.row = {.name = "reduction",
             .family = Family::reduction,
             .types = floats,
             .layouts = LayoutRule::uniform,
             .can_apply = elementwise_post_ops},
     .prepare = prepare_reduction},
};
extern constexpr SimdKernels reduction_kernels(reduction_list);

}  // namespace webnn::runtime::simd
