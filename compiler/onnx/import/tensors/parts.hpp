// Parts of ONNX operators about shapes and positions. Unlike WebNN's calls they take and give tensors without elements.
#pragma once

#include <algorithm>

#include "compiler/onnx/import/import_call.hpp"

namespace webnn::compiler {
namespace parts {

/// Turns of a loop, and parts of an axis, at most.
inline constexpr std::int64_t most_turns = std::int64_t{1} << 16;

/// A constant of the elements of `values`, which has the type of `T`.
template <class T>
TensorId constant_of(ImportCall& c, OnnxType type, OnnxIntegers dims, const std::vector<T>& values) {
  AlignedBytes data = c.room(sizeof(T) * values.size());
  std::ranges::copy(std::as_bytes(std::span(values)), data.data());
  return c.constant(type, std::move(dims), std::move(data));
}

/// Refuses sizes below 0 or above WebNN's limit, so that sums and products of two of them do not overflow.
void check_sizes(const ImportCall& c, const OnnxIntegers& dims);
TensorId without_elements(ImportCall& c, OnnxType type, OnnxIntegers dims);
/// `first`, `first` + 1, ... along one axis.
TensorId counted_up(ImportCall& c, OnnxType type, std::int64_t count, std::int64_t first = 0);
/// The same at one axis of a tensor of `rank` dimensions whose others are 1.
TensorId counted_up_at(ImportCall& c, OnnxType type, std::int64_t count, std::uint32_t axis, std::int64_t rank);

/// The dimensions that both have when each repeats what is 1 in it.
OnnxIntegers broadcast_dims(const ImportCall& c, const OnnxIntegers& a, const OnnxIntegers& b);
/// Unlike ImportCall::expand, for any tensor.
TensorId expanded(ImportCall& c, TensorId x, const OnnxIntegers& dims);

/// WebNN's slice.
TensorId sliced(ImportCall& c, TensorId x, const OnnxIntegers& starts, const OnnxIntegers& sizes,
                const OnnxIntegers& strides);
/// `count` elements of one axis: start, start + stride, ...
TensorId sliced_at(ImportCall& c, TensorId x, std::size_t axis, std::int64_t start, std::int64_t count,
                   std::int64_t stride = 1);
/// The slices of one element along an axis, without that axis. Refused when there are more than turns of a loop may be.
std::vector<TensorId> unstacked(ImportCall& c, TensorId x, std::uint32_t axis);
/// A list in the shape that meets axis `axis` of a tensor with `rank` dimensions: [N, 1, ..].
TensorId along_axis(ImportCall& c, TensorId list, std::int64_t axis, std::int64_t rank);
/// Tensors without elements add nothing.
TensorId concatenated(ImportCall& c, std::span<const TensorId> parts, std::uint32_t axis);
/// With a new axis.
TensorId stacked(ImportCall& c, std::span<const TensorId> parts, std::int64_t axis);
TensorId gathered(ImportCall& c, TensorId x, TensorId indices, std::uint32_t axis);

}  // namespace parts

// Rows whose function has a file of its own.
void read_compress(ImportCall& c);
void read_concat_from_sequence(ImportCall& c);
void read_non_zero(ImportCall& c);
void read_optional(ImportCall& c);
void read_optional_get_element(ImportCall& c);
void read_optional_has_element(ImportCall& c);
void read_pad(ImportCall& c);
void read_sequence_at(ImportCall& c);
void read_sequence_construct(ImportCall& c);
void read_sequence_empty(ImportCall& c);
void read_sequence_erase(ImportCall& c);
void read_sequence_insert(ImportCall& c);
void read_sequence_length(ImportCall& c);
void read_sequence_map(ImportCall& c);
void read_split_to_sequence(ImportCall& c);
void read_top_k(ImportCall& c);
void read_unique(ImportCall& c);

}  // namespace webnn::compiler
