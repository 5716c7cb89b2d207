// Shared by all shaders: the parameter table, memory access by address, elements of any type.
//
// A shader declares `struct Table` and reads it through `table`. Specialisation constant 0 is the size of a workgroup;
// a shader's own constants begin at 1. Data types are numbered as in schema/elements/data_type.hpp.

layout(local_size_x_id = 0) in;

const uint FLOAT32 = 0, FLOAT16 = 1, INT32 = 2, UINT32 = 3, INT64 = 4, UINT64 = 5, INT8 = 6, UINT8 = 7, INT4 = 8,
           UINT4 = 9;

layout(buffer_reference, scalar, buffer_reference_align = 1) buffer Words8 { uint8_t at[]; };
layout(buffer_reference, scalar, buffer_reference_align = 2) buffer Words16 { uint16_t at[]; };
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Words32 { uint at[]; };
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Floats { float at[]; };
layout(buffer_reference, scalar, buffer_reference_align = 8) buffer Words64 { uint64_t at[]; };
layout(buffer_reference, scalar, buffer_reference_align = 8) buffer Pairs { uvec2 at[]; };
layout(buffer_reference, scalar, buffer_reference_align = 16) buffer Quads { uvec4 at[]; };

layout(buffer_reference, scalar, buffer_reference_align = 16) readonly buffer TableReference { Table content; };
layout(push_constant, scalar) uniform Push { TableReference reference; uint64_t post; uint first_group; } push;
#define table push.reference.content

/// Of all workgroups of the call, which a dispatch may be a slice of.
uint group_index() { return push.first_group + gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x; }
uint invocation_index() { return group_index() * gl_WorkGroupSize.x + gl_LocalInvocationID.x; }

#define INFINITY uintBitsToFloat(0x7f800000u)
#define NOT_A_NUMBER uintBitsToFloat(0x7fc00000u)
bool is_nan(float x) { return (floatBitsToUint(x) & 0x7fffffffu) > 0x7f800000u; }
bool is_infinite(float x) { return (floatBitsToUint(x) & 0x7fffffffu) == 0x7f800000u; }

// ---- elements: `type` is a pipeline constant, so that only one branch remains

/// Rounds to the nearest float16, ties to even. Uses integers, because packHalf2x16 may round differently: a compiler
/// for AMD GPUs rounds toward zero.
uint half_bits(float x) {
  const uint bits = floatBitsToUint(x), sign = (bits >> 16) & 0x8000u, magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return sign | 0x7e00u;   // NaN
  if (magnitude >= 0x477ff000u) return sign | 0x7c00u;  // 65520 and above: infinity
  if (magnitude >= 0x38800000u) return sign | ((magnitude - 0x38000000u + 0xfffu + ((magnitude >> 13) & 1u)) >> 13);
  if (magnitude <= 0x33000000u) return sign;  // up to half of the least number: zero
  // Subnormal: a multiple of 2^-24.
  const uint shift = 126u - (magnitude >> 23), mantissa = (magnitude & 0x007fffffu) | 0x00800000u;
  const uint odd = (mantissa >> shift) & 1u;
  return sign | ((mantissa + (1u << (shift - 1)) - 1u + odd) >> shift);
}
float half_value(uint bits) { return unpackHalf2x16(bits).x; }

float load_real(uint64_t address, const uint type, uint i) {
  if (type == FLOAT16) return half_value(uint(Words16(address).at[i]));
  return Floats(address).at[i];
}
void store_real(uint64_t address, const uint type, uint i, float value) {
  if (type == FLOAT16) Words16(address).at[i] = uint16_t(half_bits(value));
  else Floats(address).at[i] = value;
}
/// The value after being stored and loaded again.
float as_stored(const uint type, float value) { return type == FLOAT16 ? half_value(half_bits(value)) : value; }

/// The lowest `bits` bits, sign-extended. Uses 64-bit shifts, because Mesa 22.3 miscompiles the comparison of a widened
/// int32 with a constant as a 32-bit comparison.
int64_t sign_extended(uint word, const uint bits) { return int64_t(uint64_t(word) << (64 - bits)) >> (64 - bits); }

/// Sign- or zero-extended.
int64_t load_integer(uint64_t address, const uint type, uint i) {
  if (type == INT32) return sign_extended(Words32(address).at[i], 32);
  if (type == UINT32) return int64_t(uint64_t(Words32(address).at[i]));
  if (type == INT8) return sign_extended(uint(Words8(address).at[i]), 8);
  if (type == UINT8) return int64_t(uint64_t(uint(Words8(address).at[i])));
  if (type == INT4 || type == UINT4) {
    const uint nibble = (uint(Words8(address).at[i / 2]) >> (i % 2 * 4)) & 0xfu;
    return type == UINT4 ? int64_t(nibble) : sign_extended(nibble, 4);
  }
  return int64_t(Words64(address).at[i]);
}
/// Stores the low bits. For 4-bit types this stores a whole byte; the caller has both nibbles.
void store_integer(uint64_t address, const uint type, uint i, int64_t value) {
  if (type == INT32 || type == UINT32) Words32(address).at[i] = uint(uint64_t(value));
  else if (type == INT8 || type == UINT8 || type == INT4 || type == UINT4)
    Words8(address).at[i] = uint8_t(uint(uint64_t(value)));
  else Words64(address).at[i] = uint64_t(value);
}

/// Elements that are only moved, by their size in bytes.
uint64_t load_bits(uint64_t address, const uint size, uint i) {
  if (size == 1) return uint64_t(uint(Words8(address).at[i]));
  if (size == 2) return uint64_t(uint(Words16(address).at[i]));
  if (size == 4) return uint64_t(Words32(address).at[i]);
  return Words64(address).at[i];
}
void store_bits(uint64_t address, const uint size, uint i, uint64_t value) {
  if (size == 1) Words8(address).at[i] = uint8_t(uint(value));
  else if (size == 2) Words16(address).at[i] = uint16_t(uint(value));
  else if (size == 4) Words32(address).at[i] = uint(value);
  else Words64(address).at[i] = value;
}
