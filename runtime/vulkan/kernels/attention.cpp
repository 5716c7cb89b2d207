// @attention. The scores are never written to memory.
#include <algorithm>
#include <array>

#include "runtime/vulkan/kernels/dispatch.hpp"
#include "runtime/vulkan/kernels/estimates.hpp"
#include "runtime/vulkan/kernels/shapes.hpp"
#include "runtime/vulkan/shaders.hpp"
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

/// How the shaders of @attention divide the work among workgroups.
struct AttentionTiles {
  ShaderCode (*code)();
  std::uint32_t group;          // invocations
  std::uint32_t queries, keys;  // that a workgroup takes at a time
  std::uint32_t least_times;    // that a workgroup takes keys, for which a dispatch that combines parts pays
  bool all_vectors;             // whether queries and values are read by four, too
  /// Iterations of all loops for the keys of one time, at least.
  std::uint64_t (*turns)(std::uint64_t features, std::uint64_t value_features);
};

// For 64 keys: the features of a score, the maximum over the lanes, and the keys again for the values.
constexpr AttentionTiles attention_by_queries{
    shaders::attention, 64, 4, 64, 2, false, [](std::uint64_t features, std::uint64_t) { return features + 64 + 20; }};
// Slices of 32 features are loaded and multiplied; slices of 16 keys, for each 64 features of the values.
constexpr AttentionTiles attention_by_tiles{
    shaders::tiled_attention, 128, 32, 64, 4, true, [](std::uint64_t features, std::uint64_t value_features) {
      return div_up(features, 32) * 16 + div_up(value_features, 64) * 32 + 8;
    }};

/// Whether features can be read by four: they are neighbours, and all tokens begin at multiples of four.
bool is_by_four(const Transposed& operand) {
  const unsigned rank = operand.shape.rank(), feature = rank - 1;
  if (operand.strides[feature] != 1 || operand.shape[feature] % 4 != 0) return false;
  return std::all_of(operand.strides.begin(), operand.strides.begin() + feature,
                     [](std::int64_t stride) { return stride % 4 == 0; });
}

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
  const SpecCall call(spec);
  const Transposed query(call.shape(0), call.u32_list("queryPermutation"));
  const Transposed key(call.shape(1), call.u32_list("keyPermutation"));
  const Transposed value(call.shape(2), call.u32_list("valuePermutation"));
  const unsigned rank = query.shape.rank(), token = rank - 2, feature = rank - 1;

  // Axis i of the output is axis permutation[i] of the result.
  const auto permutation = call.u32_list("outputPermutation");
  const Strides own = row_major_strides(spec.outputs[0].shape);
  Strides result{};
  Shape scores = query.shape;  // of the whole batch
  for (unsigned i = 0; i < rank; ++i) {
    result[permutation[i]] = own[i];
    scores[permutation[i]] = spec.outputs[0].shape[i];
  }
  scores[feature] = key.shape[token];
  const Shape batches(scores.sizes().first(token));
  const bool has_mask = call.has_operand(3);
  const Strides mask = has_mask ? broadcast_strides(call.shape(3), scores) : Strides{};
  const std::uint32_t queries = query.shape[token], keys = key.shape[token];
  const std::uint32_t features = query.shape[feature], value_features = value.shape[feature];

  const std::uint64_t groups = div_up(queries, tiles.queries) * element_count(batches);
  const std::uint64_t parts = std::min(parts_wanted, parts_of_keys(tiles, groups, keys, target));
  const std::uint64_t times = div_up(div_up(keys, tiles.keys), parts);
  const std::uint64_t results = element_count(batches) * queries;
  const std::uint64_t carry_bytes = parts == 1 ? 0 : results * parts * (value_features + 2) * sizeof(float);
  const bool vectors = is_by_four(key) && (!tiles.all_vectors || (is_by_four(query) && is_by_four(value)));

  Dispatches list;
  list.scratch_bytes = carry_bytes;
  const auto maker_of = [&](ShaderCode shader, std::uint32_t lanes, bool reads, bool writes) {
    DispatchMaker maker(shader, {code(call.operand(0).type), has_mask && reads, parts > 1, vectors}, lanes);
    if (reads) {
      maker.input(spec, 0).input(spec, 1).input(spec, 2);
      has_mask ? maker.input(spec, 3) : maker.absent();
    } else {
      maker.absent().absent().absent().absent();
    }
    writes ? maker.output(spec) : maker.absent();
    parts > 1 ? maker.scratch(0, carry_bytes, !reads, reads) : maker.absent();
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
    maker.word(parts).word(times * tiles.keys);
    return maker;
  };
  DispatchMaker maker = maker_of(tiles.code(), tiles.group, true, parts == 1);
  if (tiles.all_vectors)
    maker.specialize(Constant::value_chunks, div_up(value_features, 64))
        .specialize(Constant::keys_adjacent, key.strides[feature] != 1);
  maker.turns(times * tiles.turns(features, value_features));
  maker.work(results * keys * (std::uint64_t(features) + value_features));
  list.dispatches.push_back(maker.over_groups(groups * parts));
  if (parts > 1) {
    DispatchMaker last = maker_of(shaders::attention_parts(), DispatchMaker::usual_group, false, true);
    last.turns(2 * parts);
    list.dispatches.push_back(last.over(results * value_features));
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

/// Tiles pay if there are queries to fill them; otherwise it matters more that many workgroups read the keys.
double tiles_of_queries(const KernelSpec& spec, const Target&) {
  constexpr std::uint32_t least_queries = 9;
  const SpecCall call(spec);
  const auto permutation = call.u32_list("queryPermutation");
  const bool fills = call.shape(0)[permutation[permutation.size() - 2]] >= least_queries;
  return fills ? 1 : 4;
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
};
extern constexpr GpuKernels attention_kernels(attention_list);

}  // namespace webnn::runtime::vulkan
