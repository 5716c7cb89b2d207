// ONNX operators that select elements: the results' shape depends on the elements, or their order does.
#include <algorithm>
#include <map>
#include <numeric>

#include "compiler/onnx/import/tensors/parts.hpp"
#include "compiler/onnx/reader/onnx_tensors.hpp"
#include "schema/elements/elements.hpp"

namespace webnn::compiler {
namespace {

/// Every element of an axis is compared with every other: so many comparisons at most.
constexpr std::int64_t most_comparisons = std::int64_t{1} << 24;

/// Refuses an operand whose elements decide the shape of the result when they are not known.
void check_decides(const ImportCall& c, TensorId x, std::string_view what) {
  if (!c.is_known(x))
    c.refuse(std::string(what) + " decide how many results there are, and WebNN's shapes are known before a graph runs",
             "where an input of the graph decides them, --constant-input NAME=SPEC makes it a constant");
}

}  // namespace

/// Without an axis, of all elements in a row.
void read_compress(ImportCall& c) {
  TensorId x = c.input(0);
  check_decides(c, c.input(1), "its conditions");
  const OnnxIntegers conditions = c.known_integers(c.input(1), "the conditions");
  if (!c.has_attribute("axis")) x = c.reshape(x, {c.count(x)});
  const std::uint32_t axis = c.axis(c.integer("axis", 0), c.rank(x));
  if (std::int64_t(conditions.size()) > c.dims(x)[axis]) c.refuse("there are more conditions than elements");
  OnnxIntegers chosen;
  for (std::size_t i = 0; i < conditions.size(); ++i)
    if (conditions[i] != 0) chosen.push_back(std::int64_t(i));
  c.finish(parts::gathered(c, x, c.integers_tensor(chosen), axis));
}

/// A row of the result for each axis.
void read_non_zero(ImportCall& c) {
  const TensorId x = c.input(0);
  check_decides(c, x, "the input's elements");
  const std::vector<double> values = c.known_reals(x, "the input's elements");
  const OnnxIntegers& dims = c.dims(x);
  OnnxIntegers places;
  if (c.count(x) == 0) return c.finish(parts::without_elements(c, OnnxType::int64, {c.rank(x), 0}));
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i] != 0) places.push_back(std::int64_t(i));
  AlignedBytes room = c.room(sizeof(std::int64_t) * dims.size() * places.size());
  std::int64_t* next = ImportCall::elements_of<std::int64_t>(room).data();
  std::int64_t inner = c.count(x);
  for (const std::int64_t size : dims) {
    inner /= size;
    for (const std::int64_t place : places) *next++ = place / inner % size;
  }
  c.finish(c.constant(OnnxType::int64, {c.rank(x), std::int64_t(places.size())}, std::move(room)));
}

/// Of the elements, or of the slices along an axis.
void read_unique(ImportCall& c) {
  TensorId x = c.input(0);
  check_decides(c, x, "the input's elements");
  if (!c.has_attribute("axis")) x = c.reshape(x, {c.count(x)});
  const std::uint32_t axis = c.axis(c.integer("axis", 0), c.rank(x));
  const auto type = data_type_of(c.type(x));
  if (c.count(x) == 0) c.refuse("the input has no elements, and WebNN has no such tensors");
  if (c.count(x) > std::int64_t{most_computed_bytes}) c.refuse("the input has too many elements for this");
  const std::vector<double> checked = c.known_reals(x, "the input's elements");
  c.count_elements(16 * std::int64_t(checked.size()));  // comparisons
  std::int64_t inner = 1;
  const OnnxIntegers& dims = c.dims(x);
  for (std::size_t i = axis + 1; i < dims.size(); ++i) inner *= dims[i];
  const std::int64_t size = dims[axis], outer = std::int64_t(checked.size()) / (size * inner);

  using Slice = std::vector<Number>;
  const auto is_less = [](const Slice& a, const Slice& b) {
    return std::ranges::lexicographical_compare(
        a, b, [](const Number& left, const Number& right) { return Number::compare(left, right) < 0; });
  };
  struct Found {
    std::int64_t first, count;
  };
  std::map<Slice, Found, decltype(is_less)> found(is_less);
  std::vector<Slice> slices;
  for (std::int64_t i = 0; i < size; ++i) {
    Slice slice;
    for (std::int64_t from = 0; from < outer; ++from)
      for (std::int64_t rest = 0; rest < inner; ++rest)
        slice.push_back(load_element(*type, c.at(x).data->data(), std::size_t((from * size + i) * inner + rest)));
    ++found.try_emplace(slice, Found{i, 0}).first->second.count;
    slices.push_back(std::move(slice));
  }
  std::vector<Found> order;
  for (const auto& [slice, entry] : found) order.push_back(entry);
  if (!c.flag("sorted", true)) std::ranges::sort(order, {}, &Found::first);
  OnnxIntegers firsts, counts, places;
  std::map<std::int64_t, std::int64_t> place_of_first;
  for (const Found& entry : order) {
    place_of_first[entry.first] = std::int64_t(firsts.size());
    firsts.push_back(entry.first);
    counts.push_back(entry.count);
  }
  for (const Slice& slice : slices) places.push_back(place_of_first[found.at(slice).first]);
  const TensorId chosen = c.integers_tensor(firsts);
  c.finish(0, parts::gathered(c, x, chosen, axis));
  c.finish(1, chosen);
  c.finish(2, c.integers_tensor(places));
  c.finish(3, c.integers_tensor(counts));
}

/// WebNN does not sort. The place of an element is the number of those before it: greater ones, and equal ones with a
/// lower index. The number of the k-th is an input since version 10.
void read_top_k(ImportCall& c) {
  const TensorId x = c.input(0);
  const std::uint32_t axis = c.axis(c.integer("axis", -1), c.rank(x));
  const std::int64_t count = c.opset() < 10 ? c.integer("k") : c.known_number(c.input(1), "k").as_int64();
  const std::int64_t size = c.dims(x)[axis], last = c.rank(x) - 1;
  const bool greatest = c.flag("largest", true);
  OnnxIntegers dims = c.dims(x);
  if (count < 0 || count > size) c.refuse("k is out of range");
  dims[axis] = count;
  if (count == 0 || c.count(x) == 0) {
    c.finish(0, parts::without_elements(c, c.type(x), dims));
    return c.finish(1, parts::without_elements(c, OnnxType::int64, dims));
  }
  TensorId indices;
  if (count == 1) {
    indices = c.make(greatest ? "argMax"_op : "argMin"_op, {x},
                     {{"axis", std::int64_t{axis}}, {"keepDimensions", true}, {"outputDataType", DataType::int64}});
  } else {
    std::int64_t comparisons = 0;
    if (__builtin_mul_overflow(c.count(x), size, &comparisons) || comparisons > most_comparisons)
      c.refuse("WebNN does not sort, and comparing all elements of an axis of " + std::to_string(size) +
                   " with one another takes too much",
               "k = 1 is not limited");
    std::vector<std::uint32_t> inwards(c.dims(x).size());
    std::iota(inwards.begin(), inwards.end(), 0u);
    std::rotate(inwards.begin() + axis, inwards.begin() + axis + 1, inwards.end());
    const TensorId lines = c.transpose(x, inwards);
    OnnxIntegers as_row = c.dims(lines), as_column = c.dims(lines);
    as_row.insert(as_row.end() - 1, 1);
    as_column.push_back(1);
    const TensorId row = c.reshape(lines, as_row), column = c.reshape(lines, as_column);
    // [.., i, j]: whether j comes before i
    const TensorId earlier =
        c.make("triangular"_op, {c.filled(OnnxType::boolean, {size, size}, 1)}, {{"upper", false}, {"diagonal", -1}});
    const TensorId before =
        c.make("logicalOr"_op, {c.make(greatest ? "greater"_op : "lesser"_op, {row, column}),
                                c.make("logicalAnd"_op, {c.make("equal"_op, {row, column}), earlier})});
    const TensorId place = c.make("reduceSum"_op, {c.cast(before, OnnxType::int32)}, {{"axes", IntegerList{last + 1}}});
    // [.., place, i]: whether i has that place
    const TensorId has_place = c.make(
        "equal"_op, {c.reshape(place, as_row), c.reshape(parts::counted_up(c, OnnxType::int32, count), {count, 1})});
    indices = c.make("argMax"_op, {has_place}, {{"axis", last + 1}, {"outputDataType", DataType::int64}});
    std::vector<std::uint32_t> outwards(inwards.size());
    for (std::uint32_t i = 0; i < inwards.size(); ++i) outwards[inwards[i]] = i;
    indices = c.transpose(indices, outwards);
  }
  if (c.wants(0)) c.finish(0, c.make("gatherElements"_op, {x, indices}, {{"axis", std::int64_t{axis}}}));
  c.finish(1, indices);
}

}  // namespace webnn::compiler
