// Operands and results of elementwise shaders. An invocation computes LANE_ELEMENTS neighbours of the result from
// `first` on. Those behind the last one are computed like it and not stored.
#include "common/broadcast.glsl"
#include "common/fours.glsl"
#include "common/rounds.glsl"

/// Whether all of them exist.
bool are_whole(uint first) { return LANE_ELEMENTS == 1 || first + LANE_ELEMENTS <= table.count; }
uint existing(uint i) { return LANE_ELEMENTS == 1 ? i : min(i, table.count - 1); }

/// The elements' places in an operand of the result's shape.
uvec4 places_in_same(uint first) {
  return LANE_ELEMENTS == 1 ? uvec4(first) : min(first + uvec4(0, 1, 2, 3), table.count - 1);
}

/// Defines a function for the elements' places in an operand of any form.
#define PLACES_IN_OPERAND(name, form, strides)                                                    \
  uvec4 name(uint first) {                                                                        \
    if (form == SAME) return places_in_same(first);                                               \
    uvec4 places = uvec4(0);                                                                      \
    if (form == SINGLE) return places;                                                            \
    const uint walked = form == STRIDED ? LANE_ELEMENTS : 1;                                      \
    [[unroll]] for (uint k = 0; k < walked; ++k)                                                  \
      WALK(places[k], existing(first + k), table.rank, table.shape, strides)                      \
    return places;                                                                                \
  }

bool is_four(const uint form, bool whole) {
  return LANE_ELEMENTS == 4 && whole && (form == SAME || form == NEIGHBOURS);
}
bool is_one(const uint form) { return form == SINGLE || form == REPEATED; }

#ifdef Wide
#if defined(REAL)
#define wide_of real_of
#define bits_of bits_of_real
#else
Wide wide_of(const uint type, uint bits) { return Wide(integer_of(type, bits)); }
uint bits_of(const uint type, Wide value) { return uint(uint64_t(value)); }
#endif

void load_operand(uint64_t address, const uint form, uvec4 places, bool whole, out Wide values[4]) {
  if (is_four(form, whole)) {
    const uvec4 bits = load_four(address, size_of(TYPE), places.x);
    [[unroll]] for (uint k = 0; k < 4; ++k) values[k] = wide_of(TYPE, bits[k]);
    return;
  }
  values[0] = load_wide(address, TYPE, places.x);
  [[unroll]] for (uint k = 1; k < LANE_ELEMENTS; ++k) {
    values[k] = values[0];
    if (!is_one(form)) values[k] = load_wide(address, TYPE, places[k]);
  }
}
void store_result(uint first, bool whole, Wide values[4]) {
  if (LANE_ELEMENTS == 4 && whole) {
    uvec4 bits;
    [[unroll]] for (uint k = 0; k < 4; ++k) bits[k] = bits_of(TYPE, values[k]);
    store_four(table.y, size_of(TYPE), first, bits);
    return;
  }
  [[unroll]] for (uint k = 0; k < LANE_ELEMENTS; ++k)
    if (LANE_ELEMENTS == 1 || first + k < table.count) store_wide(table.y, TYPE, first + k, values[k]);
}
#if defined(VERDICT) || !defined(REAL)
/// Results that are uint8 whatever the operands are.
void store_verdicts(uint first, bool whole, uvec4 verdicts) {
  if (LANE_ELEMENTS == 4 && whole) {
    store_four(table.y, 1, first, verdicts);
    return;
  }
  [[unroll]] for (uint k = 0; k < LANE_ELEMENTS; ++k)
    if (LANE_ELEMENTS == 1 || first + k < table.count) Words8(table.y).at[first + k] = uint8_t(verdicts[k]);
}
#endif
#endif
