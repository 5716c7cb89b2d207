// Drafts of calls that compute element by element, move, index and reduce; one function for each family.
#include <algorithm>

#include "tests/random_graphs/network_maker.hpp"

namespace webnn::tests {

using namespace webnn::compiler;

namespace {

using Sizes = std::vector<std::uint32_t>;

Sizes sizes_of(const Shape& shape) { return {shape.begin(), shape.end()}; }

/// One operand, and attributes that fit many shapes.
void plain(NetworkMaker& maker, Draft& draft) {
  draft.first(maker);
  for (const AttributeRow& attribute : row(draft.op).attributes) maker.draw(draft, attribute.name);
}

void broadcasting(NetworkMaker& maker, Draft& draft) {
  const ValueId a = draft.first(maker);
  if (row(draft.op).operands.size() < 2) return;
  const Domain domain = draft.op == "pow"_op || draft.op == "div"_op ? Domain::positive : Domain::any;
  const Shape& shape = maker.shape_of(a);
  draft.inputs.push_back(
      maker.chance(12) ? a
                       : maker.like(maker.type_of(a), maker.chance(2) ? shape : maker.broadcastable(shape), domain));
  if (maker.chance(3) && domain == Domain::any) std::swap(draft.inputs[0], draft.inputs[1]);
}

void select(NetworkMaker& maker, Draft& draft) {
  if (draft.inputs.empty()) draft.inputs.push_back(maker.value(DataType::uint8));
  const Shape shape = maker.shape_of(draft.inputs[0]);
  const ValueId when_true = maker.like(maker.chance(4) ? DataType(maker.below(8)) : DataType::float32, shape);
  draft.inputs.push_back(when_true);
  draft.inputs.push_back(maker.like(maker.type_of(when_true), maker.broadcastable(shape)));
}

void cast(NetworkMaker& maker, Draft& draft) {
  draft.first(maker);
  draft.set("dataType", DataType(maker.below(maker.chance(6) ? 10 : 8)));
}

/// The same elements in another number of dimensions.
void view(NetworkMaker& maker, Draft& draft) {
  const Shape shape = maker.shape_of(draft.first(maker));
  if (row(draft.op).attributes.empty()) return;
  Sizes sizes;
  for (const std::uint32_t size : shape) {
    if (!sizes.empty() && maker.chance(3)) {
      sizes.back() *= size;
    } else {
      sizes.push_back(size);
    }
    for (std::uint32_t divisor = 2; divisor < 8 && sizes.size() < max_rank; ++divisor)
      if (sizes.back() % divisor == 0 && maker.chance(4)) {
        sizes.back() /= divisor;
        sizes.push_back(divisor);
      }
  }
  if (sizes.size() < max_rank && maker.chance(4))
    sizes.insert(sizes.begin() + maker.below(unsigned(sizes.size()) + 1), 1);
  draft.set_list("newShape", sizes);
}

void concat(NetworkMaker& maker, Draft& draft) {
  const ValueId first = draft.first(maker);
  const Shape shape = maker.shape_of(first);
  const std::uint32_t axis = maker.below(shape.rank());
  for (std::uint32_t i = maker.below(4); i > 0; --i) {
    Shape other = shape;
    if (maker.chance(2)) other[axis] = 1 + maker.below(7);
    draft.inputs.push_back(maker.chance(4) ? first : maker.like(maker.type_of(first), other));
  }
  draft.set("axis", std::int64_t(axis));
}

void expand(NetworkMaker& maker, Draft& draft) {
  Sizes sizes = sizes_of(maker.shape_of(draft.first(maker)));
  for (std::uint32_t& size : sizes)
    if (size == 1) size = maker.size();
  if (sizes.size() < max_rank && maker.chance(2)) sizes.insert(sizes.begin(), 1 + maker.below(4));
  draft.set_list("newShape", sizes);
}

void pad(NetworkMaker& maker, Draft& draft) {
  const Shape shape = maker.shape_of(draft.first(maker));
  Sizes before, after;
  for (const std::uint32_t size : shape) {
    before.push_back(maker.below(std::min(size, 4u)));
    after.push_back(maker.below(std::min(size, 4u)));
  }
  draft.set_list("beginningPadding", before);
  draft.set_list("endingPadding", after);
  maker.draw(draft, "mode");
  if (maker.chance(2)) draft.set("value", Number(int(maker.below(5))));
}

void slice(NetworkMaker& maker, Draft& draft) {
  const Shape shape = maker.shape_of(draft.first(maker));
  Sizes starts, lengths, strides;
  for (const std::uint32_t size : shape) {
    starts.push_back(maker.chance(2) ? 0 : maker.below(size));
    lengths.push_back(maker.chance(3) ? size - starts.back() : 1 + maker.below(size - starts.back()));
    strides.push_back(1 + maker.below(3));
  }
  draft.set_list("starts", starts);
  draft.set_list("sizes", lengths);
  if (maker.chance(3)) draft.set_list("strides", strides);
}

void split(NetworkMaker& maker, Draft& draft) {
  const Shape shape = maker.shape_of(draft.first(maker));
  const std::uint32_t axis = maker.below(shape.rank());
  Sizes parts;
  for (std::uint32_t left = shape[axis]; left > 0; left -= parts.back())
    parts.push_back(parts.size() == 4 ? left : 1 + maker.below(left));
  draft.set_list("splits", parts);
  if (maker.chance(4)) draft.set("splits", std::int64_t(shape[axis]));
  draft.set("axis", std::int64_t(axis));
}

void movement(NetworkMaker& maker, Draft& draft) {
  if (draft.op == "concat"_op) return concat(maker, draft);
  if (draft.op == "expand"_op) return expand(maker, draft);
  if (draft.op == "pad"_op) return pad(maker, draft);
  if (draft.op == "slice"_op) return slice(maker, draft);
  if (draft.op == "split"_op) return split(maker, draft);
  if (draft.op == "triangular"_op) return plain(maker, draft);
  const unsigned rank = maker.shape_of(draft.first(maker)).rank();
  if (draft.op == "transpose"_op) draft.set_list("permutation", maker.permutation(rank));
  if (draft.op == "reverse"_op) draft.set_list("axes", maker.some_axes(rank));
  if (draft.op == "tile"_op) {
    Sizes repetitions;
    for (unsigned i = 0; i < rank; ++i) repetitions.push_back(maker.chance(2) ? 1 : 1 + maker.below(3));
    draft.set_list("repetitions", repetitions);
  }
}

void indexed(NetworkMaker& maker, Draft& draft) {
  static constexpr std::array<DataType, 3> index_types = {DataType::int32, DataType::uint32, DataType::int64};
  const ValueId input = draft.first(maker);
  const DataType type = maker.type_of(input), index_type = maker.any_of(index_types);
  const Shape shape = maker.shape_of(input);
  const std::uint32_t axis = maker.below(shape.rank());
  const bool has_axis = row(draft.op).attribute_index("axis") >= 0;
  const bool scatters = row(draft.op).operands.size() > 2;
  Shape indices, updates;
  std::uint32_t limit = shape[axis];
  if (draft.op == "gather"_op) {
    indices = maker.shape(maker.below(3));
  } else if (has_axis) {
    indices = shape;
    indices[axis] = 1 + maker.below(scatters ? shape[axis] : 9);
    updates = indices;
  } else {
    const std::uint32_t depth = 1 + maker.below(shape.rank());
    indices = maker.shape(maker.below(3));
    updates = indices;
    if (updates.rank() + shape.rank() - depth > max_rank) return;
    indices.push_back(depth);
    for (unsigned i = depth; i < shape.rank(); ++i) updates.push_back(shape[i]);
    limit = *std::min_element(shape.begin(), shape.begin() + depth);
  }
  draft.inputs.push_back(maker.like(index_type, indices, Domain::indices, limit));
  if (scatters) draft.inputs.push_back(maker.like(type, updates));
  if (has_axis) draft.set("axis", std::int64_t(axis));
}

void reduction(NetworkMaker& maker, Draft& draft) {
  const unsigned rank = maker.shape_of(draft.first(maker)).rank();
  if (!maker.chance(5)) draft.set_list("axes", maker.some_axes(rank));
  maker.draw(draft, "keepDimensions");
}

/// Operators along one axis, which is all that must fit.
void along_axis(NetworkMaker& maker, Draft& draft) {
  plain(maker, draft);
  const unsigned rank = maker.shape_of(draft.inputs[0]).rank();
  if (rank > 0) draft.set("axis", std::int64_t(maker.below(rank)));
}

DraftFunction draft_function(Family family) {
  switch (family) {
    case Family::binary:
    case Family::comparison:
    case Family::logical:
      return broadcasting;
    case Family::select:
      return select;
    case Family::cast:
      return cast;
    case Family::view:
      return view;
    case Family::movement:
      return movement;
    case Family::indexed:
      return indexed;
    case Family::reduction:
      return reduction;
    case Family::arg_reduction:
    case Family::scan:
    case Family::softmax:
      return along_axis;
    default:
      return plain;
  }
}

}  // namespace

Draft draft_call(NetworkMaker& maker, OperatorId op, ValueId first) {
  Draft draft{op, {}, Attributes(row(op).attributes.size())};
  if (first.valid()) draft.inputs.push_back(first);
  const DraftFunction layer = draft_layer(row(op).family);
  (layer ? layer : draft_function(row(op).family))(maker, draft);
  return draft;
}

}  // namespace webnn::tests
