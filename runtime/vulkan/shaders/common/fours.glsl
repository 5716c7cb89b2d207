// Four neighbouring elements of 8, 16 or 32 bits, loaded and stored at once. The first one's place is a multiple of four.
// Each has the low bits of a word of its own.
layout(constant_id = constant_lane_elements) const uint LANE_ELEMENTS = 1;  // neighbours that an invocation computes together: 1 or 4


/// `size`: of an element in bytes.
uvec4 load_four(uint64_t address, const uint size, uint place) {
  if (size == 4) return Quads(address).at[place / 4];
  if (size == 1) return (uvec4(Words32(address).at[place / 4]) >> uvec4(0, 8, 16, 24)) & 0xffu;
  const uvec2 words = Pairs(address).at[place / 4];
  return uvec4(words.x & 0xffffu, words.x >> 16, words.y & 0xffffu, words.y >> 16);
}
void store_four(uint64_t address, const uint size, uint place, uvec4 bits) {
  if (size == 4) {
    Quads(address).at[place / 4] = bits;
  } else if (size == 1) {
    const uvec4 bytes = (bits & 0xffu) << uvec4(0, 8, 16, 24);
    Words32(address).at[place / 4] = bytes.x | bytes.y | bytes.z | bytes.w;
  } else {
    Pairs(address).at[place / 4] = (bits.xz & 0xffffu) | (bits.yw << 16);
  }
}

uint size_of(const uint type) {
  if (type == INT8 || type == UINT8) return 1;
  return type == FLOAT16 ? 2 : 4;
}

float real_of(const uint type, uint bits) { return type == FLOAT16 ? half_value(bits) : uintBitsToFloat(bits); }
uint bits_of_real(const uint type, float value) { return type == FLOAT16 ? half_bits(value) : floatBitsToUint(value); }
int64_t integer_of(const uint type, uint bits) {
  if (type == INT8) return sign_extended(bits, 8);
  if (type == INT32) return sign_extended(bits, 32);
  return int64_t(uint64_t(bits));
}
