// Quantised numbers: four bytes of a tensor as a word, and results rounded to bytes. Requires math.glsl.

/// The four numbers of a word.
vec4 numbers_of(uint word, const uint type) {
  if (type == UINT8) return vec4(uvec4(word, word >> 8, word >> 16, word >> 24) & 0xffu);
  return vec4(ivec4(int(word) << 24, int(word) << 16, int(word) << 8, int(word)) >> 24);
}

/// Four bytes from `place` on; those behind the first `count` are 0. `whole`: places are multiples of four, and all four
/// bytes exist.
uint load_bytes(uint64_t address, const bool whole, uint place, uint count) {
  if (whole) return Words32(address).at[place / 4];
  uint word = 0;
  [[unroll]] for (uint i = 0; i < 4; ++i)
    if (i < count) word |= uint(Words8(address).at[place + i]) << (8 * i);
  return word;
}
void store_bytes(uint64_t address, const bool whole, uint place, uint count, uint word) {
  if (whole) {
    Words32(address).at[place / 4] = word;
    return;
  }
  [[unroll]] for (uint i = 0; i < 4; ++i)
    if (i < count) Words8(address).at[place + i] = uint8_t((word >> (8 * i)) & 0xffu);
}

/// quantizeLinear: the byte of a value.
uint quantized(float value, float scale, int zero_point, const uint type) {
  const float number = quotient(value, scale);
  if (is_nan(number)) return 0;
  const int least = type == INT8 ? -128 : 0, greatest = least + 255;
  const int whole = int(clamped(round_even(number), -65536.0, 65536.0)) + zero_point;
  return uint(clamp(whole, least, greatest)) & 0xffu;
}
