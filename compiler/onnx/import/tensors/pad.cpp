// ONNX's Pad in all its modes.
#include <algorithm>

#include "compiler/onnx/import/tensors/parts.hpp"
#include "schema/round_up.hpp"

namespace webnn::compiler {
namespace {

struct OnnxPads {
  OnnxIntegers begin, end;  // by axis; negative: elements are taken away
};

OnnxPads onnx_pads_of(const ImportCall& c, std::int64_t rank) {
  const auto pads = c.integers_from(1, c.has_attribute("paddings") ? "paddings" : "pads");
  if (!pads) c.refuse("it has no pads");
  const auto named = c.integers_from(3, "axes");
  if (pads->size() != 2 * (named ? named->size() : std::size_t(rank))) c.refuse("there are not two pads for each axis");
  for (const std::int64_t pad : *pads)
    if (pad > max_dimension || pad < -std::int64_t{max_dimension}) c.refuse("a pad is out of range");
  OnnxPads result{OnnxIntegers(std::size_t(rank), 0), OnnxIntegers(std::size_t(rank), 0)};
  std::vector<bool> is_given(std::size_t(rank), false);
  const std::size_t count = pads->size() / 2;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t axis = named ? c.axis((*named)[i], rank) : i;
    if (is_given[axis]) c.refuse("an axis is given twice");
    is_given[axis] = true;
    result.begin[axis] = (*pads)[i];
    result.end[axis] = (*pads)[count + i];
  }
  return result;
}

/// Takes away what negative pads say, which are 0 then. Nullopt when nothing is left.
std::optional<TensorId> pad_cropped(ImportCall& c, TensorId x, OnnxPads& padding) {
  OnnxIntegers starts(c.dims(x).size(), 0), sizes = c.dims(x);
  for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
    starts[axis] = std::max<std::int64_t>(0, -padding.begin[axis]);
    sizes[axis] -= starts[axis] + std::max<std::int64_t>(0, -padding.end[axis]);
    padding.begin[axis] = std::max<std::int64_t>(0, padding.begin[axis]);
    padding.end[axis] = std::max<std::int64_t>(0, padding.end[axis]);
    if (sizes[axis] <= 0) return std::nullopt;
  }
  return parts::sliced(c, x, starts, sizes, OnnxIntegers(starts.size(), 1));
}

TensorId pad_with_mode(ImportCall& c, TensorId x, const OnnxPads& padding, std::string mode, Number value = 0) {
  std::optional<AttributeValue> given;
  if (!(value == Number(0.0)) && !(value == Number(0))) given = value;
  return c.make("pad"_op, {x},
                {{"beginningPadding", padding.begin},
                 {"endingPadding", padding.end},
                 {"mode", std::move(mode)},
                 {"value", given}});
}

/// Elements of an axis at `places`.
TensorId pad_taken(ImportCall& c, TensorId x, std::uint32_t axis, const OnnxIntegers& places) {
  return parts::gathered(c, x, c.integers_tensor(places), axis);
}

/// WebNN reflects once, not back from the other edge.
TensorId pad_reflected(ImportCall& c, TensorId x, const OnnxPads& padding) {
  bool fits = true;
  for (std::size_t axis = 0; axis < padding.begin.size(); ++axis)
    fits = fits && std::max(padding.begin[axis], padding.end[axis]) < c.dims(x)[axis];
  if (fits) return pad_with_mode(c, x, padding, "reflection");
  for (std::uint32_t axis = 0; axis < padding.begin.size(); ++axis) {
    const std::int64_t size = c.dims(x)[axis], period = std::max<std::int64_t>(1, 2 * (size - 1));
    const std::int64_t length = size + padding.begin[axis] + padding.end[axis];
    if (length == size) continue;
    if (length > std::int64_t{1} << 20) c.refuse("a pad is too large");
    c.count_list(length);
    OnnxIntegers places;
    for (std::int64_t i = 0; i < length; ++i) {
      const std::int64_t at = ((i - padding.begin[axis]) % period + period) % period;
      places.push_back(std::min(at, period - at) % std::max<std::int64_t>(1, size));
    }
    x = pad_taken(c, x, axis, places);
  }
  return x;
}

/// The tensor repeated, and a part of that.
TensorId pad_wrapped(ImportCall& c, TensorId x, const OnnxPads& padding) {
  OnnxIntegers repeats, starts, sizes;
  for (std::size_t axis = 0; axis < padding.begin.size(); ++axis) {
    const std::int64_t size = c.dims(x)[axis];
    starts.push_back((size - padding.begin[axis] % size) % size);
    sizes.push_back(size + padding.begin[axis] + padding.end[axis]);
    repeats.push_back(div_up(starts.back() + sizes.back(), size));
  }
  return parts::sliced(c, c.make("tile"_op, {x}, {{"repetitions", repeats}}), starts, sizes,
                       OnnxIntegers(starts.size(), 1));
}

/// With a value that only running the graph tells: zeros around the input, and where they are, that value.
TensorId pad_with_unknown(ImportCall& c, TensorId x, const OnnxPads& padding, TensorId value) {
  const TensorId inside = pad_with_mode(c, c.filled(OnnxType::boolean, c.dims(x), 1), padding, "constant");
  return c.make("where"_op, {inside, pad_with_mode(c, x, padding, "constant"), c.reshape(value, {})});
}

}  // namespace

/// Pads are an input since version 11, an attribute before; they may be for some axes only since version 18.
void read_pad(ImportCall& c) {
  TensorId x = c.input(0);
  OnnxPads padding = onnx_pads_of(c, c.rank(x));
  const std::string mode = c.text("mode", "constant");
  OnnxIntegers dims = c.dims(x);
  parts::check_sizes(c, dims);
  bool grows = false;
  for (std::size_t axis = 0; axis < dims.size(); ++axis) {
    dims[axis] += padding.begin[axis] + padding.end[axis];
    if (dims[axis] < 0) c.refuse("the pads take away more than there is");
    grows = grows || padding.begin[axis] > 0 || padding.end[axis] > 0;
  }
  if (std::ranges::find(dims, 0) != dims.end()) return c.finish(parts::without_elements(c, c.type(x), dims));
  const TensorId fill = c.opset() < 11 ? TensorId{} : c.optional(2);
  const bool fills = mode == "constant";
  if (fill.valid() && fills && (c.type(fill) != c.type(x) || c.count(fill) != 1))
    c.refuse("the value is not a single number of the input's type");
  const std::optional<TensorId> kept = pad_cropped(c, x, padding);
  if (!kept && !fills) c.refuse("the pads take away all of an axis that is to be repeated");
  if (!kept) {
    if (fill.valid()) return c.finish(c.expand(c.reshape(fill, {}), dims));
    return c.finish(c.filled(c.type(x), dims, c.opset() < 11 ? c.real("value", 0) : 0));
  }
  x = *kept;
  if (!grows) return c.finish(x);
  if (fills && fill.valid() && !c.is_known(fill)) return c.finish(pad_with_unknown(c, x, padding, fill));
  if (fills) {
    Number value = 0;
    if (fill.valid()) value = c.known_number(fill, "the value");
    if (c.opset() < 11) value = c.real("value", 0);
    return c.finish(pad_with_mode(c, x, padding, "constant", value));
  }
  if (mode == "edge") return c.finish(pad_with_mode(c, x, padding, "edge"));
  if (mode == "reflect") return c.finish(pad_reflected(c, x, padding));
  if (mode == "wrap") return c.finish(pad_wrapped(c, x, padding));
  c.refuse("it has no mode \"" + mode + "\"");
}

}  // namespace webnn::compiler
