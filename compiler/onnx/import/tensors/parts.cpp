#include "compiler/onnx/import/tensors/parts.hpp"

#include <algorithm>
#include <numeric>

#include "compiler/onnx/reader/onnx_tensors.hpp"
#include "schema/elements/elements.hpp"
#include "schema/round_up.hpp"

namespace webnn::compiler::parts {
namespace {

/// Longer lists of positions are computed when the graph runs.
constexpr std::int64_t longest_list = std::int64_t{1} << 13;

}  // namespace

void check_sizes(const ImportCall& c, const OnnxIntegers& dims) {
  for (const std::int64_t size : dims)
    if (size < 0 || size > max_dimension) c.refuse("a dimension of " + std::to_string(size) + " is out of range");
}

TensorId without_elements(ImportCall& c, OnnxType type, OnnxIntegers dims) {
  check_sizes(c, dims);
  return c.constant(type, std::move(dims), Bytes());
}

TensorId counted_up(ImportCall& c, OnnxType type, std::int64_t count, std::int64_t first) {
  check_sizes(c, {count});
  std::int64_t end = 0;
  if (__builtin_add_overflow(first, count, &end)) c.refuse("positions from " + std::to_string(first) + " on overflow");
  const auto stored = data_type_of(type);
  if (!stored || bits_of(*stored) < 32) c.refuse("positions of this type are not supported");
  if (count > longest_list) {
    const TensorId places =
        c.make("cumulativeSum"_op, {c.filled(type, {count}, 1)}, {{"axis", 0}, {"exclusive", true}});
    return first == 0 ? places : c.make("add"_op, {places, c.scalar(type, first)});
  }
  const std::size_t width = bits_of(*stored) / 8;
  AlignedBytes data = c.room(std::size_t(count) * width);
  for (std::int64_t i = 0; i < count; ++i) store(first + i, *stored, data.data() + std::size_t(i) * width);
  return c.constant(type, {count}, std::move(data));
}

TensorId counted_up_at(ImportCall& c, OnnxType type, std::int64_t count, std::uint32_t axis, std::int64_t rank) {
  OnnxIntegers dims(std::size_t(rank), 1);
  dims[axis] = count;
  return c.reshape(counted_up(c, type, count), dims);
}

OnnxIntegers broadcast_dims(const ImportCall& c, const OnnxIntegers& a, const OnnxIntegers& b) {
  OnnxIntegers result = a.size() < b.size() ? b : a;
  const OnnxIntegers& shorter = a.size() < b.size() ? a : b;
  for (std::size_t i = 0; i < shorter.size(); ++i) {
    std::int64_t& size = result[result.size() - 1 - i];
    const std::int64_t other = shorter[shorter.size() - 1 - i];
    if (size != other && size != 1 && other != 1) c.refuse("the shapes do not broadcast to one another");
    if (size == 1) size = other;
  }
  return result;
}

TensorId expanded(ImportCall& c, TensorId x, const OnnxIntegers& dims) {
  if (std::ranges::find(dims, 0) != dims.end()) return without_elements(c, c.type(x), dims);
  return c.expand(x, dims);
}

TensorId sliced(ImportCall& c, TensorId x, const OnnxIntegers& starts, const OnnxIntegers& sizes,
                const OnnxIntegers& strides) {
  OnnxIntegers dims = sizes;
  for (std::size_t i = 0; i < dims.size(); ++i) dims[i] = div_up(sizes[i], strides[i]);
  if (std::ranges::find(dims, 0) != dims.end()) return without_elements(c, c.type(x), dims);
  if (dims == c.dims(x) && std::ranges::count(starts, 0) == std::ssize(starts)) return x;
  return c.make("slice"_op, {x}, {{"starts", starts}, {"sizes", sizes}, {"strides", strides}});
}

TensorId sliced_at(ImportCall& c, TensorId x, std::size_t axis, std::int64_t start, std::int64_t count,
                   std::int64_t stride) {
  OnnxIntegers starts(c.dims(x).size(), 0), sizes = c.dims(x), strides(starts.size(), 1);
  starts[axis] = start;
  sizes[axis] = count == 0 ? 0 : (count - 1) * stride + 1;
  strides[axis] = stride;
  return sliced(c, x, starts, sizes, strides);
}

std::vector<TensorId> unstacked(ImportCall& c, TensorId x, std::uint32_t axis) {
  OnnxIntegers dims = c.dims(x);
  const std::int64_t count = dims[axis];
  dims.erase(dims.begin() + axis);
  std::vector<TensorId> parts{x};
  if (count == 0) return {};
  if (count > most_turns) c.refuse("an axis of " + std::to_string(count) + " is too long to take it apart");
  if (c.count(x) == 0) return std::vector<TensorId>(std::size_t(count), without_elements(c, c.type(x), dims));
  if (count > 1)
    parts =
        c.make_all("split"_op, parts, {{"splits", IntegerList(std::size_t(count), 1)}, {"axis", std::int64_t{axis}}});
  for (TensorId& part : parts) part = c.reshape(part, dims);
  return parts;
}

TensorId along_axis(ImportCall& c, TensorId list, std::int64_t axis, std::int64_t rank) {
  OnnxIntegers dims(std::size_t(rank - axis), 1);
  dims[0] = c.count(list);
  return c.reshape(list, dims);
}

TensorId concatenated(ImportCall& c, std::span<const TensorId> given, std::uint32_t axis) {
  OnnxIntegers dims = c.dims(given[0]);
  std::vector<TensorId> parts;
  dims[axis] = 0;
  for (const TensorId part : given) {
    OnnxIntegers others = c.dims(part);
    if (others.size() != dims.size()) c.refuse("its inputs have different numbers of dimensions");
    if (c.type(part) != c.type(given[0])) c.refuse("its inputs have different types");
    if (__builtin_add_overflow(dims[axis], others[axis], &dims[axis])) c.refuse("the result is too large");
    others[axis] = dims[axis];
    if (others != dims) c.refuse("its inputs differ in another axis than that along which they are joined");
    if (c.count(part) != 0) parts.push_back(part);
  }
  if (parts.empty()) return without_elements(c, c.type(given[0]), dims);
  if (parts.size() == 1) return parts[0];
  return c.make_all("concat"_op, parts, {{"axis", std::int64_t{axis}}})[0];
}

TensorId stacked(ImportCall& c, std::span<const TensorId> parts, std::int64_t axis) {
  const std::uint32_t at = c.axis(axis, c.rank(parts[0]) + 1);
  std::vector<TensorId> reshaped;
  for (const TensorId part : parts) {
    OnnxIntegers dims = c.dims(part);
    if (at > dims.size()) c.refuse("its parts have different numbers of dimensions");
    dims.insert(dims.begin() + at, 1);
    reshaped.push_back(c.reshape(part, dims));
  }
  return concatenated(c, reshaped, at);
}

TensorId gathered(ImportCall& c, TensorId x, TensorId indices, std::uint32_t axis) {
  OnnxIntegers dims(c.dims(x).begin(), c.dims(x).begin() + axis);
  dims.insert(dims.end(), c.dims(indices).begin(), c.dims(indices).end());
  dims.insert(dims.end(), c.dims(x).begin() + axis + 1, c.dims(x).end());
  if (std::ranges::find(dims, 0) != dims.end()) return without_elements(c, c.type(x), dims);
  return c.make("gather"_op, {x, indices}, {{"axis", std::int64_t{axis}}});
}

}  // namespace webnn::compiler::parts
