// averagePool2d, l2Pool2d, maxPool2d. Padding is not an element: it takes no part in a maximum and does not count in an
// average. The cells that `ceil` rounding or outputSizes add at the end use the part of their window that is inside the
// input. A window without elements gives 0, or for a maximum the type's lowest value.
#include "runtime/cpu/reference/contraction/window.hpp"
#include "runtime/kernel.hpp"
#include "runtime/threads/parallel.hpp"

namespace webnn::runtime::reference {
namespace {

struct Average {
  double sum = 0;
  std::int64_t count = 0;
  void add(double value) {
    sum += value;
    ++count;
  }
  double result() const { return count == 0 ? 0.0 : sum / double(count); }
};

struct L2 {
  double sum = 0;
  void add(double value) { sum += value * value; }
  double result() const { return std::sqrt(sum); }
};

template <typename T>
struct Maximum {
  using Value = arithmetic_t<T>;
  static constexpr Value lowest() {
    if constexpr (is_real<T>) {
      return -std::numeric_limits<double>::infinity();
    } else {
      return std::numeric_limits<T>::lowest();
    }
  }
  Value greatest = lowest();
  void add(Value value) {
    if (value > greatest || value != value) greatest = value;  // no number is greater than a NaN, so it stays
  }
  Value result() const { return greatest; }
};

/// `Pool` accumulates one window. `from` and `to` are views in nchw order.
template <typename T, typename Pool>
void pool_plane(const SlidingWindow& vertical, const SlidingWindow& horizontal, const T* from,
                const Strides& input_strides, T* to, const Strides& output_strides) {
  for (std::int64_t row = 0; row < vertical.output; ++row) {
    const std::int64_t top = row * vertical.stride - vertical.begin;
    const Range rows = positions_inside(vertical.window, vertical.dilation, top, vertical.input);
    for (std::int64_t column = 0; column < horizontal.output; ++column) {
      const std::int64_t left = column * horizontal.stride - horizontal.begin;
      const Range columns = positions_inside(horizontal.window, horizontal.dilation, left, horizontal.input);
      Pool pool;
      for (std::int64_t r = rows.begin; r < rows.end; ++r)
        for (std::int64_t c = columns.begin; c < columns.end; ++c)
          pool.add(load(from[(top + r * vertical.dilation) * input_strides[2] +
                             (left + c * horizontal.dilation) * input_strides[3]]));
      to[row * output_strides[2] + column * output_strides[3]] = store<T>(pool.result());
    }
  }
}

template <typename T, typename Pool>
Kernel prepare(const KernelSpec& spec, const OperatorCall& call) {
  const std::string_view layout = call.text("layout");
  const View input_view = view_as(call.shape(0), layout, "nchw");
  const View output_view = view_as(spec.outputs[0].shape, layout, "nchw");
  const auto windows = sliding_windows(call, spec.outputs[0].shape);
  const std::int64_t channels = input_view.shape[1];
  const std::size_t planes = std::size_t(input_view.shape[0]) * input_view.shape[1];
  return make_kernel([=, from_strides = input_view.strides,
                      to_strides = output_view.strides](const KernelArguments& arguments) {
    const SlidingWindow &vertical = windows[0], &horizontal = windows[1];
    const std::int64_t taps = std::min(vertical.window, vertical.input) * std::min(horizontal.window, horizontal.input);
    const std::size_t grain = 1 + 20'000 / std::size_t(taps * vertical.output * horizontal.output);
    parallel_for(planes, grain, [&](std::size_t begin, std::size_t end) {
      for (auto plane = std::int64_t(begin); plane < std::int64_t(end); ++plane) {
        const std::int64_t batch = plane / channels, channel = plane % channels;
        pool_plane<T, Pool>(vertical, horizontal,
                            input<T>(arguments, 0) + batch * from_strides[0] + channel * from_strides[1], from_strides,
                            output<T>(arguments) + batch * to_strides[0] + channel * to_strides[1], to_strides);
      }
    });
  });
}

}  // namespace

Kernel prepare_pool2d(const KernelSpec& spec, Constants) {
  const SpecCall call(spec);
  const DataType type = call.operand(0).type;
  if (spec.op == "maxPool2d"_op)
    return dispatch(AnyTypes{}, type, [&]<typename T>() { return prepare<T, Maximum<T>>(spec, call); });
  if (spec.op == "averagePool2d"_op)
    return dispatch(FloatTypes{}, type, [&]<typename T>() { return prepare<T, Average>(spec, call); });
  return dispatch(FloatTypes{}, type, [&]<typename T>() { return prepare<T, L2>(spec, call); });
}

constexpr CpuKernel pool2d_list[] = {
    {.row = {.name = "pool2d", .family = Family::window}, .prepare = prepare_pool2d},
};
extern constexpr CpuKernels pool2d_kernels(pool2d_list);

}  // namespace webnn::runtime::reference
