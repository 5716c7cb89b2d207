// @attention. The scores are never written to memory.
#include <algorithm>
#include <array>

#include "runtime/vulkan/kernels/dispatch.hpp"
#include "runtime/vulkan/kernels/estimates.hpp"
#include "runtime/vulkan/kernels/products/tiles.hpp"
#include "runtime/vulkan/kernels/shapes.hpp"
#include "runtime/vulkan/shaders.hpp"
#include "schema/elements/half.hpp"
#include "schema/round_up.hpp"

namespace webnn::runtime::vulkan {
namespace {

/// An operand after its transpose.
struct Transposed {
  Shape shape;
  Strides strides{};

  Transposed(const Shape& operand, std::span<const std::uint32_t> permutation) {
    const Strides own = row_major_strides(operand);
    for (unsigned axis = 0; axis < permutation.size(); ++axis) {
      shape.push_back(operand[permutation[axis]]);
      strides[axis] = own[permutation[axis]];
    }
  }
};

/// Queries, keys, values and result, each as its last two axes (tokens, features) and as batches.
struct AttentionCall {
  SpecCall call;
  Transposed query, key, value;
  unsigned token, feature;  // axes
  Shape batches;
  Strides mask{}, result{};
  bool has_mask;
  std::uint32_t queries, keys, features, value_features;

  explicit AttentionCall(const KernelSpec& spec)
      : call(spec),
        query(call.shape(0), call.u32_list("queryPermutation")),
        key(call.shape(1), call.u32_list("keyPermutation")),
        value(call.shape(2), call.u32_list("valuePermutation")),
        token(query.shape.rank() - 2),
        feature(token + 1),
        has_mask(call.has_operand(3)),
        queries(query.shape[token]),
        keys(key.shape[token]),
        features(query.shape[feature]),
        value_features(value.shape[feature]) {
    // Axis i of the output is axis permutation[i] of the result.
    const auto permutation = call.u32_list("outputPermutation");
    const Strides own = row_major_strides(spec.outputs[0].shape);
    Shape scores = query.shape;  // of the whole batch
    for (unsigned i = 0; i < permutation.size(); ++i) {
      result[permutation[i]] = own[i];
      scores[permutation[i]] = spec.outputs[0].shape[i];
    }
    scores[feature] = keys;
    batches = Shape(scores.sizes().first(token));
    if (has_mask) mask = broadcast_strides(call.shape(3), scores);
  }

  /// Everything in the table but the addresses and what is of the parts of keys.
  void write(DispatchMaker& maker) const {
    maker.word(queries).word(keys).word(features).word(value_features);
    for (const Strides& strides : {query.strides, key.strides, value.strides, mask, result})
      maker.word(std::uint64_t(strides[token])).word(std::uint64_t(strides[feature]));
    maker.real(parameter(call, "scale")).word(element_count(batches)).word(batches.rank()).shape(batches);
    for (const Transposed& operand : {query, key, value}) {
      Strides strides{};
      for (unsigned axis = 0; axis < token; ++axis)
        strides[axis] = operand.shape[axis] == 1 ? 0 : operand.strides[axis];
      maker.strides(strides);
    }
    for (const Strides& of : {mask, result}) maker.strides(std::span(of).first(token));
  }
};

/// Whether features can be read by four: they are neighbours, and all tokens begin at multiples of four.
bool is_by_four(const Transposed& operand) {
  const unsigned rank = operand.shape.rank(), feature = rank - 1;
  if (operand.strides[feature] != 1 || operand.shape[feature] % 4 != 0) return false;
  return std::all_of(operand.strides.begin(), operand.strides.begin() + feature,
                     [](std::int64_t stride) { return stride % 4 == 0; });
}

/// How the shaders of @attention divide the work among workgroups.
struct AttentionTiles {
  ShaderCode (*code)();
  std::uint32_t group;          // invocations
  std::uint32_t queries, keys;  // that a workgroup takes at a time
  std::uint32_t least_times;    // that a workgroup takes keys, for which a dispatch that combines parts pays
  /// Whether features are read by four.
  bool (*by_four)(const AttentionCall& call);
  void (*specialize)(DispatchMaker& maker, const AttentionCall& call);
  /// Iterations of all loops for the keys of one time, at least.
  std::uint64_t (*turns)(const AttentionCall& call);
  std::uint32_t subgroups = 0;  // with matrix units; 0: the lanes multiply
  std::uint64_t shared_bytes = 0;
  std::uint64_t turns_of_storing = 0;
};

// For 64 keys: the features of a score, the maximum over the lanes, and the keys again for the values.
constexpr AttentionTiles attention_by_queries{
    .code = shaders::attention,
    .group = 64,
    .queries = 4,
    .keys = 64,
    .least_times = 2,
    .by_four = [](const AttentionCall& call) { return is_by_four(call.key); },
    .specialize = [](DispatchMaker&, const AttentionCall&) {},
    .turns = [](const AttentionCall& call) -> std::uint64_t { return std::uint64_t(call.features) + 64 + 20; }};

constexpr std::uint32_t side_of_slice = 64;  // features of the values, and with matrix units of queries and keys

void specialize_tiles(DispatchMaker& maker, const AttentionCall& call) {
  maker.specialize(Constant::value_chunks, div_up(call.value_features, side_of_slice))
      .specialize(Constant::keys_adjacent, call.key.strides[call.feature] != 1);
}
// Slices of 32 features are loaded and multiplied; slices of 16 keys, for each 64 features of the values.
constexpr AttentionTiles attention_by_tiles{
    .code = shaders::tiled_attention,
    .group = 128,
    .queries = 32,
    .keys = 64,
    .least_times = 4,
    .by_four =
        [](const AttentionCall& call) {
          return is_by_four(call.key) && is_by_four(call.query) && is_by_four(call.value);
        },
    .specialize = specialize_tiles,
    .turns = [](const AttentionCall& call) -> std::uint64_t {
      return div_up(call.features, 32) * 16 + div_up(call.value_features, side_of_slice) * 32 + 8;
    }};

/// How matrix units read an operand whose axes are `outer` and `inner`. Contiguous tensors whose innermost axis is a
/// multiple of eight have multiples of eight as the strides of all others.
BlockLoad load_of(const Transposed& operand, unsigned outer, unsigned inner) {
  return block_load(std::uint64_t(operand.strides[outer]), std::uint64_t(operand.strides[inner]), operand.shape[outer],
                    operand.shape[inner]);
}
void specialize_units(DispatchMaker& maker, const AttentionCall& call) {
  specialize_loads(maker, load_of(call.query, call.token, call.feature), load_of(call.key, call.token, call.feature));
  maker.specialize(Constant::load_values, load_of(call.value, call.feature, call.token).code())
      .specialize(Constant::feature_slices, div_up(call.features, side_of_slice))
      .specialize(Constant::value_chunks, div_up(call.value_features, side_of_slice));
}
// A square of float16 and one of float32 are in shared memory, their lines filled up (units_attention.comp). Loops are
// unrolled; the turns allow for a driver that leaves some.
constexpr AttentionTiles attention_by_units{
    .code = shaders::units_attention,
    .group = 128,
    .queries = side_of_slice,
    .keys = side_of_slice,
    .least_times = 4,
    .by_four = [](const AttentionCall&) { return false; },
    .specialize = specialize_units,
    .turns = [](const AttentionCall& call) -> std::uint64_t {
      return (div_up(call.features, side_of_slice) + div_up(call.value_features, side_of_slice) + 1) * 32;
    },
    .subgroups = 4,
    .shared_bytes = side_of_slice * ((side_of_slice + 8) * sizeof(Half) + (side_of_slice + 4) * sizeof(float)),
    .turns_of_storing = 512};

/// Into how many parts the keys are cut so that the workgroups fill the device.
std::uint64_t parts_of_keys(const AttentionTiles& tiles, std::uint64_t groups, std::uint64_t keys,
                            const Target& target) {
  constexpr std::uint64_t groups_of_unit = 4;
  const std::uint64_t times = div_up(keys, tiles.keys);
  const std::uint64_t wanted = div_up(compute_units_of(target) * groups_of_unit, groups);
  const std::uint64_t parts = std::min(wanted, std::max<std::uint64_t>(times / tiles.least_times, 1));
  const std::uint64_t of_part = div_up(times, parts);
  return div_up(times, of_part);
}

Dispatches dispatch_attention(const KernelSpec& spec, const AttentionTiles& tiles, std::uint64_t parts_wanted,
                              const Target& target) {
  const AttentionCall call(spec);
  const std::uint64_t groups = div_up(call.queries, tiles.queries) * element_count(call.batches);
  const std::uint64_t parts = std::min(parts_wanted, parts_of_keys(tiles, groups, call.keys, target));
  const std::uint64_t times = div_up(div_up(call.keys, tiles.keys), parts);
  const std::uint64_t results = element_count(call.batches) * call.queries;
  const std::uint64_t carry_bytes =
      parts == 1 ? 0 : results * parts * (std::uint64_t(call.value_features) + 2) * sizeof(float);

  Dispatches list;
  list.scratch_bytes = carry_bytes;
  const auto maker_of = [&](ShaderCode shader, std::uint32_t lanes, bool reads, bool writes) {
    DispatchMaker maker(
        shader, {code(call.call.operand(0).type), call.has_mask && reads, parts > 1, tiles.by_four(call)}, lanes);
    if (reads) {
      maker.input(spec, 0).input(spec, 1).input(spec, 2);
      call.has_mask ? maker.input(spec, 3) : maker.absent();
    } else {
      maker.absent().absent().absent().absent();
    }
    writes ? maker.output(spec) : maker.absent();
    parts > 1 ? maker.scratch(0, carry_bytes, !reads, reads) : maker.absent();
    call.write(maker);
    maker.word(parts).word(times * tiles.keys);
    return maker;
  };
  DispatchMaker maker = maker_of(tiles.code(), tiles.group, true, parts == 1);
  tiles.specialize(maker, call);
  maker.turns(times * tiles.turns(call), tiles.turns_of_storing).shared(tiles.shared_bytes);
  maker.work(results * call.keys * (std::uint64_t(call.features) + call.value_features));
  Dispatch first = maker.over_groups(groups * parts);
  first.subgroups = tiles.subgroups;
  list.dispatches.push_back(std::move(first));
  if (parts > 1) {
    DispatchMaker last = maker_of(shaders::attention_parts(), DispatchMaker::usual_group, false, true);
    last.turns(2 * parts);
    list.dispatches.push_back(last.over(results * call.value_features));
  }
  return list;
}

template <const AttentionTiles& tiles, std::uint64_t most_parts = ~std::uint64_t{0}>
Dispatches attention(const KernelSpec& spec, const Target& target) {
  return dispatch_attention(spec, tiles, most_parts, target);
}

/// @attention whose heads have at most 256 features.
bool takes_attention(const KernelSpec& spec) {
  if (spec.outputs.empty()) return false;
  constexpr std::uint32_t most_features = 256;
  const SpecCall call(spec);
  const auto features = [&](std::size_t operand, std::string_view permutation) {
    return call.shape(operand)[call.u32_list(permutation).back()];
  };
  return features(0, "queryPermutation") <= most_features && features(2, "valuePermutation") <= most_features;
}

bool has_queries(const KernelSpec& spec, std::uint32_t least) {
  const SpecCall call(spec);
  const auto permutation = call.u32_list("queryPermutation");
  return call.shape(0)[permutation[permutation.size() - 2]] >= least;
}

/// Tiles pay if there are queries to fill them; otherwise it matters more that many workgroups read the keys.
double tiles_of_queries(const KernelSpec& spec, const Target&) { return has_queries(spec, 9) ? 1 : 4; }

/// More than half of a tile's queries, and no driver that computes on the CPU.
double units_of_queries(const KernelSpec& spec, const Target& target) {
  return includes(target.features, Feature::shared_memory) && has_queries(spec, 33) ? 1 : 4 * does_not_pay;
}

}  // namespace

constexpr GpuKernel attention_list[] = {
    {.row = {.name = "attention", .op = "@attention", .can = takes_attention},
     .dispatches = attention<attention_by_queries, 1>},
    {.row = {.name = "attention.split",
             .op = "@attention",
             .can = takes_attention,
             .factor = 0.75,
             .scale = groups_on_target},
     .dispatches = attention<attention_by_queries>},
    {.row = {.name = "attention.tiled",
             .op = "@attention",
             .can = takes_attention,
             .factor = 0.5,
             .scale = tiles_of_queries},
     .dispatches = attention<attention_by_tiles>},
    // No GPU has measured this factor.
    {.row = {.name = "attention.units",
             .op = "@attention",
             .types = {DataType::float16},
             .can = takes_attention,
             .factor = 0.25,
             .scale = units_of_queries},
     .dispatches = attention<attention_by_units>},
};
extern constexpr GpuKernels attention_kernels(attention_list);

}  // namespace webnn::runtime::vulkan
