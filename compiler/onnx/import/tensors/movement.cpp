// ONNX operators that move elements.
#include <algorithm>
#include <numeric>

#include "compiler/onnx/import/tensors/parts.hpp"
#include "schema/round_up.hpp"

namespace webnn::compiler {
namespace {

/// WebNN reshapes and casts types of 4 bits only: others move bytes.
TensorId as_bytes_of_packed(ImportCall& c, TensorId x) {
  if (c.type(x) == OnnxType::int4) return c.cast(x, OnnxType::int8);
  if (c.type(x) == OnnxType::uint4) return c.cast(x, OnnxType::uint8);
  return x;
}

/// Inputs without elements add nothing.
void read_concat(ImportCall& c) {
  std::vector<TensorId> parts;
  for (std::size_t i = 0; i < std::max<std::size_t>(1, c.input_count()); ++i) parts.push_back(c.input(i));
  const std::optional<std::int64_t> absent = c.opset() < 4 ? std::optional<std::int64_t>(1) : std::nullopt;
  const std::uint32_t axis = c.axis(c.integer("axis", absent), c.rank(parts[0]));
  c.finish(parts::concatenated(c, parts, axis));
}

/// At inference nothing is dropped.
void read_dropout(ImportCall& c) {
  bool trains = c.opset() < 7 && !c.flag("is_test");
  if (c.has(2)) trains = c.known_number(c.input(2), "the training mode").as_int64() != 0;
  if (trains) {
    const double ratio = c.has(1) ? c.known_number(c.input(1), "the ratio").as_double() : c.real("ratio", 0.5);
    if (ratio != 0)
      c.refuse("it drops elements at random, and WebNN has no random numbers",
               "export the model for inference, not for training");
  }
  c.finish(c.input(0));
  if (!c.wants(1)) return;
  const OnnxIntegers dims = c.dims(c.input(0));
  const OnnxType type = c.opset() < 10 ? c.type(c.input(0)) : OnnxType::boolean;
  c.finish(1, c.count(c.input(0)) == 0 ? parts::without_elements(c, type, dims) : c.filled(type, dims, 1));
}

void read_transpose(ImportCall& c) {
  const TensorId x = c.input(0);
  std::vector<std::uint32_t> permutation(c.dims(x).size());
  std::iota(permutation.rbegin(), permutation.rend(), 0u);
  if (c.has_attribute("perm")) {
    permutation = c.axes(c.integers("perm"), c.rank(x));
    std::vector<std::uint32_t> sorted = permutation;
    std::ranges::sort(sorted);
    bool is_permutation = sorted.size() == c.dims(x).size();
    for (std::size_t i = 0; is_permutation && i < sorted.size(); ++i) is_permutation = sorted[i] == i;
    if (!is_permutation) c.refuse("its axes are not each named once");
  }
  if (c.count(x) == 0) {
    OnnxIntegers dims;
    for (const std::uint32_t axis : permutation) dims.push_back(c.dims(x)[axis]);
    return c.finish(parts::without_elements(c, c.type(x), dims));
  }
  if (std::ranges::is_sorted(permutation)) return c.finish(x);
  c.finish(c.cast(c.transpose(as_bytes_of_packed(c, x), permutation), c.type(x)));
}

/// The sizes are an input since version 13, an attribute before; without them parts are equal.
OnnxIntegers split_sizes_of(const ImportCall& c, std::int64_t size) {
  const auto outputs = std::int64_t(c.output_count());
  if (auto given = c.integers_from(1, "split")) return *given;
  const std::int64_t count = c.integer("num_outputs", outputs);
  if (count < 1 || count != outputs) c.refuse("the number of parts is not that of its outputs");
  if (c.opset() < 18 && size % count != 0)
    c.refuse("a size of " + std::to_string(size) + " has not " + std::to_string(count) + " equal parts");
  const std::int64_t part = div_up(size, count);
  OnnxIntegers sizes(std::size_t(count), part);
  sizes.back() = size - part * (count - 1);
  return sizes;
}

void read_split(ImportCall& c) {
  const TensorId x = c.input(0);
  const std::uint32_t axis = c.axis(c.integer("axis", 0), c.rank(x));
  parts::check_sizes(c, c.dims(x));
  const OnnxIntegers sizes = split_sizes_of(c, c.dims(x)[axis]);
  std::int64_t sum = 0;
  IntegerList parts;  // those with elements
  for (const std::int64_t size : sizes) {
    if (size < 0 || __builtin_add_overflow(sum, size, &sum)) c.refuse("a part has a negative size");
    if (size > 0) parts.push_back(size);
  }
  if (sum != c.dims(x)[axis])
    c.refuse("the parts have " + std::to_string(sum) + " elements, the axis " + std::to_string(c.dims(x)[axis]));
  if (sizes.size() < c.output_count()) c.refuse("it has more outputs than parts");
  const bool is_empty = c.count(x) == 0;
  std::vector<TensorId> results{x};
  if (parts.size() > 1 && !is_empty)
    results = c.make_all("split"_op, results, {{"splits", parts}, {"axis", std::int64_t{axis}}});
  for (std::size_t i = 0, next = 0; i < c.output_count(); ++i) {
    OnnxIntegers dims = c.dims(x);
    dims[axis] = sizes[i];
    if (is_empty || sizes[i] == 0)
      c.finish(i, parts::without_elements(c, c.type(x), dims));
    else
      c.finish(i, results[next++]);
  }
}

/// A negative step takes elements from the end: the same ones from the start, reversed. Starts, ends, axes and steps
/// are inputs since version 10, attributes before.
void read_slice(ImportCall& c) {
  const TensorId x = c.input(0);
  const OnnxIntegers& dims = c.dims(x);
  parts::check_sizes(c, dims);
  const auto given_starts = c.integers_from(1, "starts"), given_ends = c.integers_from(2, "ends");
  if (!given_starts || !given_ends) c.refuse("it has no starts or no ends");
  const std::size_t count = given_starts->size();
  OnnxIntegers all(count);
  std::iota(all.begin(), all.end(), 0);
  const OnnxIntegers named = c.integers_from(3, "axes").value_or(all);
  const OnnxIntegers given_steps = c.integers_from(4, "steps").value_or(OnnxIntegers(count, 1));
  if (given_ends->size() != count || named.size() != count || given_steps.size() != count)
    c.refuse("its starts, ends, axes and steps are not equally many");

  OnnxIntegers starts(dims.size(), 0), sizes = dims, strides(dims.size(), 1), reversed;
  std::vector<bool> is_given(dims.size(), false);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t axis = c.axis(named[i], c.rank(x));
    if (is_given[axis]) c.refuse("an axis is given twice");
    is_given[axis] = true;
    const std::int64_t size = dims[axis];
    // What is beyond the size is the same as the size, so that nothing overflows.
    const std::int64_t step = std::clamp(given_steps[i], -size - 1, size + 1);
    if (given_steps[i] == 0) c.refuse("a step is 0");
    const bool backwards = given_steps[i] < 0;
    const auto place = [&](std::int64_t at, std::int64_t low, std::int64_t high) {
      return std::clamp(at < 0 ? at + size : at, low, std::max(low, high));
    };
    if (!backwards) {
      starts[axis] = place((*given_starts)[i], 0, size);
      sizes[axis] = std::max<std::int64_t>(0, place((*given_ends)[i], 0, size) - starts[axis]);
      strides[axis] = std::max<std::int64_t>(1, step);
      continue;
    }
    const std::int64_t first = place((*given_starts)[i], 0, size - 1), end = place((*given_ends)[i], -1, size - 1);
    if (size == 0 || end >= first) {
      sizes[axis] = 0;
      continue;
    }
    const std::int64_t last = first - (first - end - 1) / -step * -step;
    starts[axis] = last;
    sizes[axis] = first - last + 1;
    strides[axis] = -step;
    if (sizes[axis] > 1) reversed.push_back(axis);
  }
  TensorId result = parts::sliced(c, x, starts, sizes, strides);
  std::ranges::sort(reversed);
  if (!reversed.empty() && c.count(result) != 0) result = c.make("reverse"_op, {result}, {{"axes", reversed}});
  c.finish(result);
}

void read_tile(ImportCall& c) {
  const TensorId x = c.input(0);
  OnnxIntegers repeats;
  if (c.opset() < 6) {  // along one axis
    repeats.assign(c.dims(x).size(), 1);
    const std::int64_t axis = c.known_number(c.input(2), "the axis").as_int64();
    repeats[c.axis(axis, c.rank(x))] = c.known_number(c.input(1), "the repeats").as_int64();
  } else {
    repeats = c.known_integers(c.input(1), "the repeats");
  }
  if (repeats.size() != c.dims(x).size()) c.refuse("there is not one repeat for each axis");
  OnnxIntegers dims = c.dims(x);
  bool is_same = true;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (repeats[i] < 0 || __builtin_mul_overflow(dims[i], repeats[i], &dims[i])) c.refuse("a repeat is out of range");
    is_same = is_same && repeats[i] == 1;
  }
  if (is_same) return c.finish(x);
  if (std::ranges::find(dims, 0) != dims.end()) return c.finish(parts::without_elements(c, c.type(x), dims));
  c.finish(c.make("tile"_op, {x}, {{"repetitions", repeats}}));
}

/// The diagonal is the same for all matrices, beyond the corner it keeps or clears all.
void read_trilu(ImportCall& c) {
  const TensorId x = c.input(0);
  if (c.rank(x) < 2) c.refuse("the input has fewer than two dimensions");
  std::int64_t diagonal = c.has(1) ? c.known_number(c.input(1), "the diagonal").as_int64() : 0;
  diagonal = std::clamp(diagonal, -std::int64_t{max_dimension}, std::int64_t{max_dimension});
  if (c.count(x) == 0) return c.finish(x);
  c.finish(c.make("triangular"_op, {x}, {{"upper", c.flag("upper", true)}, {"diagonal", diagonal}}));
}

struct SpaceBlocks {
  std::int64_t n, c, h, w, block;
};

SpaceBlocks space_blocks(const ImportCall& c, TensorId x) {
  if (c.rank(x) != 4) c.refuse("the input has not four dimensions");
  const OnnxIntegers& dims = c.dims(x);
  const std::int64_t block = c.integer("blocksize");
  if (block < 1 || block > 0x7fff) c.refuse("the block size is out of range");
  if (c.count(x) == 0) c.refuse("the input has no elements");
  return {dims[0], dims[1], dims[2], dims[3], block};
}

/// Rows of a block come first (DCR), or channels (CRD).
void read_depth_to_space(ImportCall& c) {
  const TensorId x = c.input(0);
  const auto [n, channels, h, w, block] = space_blocks(c, x);
  if (channels % (block * block) != 0) c.refuse("the channels are no multiple of a block");
  const std::int64_t depth = channels / (block * block);
  const std::string mode = c.text("mode", "DCR");
  if (mode != "DCR" && mode != "CRD") c.refuse("its mode is neither DCR nor CRD");
  const TensorId split =
      mode == "DCR" ? c.reshape(x, {n, block, block, depth, h, w}) : c.reshape(x, {n, depth, block, block, h, w});
  const TensorId moved = c.transpose(split, mode == "DCR" ? std::vector<std::uint32_t>{0, 3, 4, 1, 5, 2}
                                                          : std::vector<std::uint32_t>{0, 1, 4, 2, 5, 3});
  c.finish(c.reshape(moved, {n, depth, h * block, w * block}));
}

void read_space_to_depth(ImportCall& c) {
  const TensorId x = c.input(0);
  const auto [n, channels, h, w, block] = space_blocks(c, x);
  if (h % block != 0 || w % block != 0) c.refuse("height and width are no multiples of a block");
  const TensorId split = c.reshape(x, {n, channels, h / block, block, w / block, block});
  c.finish(c.reshape(c.transpose(split, {0, 3, 5, 1, 2, 4}), {n, channels * block * block, h / block, w / block}));
}

/// What is on two axes at [t, b] comes from [length of b - 1 - t, b] before the length of b.
void read_reverse_sequence(ImportCall& c) {
  const TensorId x = c.input(0), lengths = c.input(1);
  const std::int64_t time = c.integer("time_axis", 0), batch = c.integer("batch_axis", 1);
  if (c.rank(x) < 2 || time < 0 || time > 1 || batch != 1 - time) c.refuse("its axes are not 0 and 1");
  const std::int64_t steps = c.dims(x)[std::size_t(time)], items = c.dims(x)[std::size_t(batch)];
  if (c.dims(lengths) != OnnxIntegers{items}) c.refuse("there is not one length for each item of the batch");
  if (c.is_known(lengths)) {
    const OnnxIntegers known = c.known_integers(lengths, "the lengths");
    if (std::ranges::all_of(known, [&](std::int64_t length) { return length == steps; }))
      return c.finish(c.make("reverse"_op, {x}, {{"axes", IntegerList{time}}}));
  }
  constexpr OnnxType type = OnnxType::int64;
  OnnxIntegers by_item{1, 1, 1}, all{1, 1, 1};
  by_item[std::size_t(batch)] = items;
  all[std::size_t(batch)] = items;
  all[std::size_t(time)] = steps;
  const TensorId at = parts::counted_up_at(c, type, steps, std::uint32_t(time), 3);
  const TensorId length = c.reshape(c.cast(lengths, type), by_item);
  const TensorId mirrored = c.make("sub"_op, {c.make("sub"_op, {length, c.scalar(type, 1)}), at});
  const TensorId from = c.make("where"_op, {c.make("lesser"_op, {at, length}), mirrored, at});
  const TensorId item = c.expand(parts::counted_up_at(c, type, items, std::uint32_t(batch), 3), all);
  const std::vector<TensorId> coordinates =
      time == 0 ? std::vector<TensorId>{from, item} : std::vector<TensorId>{item, from};
  c.finish(c.make("gatherND"_op, {x, parts::concatenated(c, coordinates, 2)}));
}

void read_where(ImportCall& c) {
  const TensorId condition = c.input(0), yes = c.input(1), no = c.input(2);
  const OnnxIntegers dims =
      parts::broadcast_dims(c, parts::broadcast_dims(c, c.dims(condition), c.dims(yes)), c.dims(no));
  if (std::ranges::find(dims, 0) != dims.end()) return c.finish(parts::without_elements(c, c.type(yes), dims));
  c.finish(c.make("where"_op, {condition, yes, no}));
}

void read_cum_sum(ImportCall& c) {
  const TensorId x = c.input(0);
  const std::uint32_t axis = c.axis(c.known_number(c.input(1), "the axis").as_int64(), c.rank(x));
  if (c.count(x) == 0) return c.finish(x);
  c.finish(c.make("cumulativeSum"_op, {x},
                  {{"axis", std::int64_t{axis}}, {"exclusive", c.flag("exclusive")}, {"reversed", c.flag("reverse")}}));
}

constexpr OnnxImportRow movement_import_rows[] = {
    {.op_type = "Concat", .read = read_concat},
    {.op_type = "CumSum", .read = read_cum_sum},
    {.op_type = "DepthToSpace", .read = read_depth_to_space},
    {.op_type = "Dropout", .read = read_dropout},
    {.op_type = "Pad", .read = read_pad},
    {.op_type = "ReverseSequence", .read = read_reverse_sequence},
    {.op_type = "Slice", .read = read_slice},
    {.op_type = "SpaceToDepth", .read = read_space_to_depth},
    {.op_type = "Split", .read = read_split},
    {.op_type = "Tile", .read = read_tile},
    {.op_type = "Transpose", .read = read_transpose},
    {.op_type = "Trilu", .read = read_trilu},
    {.op_type = "Where", .read = read_where},
};

}  // namespace

std::span<const OnnxImportRow> import_movement_rows() { return movement_import_rows; }

}  // namespace webnn::compiler
