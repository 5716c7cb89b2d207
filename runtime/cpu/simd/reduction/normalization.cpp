// layerNormalization, @rmsNormalization, instanceNormalization and batchNormalization of float32 and float16, in either
// layout.
#define HWY_TARGET_INCLUDE "runtime/cpu/simd/reduction/normalization.inl.hpp"
#include <algorithm>
#include <optional>
#include <type_traits>

#include "runtime/cpu/simd/for_each_isa.hpp"
#include "runtime/cpu/simd/isa.hpp"
#include "runtime/cpu/simd/movement/strided_copy.hpp"
#include "runtime/cpu/simd/simd_kernel.hpp"
#include "runtime/memory_order.hpp"
#include "runtime/threads/parallel.hpp"
#include "schema/operators/operator_call.hpp"
#include "schema/round_up.hpp"

namespace webnn::runtime::simd {
namespace {

/// The number of elements that are worth a thread.
constexpr std::size_t grain_elements = 16'000;

/// A vector operand as float32 in the order in which it is read: in place, or as a copy in scratch memory.
template <typename T>
class FloatOperand {
 public:
  /// `order`, if given, brings the elements into that order.
  FloatOperand(const OperatorCall& call, std::size_t index, ScratchLayout& scratch, Isa isa,
               const std::optional<StridedCopy>& order = {})
      : index_(index), present_(call.has_operand(index)), order_(order), widen_(VECTOR_CODE(isa, widen<T>)) {
    if (!present_) return;
    count_ = element_count(call.shape(index));
    if (order_) ordered_ = scratch.add(count_ * sizeof(T));
    if (!std::is_same_v<T, float>) widened_ = scratch.add(count_ * sizeof(float));
  }

  /// Null when the operand is absent.
  const float* in(const KernelArguments& arguments) const {
    if (!present_) return nullptr;
    const std::byte* elements = arguments.inputs[index_];
    if (order_) {
      order_->run(elements, arguments.scratch + ordered_, 0, 1, 1);
      elements = arguments.scratch + ordered_;
    }
    if constexpr (!std::is_same_v<T, float>) {
      auto* to = reinterpret_cast<float*>(arguments.scratch + widened_);
      widen_(reinterpret_cast<const T*>(elements), to, count_);
      elements = arguments.scratch + widened_;
    }
    return reinterpret_cast<const float*>(elements);
  }

 private:
  std::size_t index_;
  bool present_;
  std::optional<StridedCopy> order_;
  void (*widen_)(const T* from, float* to, std::size_t count);
  std::size_t count_ = 0, ordered_ = 0, widened_ = 0;
};

/// An attribute, cast to the operand's type.
template <typename T>
float epsilon_of(const OperatorCall& call) {
  return float(T(float(call.real("epsilon"))));
}

template <typename T>
const T* input(const KernelArguments& arguments, std::size_t i) {
  return i < arguments.inputs.size() ? reinterpret_cast<const T*>(arguments.inputs[i]) : nullptr;
}

/// Calls `body(outer index, first column, columns)` for tiles of a tensor's columns, on all threads.
template <typename Body>
void for_each_tile(const AxisView& view, Isa isa, Body&& body) {
  const std::size_t width = VECTOR_CODE(isa, normalized_columns_at_once)();
  const std::size_t tiles = div_up(view.inner, width);
  const std::size_t grain = 1 + grain_elements / (view.size * std::min(width, view.inner));
  parallel_for(view.outer * tiles, grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t task = begin; task < end; ++task) {
      const std::size_t first = task % tiles * width;
      body(task / tiles, first, std::min(width, view.inner - first));
    }
  });
}

/// layerNormalization's axes as one range of axes in memory order.
struct LayerAxes {
  AxisView view;
  Shape listed;      // sizes in the order of the attribute: the shape of scale and bias
  Strides target{};  // of these axes in a vector in memory order

  LayerAxes(const OperatorCall& call, Layout layout) {
    const Shape& shape = call.shape(0);
    const auto axes = call.u32_list("axes");
    const auto in_memory = axes_in_memory(shape.rank(), layout);
    for (const std::uint32_t axis : axes) listed.push_back(shape[axis]);
    for (unsigned place = shape.rank(); place-- > 0;) {
      const std::uint32_t size = shape[in_memory[place]];
      const auto listed_as = std::ranges::find(axes, in_memory[place]);
      if (listed_as != axes.end()) {
        target[std::size_t(listed_as - axes.begin())] = std::int64_t(view.size);
        view.size *= size;
      } else {
        (view.size == 1 ? view.inner : view.outer) *= size;
      }
    }
  }

  /// The copy that brings operand `i`, scale or bias, into memory order; nullopt when it already is.
  std::optional<StridedCopy> order_of(const KernelSpec& spec, std::size_t i) const {
    const Strides source = layout_strides(listed, i < spec.inputs.size() ? spec.input_layout(i) : Layout::row_major);
    bool same = true;
    for (unsigned axis = 0; axis < listed.rank(); ++axis)
      same = same && (listed[axis] == 1 || source[axis] == target[axis]);
    if (same) return std::nullopt;
    return StridedCopy(listed, source, target, element_bytes(spec.inputs[0]->type));
  }
};

/// layerNormalization; when it is not `centred`, @rmsNormalization.
template <typename T, bool centred>
Kernel prepare_layer(const KernelSpec& spec, const OperatorCall& call, Isa isa) {
  const LayerAxes axes(call, common_layout(spec));
  ScratchLayout scratch;
  const FloatOperand<T> scale(call, 1, scratch, isa, axes.order_of(spec, 1)),
      bias(call, 2, scratch, isa, axes.order_of(spec, 2));
  const float epsilon = epsilon_of<T>(call);
  const auto run = [=, view = axes.view](const KernelArguments& arguments) {
    const T* x = input<T>(arguments, 0);
    T* y = reinterpret_cast<T*>(arguments.outputs[0]);
    const float *scales = scale.in(arguments), *biases = bias.in(arguments);
    if (view.inner == 1) {
      const auto normalize = VECTOR_CODE(isa, normalize_run<T, centred>);
      parallel_for(view.outer, 1 + grain_elements / view.size, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
          normalize(x + i * view.size, y + i * view.size, view.size, epsilon, scales, biases);
      });
      return;
    }
    const auto normalize = VECTOR_CODE(isa, normalize_columns<T, centred>);
    for_each_tile(view, isa, [&](std::size_t outer, std::size_t first, std::size_t columns) {
      const std::size_t start = outer * view.size * view.inner + first;
      normalize(x + start, y + start, columns, view.size, view.inner, epsilon, scales, biases, nullptr, nullptr);
    });
  };
  return {run, scratch.bytes()};
}

template <typename T>
Kernel prepare_instance(const KernelSpec& spec, const OperatorCall& call, Isa isa) {
  const Shape& shape = call.shape(0);
  const std::size_t batches = shape[0], channels = shape[1], plane = std::size_t(shape[2]) * shape[3];
  const bool channels_last = common_layout(spec) == Layout::channels_last;
  ScratchLayout scratch;
  const FloatOperand<T> scale(call, 1, scratch, isa), bias(call, 2, scratch, isa);
  const float epsilon = epsilon_of<T>(call);
  const auto run = [=](const KernelArguments& arguments) {
    const T* x = input<T>(arguments, 0);
    T* y = reinterpret_cast<T*>(arguments.outputs[0]);
    const float *scales = scale.in(arguments), *biases = bias.in(arguments);
    if (channels_last) {
      const auto normalize = VECTOR_CODE(isa, normalize_columns<T, true>);
      for_each_tile({batches, plane, channels}, isa, [&](std::size_t batch, std::size_t first, std::size_t columns) {
        const std::size_t start = batch * plane * channels + first;
        normalize(x + start, y + start, columns, plane, channels, epsilon, nullptr, nullptr,
                  scales ? scales + first : nullptr, biases ? biases + first : nullptr);
      });
      return;
    }
    const auto normalize = VECTOR_CODE(isa, normalize_plane<T>);
    parallel_for(batches * channels, 1 + grain_elements / plane, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i)
        normalize(x + i * plane, y + i * plane, plane, epsilon, scales ? scales[i % channels] : 1.0f,
                  biases ? biases[i % channels] : 0.0f);
    });
  };
  return {run, scratch.bytes()};
}

template <typename T>
Kernel prepare_batch(const KernelSpec& spec, const OperatorCall& call, Isa isa) {
  constexpr std::size_t variance = 2, scale = 3;
  const Layout layout = common_layout(spec);
  const Shape& shape = call.shape(0);
  const AxisView view =
      view_along(shape_in_memory(shape, layout), axis_in_memory(call.u32("axis"), shape.rank(), layout));
  ScratchLayout scratch;
  const FloatOperand<T> mean(call, 1, scratch, isa), bias(call, 4, scratch, isa);
  const std::size_t factors_at = scratch.add(view.size * sizeof(float));
  const std::size_t zeros_at = scratch.add(view.size * sizeof(float));
  const float epsilon = epsilon_of<T>(call);
  const auto run = [=](const KernelArguments& arguments) {
    const T* x = input<T>(arguments, 0);
    T* y = reinterpret_cast<T*>(arguments.outputs[0]);
    const float *means = mean.in(arguments), *biases = bias.in(arguments);
    auto* factors = reinterpret_cast<float*>(arguments.scratch + factors_at);
    VECTOR_CODE(isa, batch_factors<T>)
    (input<T>(arguments, variance), input<T>(arguments, scale), view.size, epsilon, factors);
    if (biases == nullptr) {
      auto* zeros = reinterpret_cast<float*>(arguments.scratch + zeros_at);
      std::fill_n(zeros, view.size, 0.0f);
      biases = zeros;
    }
    if (view.inner == 1) {
      const auto rescale = VECTOR_CODE(isa, rescale_each<T>);
      parallel_for(view.outer, 1 + grain_elements / view.size, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
          rescale(x + i * view.size, y + i * view.size, view.size, means, factors, biases);
      });
      return;
    }
    const auto rescale = VECTOR_CODE(isa, rescale_run<T>);
    parallel_for(view.outer * view.size, 1 + grain_elements / view.inner, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const std::size_t channel = i % view.size;
        rescale(x + i * view.inner, y + i * view.inner, view.inner, means[channel], factors[channel], biases[channel]);
      }
    });
  };
  return {run, scratch.bytes()};
}

}  // namespace

Kernel prepare_layer_normalization(const KernelSpec& spec, Constants, Isa isa) {
  const SpecCall call(spec);
  return call.operand(0).type == DataType::float16 ? prepare_layer<Half, true>(spec, call, isa)
                                                   : prepare_layer<float, true>(spec, call, isa);
}
Kernel prepare_rms_normalization(const KernelSpec& spec, Constants, Isa isa) {
  const SpecCall call(spec);
  return call.operand(0).type == DataType::float16 ? prepare_layer<Half, false>(spec, call, isa)
                                                   : prepare_layer<float, false>(spec, call, isa);
}
Kernel prepare_instance_normalization(const KernelSpec& spec, Constants, Isa isa) {
  const SpecCall call(spec);
  return call.operand(0).type == DataType::float16 ? prepare_instance<Half>(spec, call, isa)
                                                   : prepare_instance<float>(spec, call, isa);
}
Kernel prepare_batch_normalization(const KernelSpec& spec, Constants, Isa isa) {
  const SpecCall call(spec);
  return call.operand(0).type == DataType::float16 ? prepare_batch<Half>(spec, call, isa)
                                                   : prepare_batch<float>(spec, call, isa);
}

namespace {

/// Whether the set bits are adjacent.
bool are_neighbours(unsigned bits) {
  const unsigned shifted = bits >> std::countr_zero(bits);
  return (shifted & (shifted + 1)) == 0;
}

/// The normalised axes are neighbours in memory, in either layout.
bool takes_layer_normalization(const KernelSpec& spec) {
  const SpecCall call(spec);
  unsigned in_row_major = 0, in_channels_last = 0;
  for (const std::uint32_t axis : call.u32_list("axes")) {
    constexpr unsigned place_in_nhwc[] = {0, 3, 1, 2};
    in_row_major |= 1u << axis;
    if (call.shape(0).rank() == 4) in_channels_last |= 1u << place_in_nhwc[axis];
  }
  if (in_row_major == 0) return false;
  return are_neighbours(in_row_major) && (in_channels_last == 0 || are_neighbours(in_channels_last));
}

}  // namespace

constexpr SimdKernel normalization_list[] = {
    {.row = {.name = "layerNormalization",
             .op = "layerNormalization",
             .types = floats,
             .in_place = 0b01,
             .layouts = LayoutRule::uniform,
             .can = takes_layer_normalization},
     .prepare = prepare_layer_normalization},
    {.row = {.name = "rmsNormalization",
             .op = "@rmsNormalization",
             .types = floats,
             .in_place = 0b01,
             .layouts = LayoutRule::uniform,
             .can = takes_layer_normalization},
     .prepare = prepare_rms_normalization},
    {.row = {.name = "instanceNormalization",
             .op = "instanceNormalization",
             .types = floats,
             .in_place = 0b01,
             .layouts = LayoutRule::uniform,
             .can = is_nchw},
     .prepare = prepare_instance_normalization},
    {.row = {.name = "batchNormalization",
             .op = "batchNormalization",
             .types = floats,
             .in_place = 0b01,
             .layouts = LayoutRule::uniform},
     .prepare = prepare_batch_normalization},
};
extern constexpr SimdKernels normalization_kernels(normalization_list);

}  // namespace webnn::runtime::simd
