// Elements of reals by fours, as lanes of row_groups.glsl take them. Requires the constant TYPE.

/// The bits of a lane's elements n, n + GAP, ... of a row that begins at `start`, `stride` between its elements; zero
/// beyond `end`.
uvec4 load_bits_of_four(uint64_t address, uint start, uint stride, uint n, uint end) {
  if (VECTORS) {
    const uint place = (start + n) / 4;
    if (TYPE == FLOAT16) return uvec4(Pairs(address).at[place], 0, 0);
    return Quads(address).at[place];
  }
  uvec4 bits = uvec4(0);
  [[unroll]] for (uint k = 0; k < 4; ++k) {
    const uint element = n + k * GAP, place = start + min(element, end - 1) * stride;  // no branch around the load
    uint own;
    if (TYPE == FLOAT16) own = uint(Words16(address).at[place]) << (k % 2 * 16);
    else own = Words32(address).at[place];
    if (element < end) bits[TYPE == FLOAT16 ? k / 2 : k] |= own;
  }
  return bits;
}
vec4 four_of(uvec4 bits) {
  if (TYPE == FLOAT16) return vec4(unpackHalf2x16(bits.x), unpackHalf2x16(bits.y));
  return uintBitsToFloat(bits);
}
vec4 load_four(uint64_t address, uint start, uint stride, uint n, uint end) {
  return four_of(load_bits_of_four(address, start, stride, n, end));
}
void store_four(uint64_t address, uint start, uint stride, uint n, uint end, vec4 x) {
  if (VECTORS) {
    const uint place = (start + n) / 4;
    if (TYPE == FLOAT16)
      Pairs(address).at[place] = uvec2(half_bits(x.x) | half_bits(x.y) << 16, half_bits(x.z) | half_bits(x.w) << 16);
    else
      Quads(address).at[place] = floatBitsToUint(x);
    return;
  }
  [[unroll]] for (uint k = 0; k < 4; ++k) {
    const uint element = n + k * GAP;
    if (element < end) store_real(address, TYPE, start + element * stride, x[k]);
  }
}
