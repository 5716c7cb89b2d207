// ONNX's sequences and optionals: lists of tensors that are known while the model is read. WebNN has none.
#include <algorithm>

#include "compiler/onnx/import/tensors/parts.hpp"

namespace webnn::compiler {
namespace {

/// A position in a list of `count`, which may be given from the end; without it, `absent`.
std::size_t place_in_sequence(const ImportCall& c, std::size_t input, std::int64_t count, std::int64_t absent) {
  std::int64_t at = c.has(input) ? c.known_number(c.input(input), "the position").as_int64() : absent;
  if (at < 0) at += count;
  if (at < 0 || at >= count) c.refuse("the position is outside of the sequence");
  return std::size_t(at);
}

}  // namespace

void read_sequence_empty(ImportCall& c) { c.finish(c.sequence_of({})); }

void read_sequence_construct(ImportCall& c) {
  std::vector<TensorId> elements;
  for (std::size_t i = 0; i < c.input_count(); ++i) elements.push_back(c.input(i));
  c.finish(c.sequence_of(std::move(elements)));
}

void read_sequence_at(ImportCall& c) {
  const std::vector<TensorId>& elements = c.sequence(0);
  c.finish(elements[place_in_sequence(c, 1, std::int64_t(elements.size()), -1)]);
}

void read_sequence_length(ImportCall& c) { c.finish(c.scalar(OnnxType::int64, std::int64_t(c.sequence(0).size()))); }

void read_sequence_insert(ImportCall& c) {
  std::vector<TensorId> elements = c.sequence(0);
  const auto count = std::int64_t(elements.size());
  std::int64_t at = c.has(2) ? c.known_number(c.input(2), "the position").as_int64() : count;
  if (at < 0) at += count;
  if (at < 0 || at > count) c.refuse("the position is outside of the sequence");
  elements.insert(elements.begin() + at, c.input(1));
  c.finish(c.sequence_of(std::move(elements)));
}

void read_sequence_erase(ImportCall& c) {
  std::vector<TensorId> elements = c.sequence(0);
  elements.erase(elements.begin() + std::ptrdiff_t(place_in_sequence(c, 1, std::int64_t(elements.size()), -1)));
  c.finish(c.sequence_of(std::move(elements)));
}

void read_concat_from_sequence(ImportCall& c) {
  const std::vector<TensorId> elements = c.sequence(0);
  if (elements.empty()) c.refuse("the sequence is empty");
  const std::int64_t axis = c.integer("axis");
  if (c.flag("new_axis")) return c.finish(parts::stacked(c, elements, axis));
  c.finish(parts::concatenated(c, elements, c.axis(axis, c.rank(elements[0]))));
}

/// Parts of a size, parts of several sizes, or single elements, whose axis may go.
void read_split_to_sequence(ImportCall& c) {
  const TensorId x = c.input(0);
  const std::uint32_t axis = c.axis(c.integer("axis", 0), c.rank(x));
  const std::int64_t size = c.dims(x)[axis];
  if (!c.has(1) && !c.flag("keepdims", true)) return c.finish(c.sequence_of(parts::unstacked(c, x, axis)));
  OnnxIntegers sizes;
  if (c.has(1) && c.rank(c.input(1)) == 1) {
    sizes = c.known_integers(c.input(1), "the sizes");
  } else {
    const std::int64_t each = c.has(1) ? c.known_number(c.input(1), "the size").as_int64() : 1;
    if (each < 1) c.refuse("the parts have no elements");
    if ((size - 1) / each >= 8192) c.refuse("there are too many parts");
    for (std::int64_t rest = size; rest > 0; rest -= std::min(each, rest)) sizes.push_back(std::min(each, rest));
  }
  std::vector<TensorId> elements;
  std::int64_t start = 0;
  for (const std::int64_t part : sizes) {
    if (part < 0 || part > size - start) c.refuse("the parts are not those of the axis");
    elements.push_back(parts::sliced_at(c, x, axis, start, part));
    start += part;
  }
  if (start != size) c.refuse("the parts are not those of the axis");
  c.finish(c.sequence_of(std::move(elements)));
}

/// The graph for each element; inputs that are no sequences are the same each time.
void read_sequence_map(ImportCall& c) {
  const OnnxGraph& body = c.graph("body");
  std::vector<std::vector<TensorId>> results(body.outputs.size());
  const std::size_t count = c.sequence(0).size();
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<TensorId> given;
    for (std::size_t place = 0; place < c.input_count(); ++place) {
      if (!c.has(place)) c.refuse("its input " + std::to_string(place) + " is missing");
      const auto& sequence = c.at(c.optional(place)).sequence;
      if (sequence && sequence->size() != count) c.refuse("its sequences have different lengths");
      given.push_back(sequence ? (*sequence)[i] : c.optional(place));
    }
    const std::vector<TensorId> turn = c.import_subgraph(body, given);
    for (std::size_t place = 0; place < turn.size(); ++place) results[place].push_back(turn[place]);
  }
  if (results.size() < c.output_count()) c.refuse("it has more outputs than its graph");
  for (std::size_t i = 0; i < c.output_count(); ++i) c.finish(i, c.sequence_of(std::move(results[i])));
}

void read_optional(ImportCall& c) { c.finish(c.has(0) ? c.optional(0) : c.nothing()); }

void read_optional_has_element(ImportCall& c) {
  const bool has = c.has(0) && (c.at(c.optional(0)).sequence || c.type(c.optional(0)) != OnnxType::undefined);
  c.finish(c.scalar(OnnxType::boolean, has));
}

void read_optional_get_element(ImportCall& c) { c.finish(c.has(0) ? c.optional(0) : c.input(0)); }

}  // namespace webnn::compiler
