// Loads blocks of 4 x 4 elements of a matrix for tiled products. How it is loaded is a constant of the pipeline.
const uint VECTORS = 1;      // four adjacent elements at once: their places are multiples of four, all or none exist
const uint ALONG_INNER = 2;  // elements adjacent in memory are adjacent along the inner axis

// The elements of blocks: float32, but for matrix units, which take float16 as they are in memory.
#if defined(COOPERATIVE) && !defined(EMULATED)
#define Element float16_t
#define Four f16vec4
#define FourFours f16mat4
layout(buffer_reference, scalar, buffer_reference_align = 2) readonly buffer Elements { float16_t at[]; };
layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer ElementFours { f16vec4 at[]; };

Element load_element(uint64_t address, const uint type, uint i) { return Elements(address).at[i]; }
Four load_four(uint64_t address, const uint type, uint i) { return ElementFours(address).at[i / 4]; }
#else
#define Element float
#define Four vec4
#define FourFours mat4
layout(buffer_reference, scalar, buffer_reference_align = 16) readonly buffer Fours { vec4 at[]; };
layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer HalfFours { uvec2 at[]; };

Element load_element(uint64_t address, const uint type, uint i) { return load_real(address, type, i); }
Four load_four(uint64_t address, const uint type, uint i) {
  if (type != FLOAT16) return Fours(address).at[i / 4];
  const uvec2 halves = HalfFours(address).at[i / 4];
  return vec4(unpackHalf2x16(halves.x), unpackHalf2x16(halves.y));
}
#endif

struct Strided {
  uint64_t address;
  uint start, stride, inner_stride, count;  // count: rows or columns
};

void load_block(const uint how, const uint type, Strided matrix, uint outer, uint k, uint end, out Four block[4]) {
  const uint place = matrix.start + outer * matrix.stride + k * matrix.inner_stride;
  FourFours loaded = FourFours(0.0);
  const bool along_inner = (how & ALONG_INNER) != 0;
  const uint line = along_inner ? matrix.stride : matrix.inner_stride;
  const uint step = along_inner ? matrix.inner_stride : matrix.stride;
  const uint lines = along_inner ? matrix.count - min(outer, matrix.count) : end - min(k, end);
  const uint elements = along_inner ? end - min(k, end) : matrix.count - min(outer, matrix.count);
  [[unroll]] for (uint i = 0; i < 4; ++i) {
    if (i >= lines) continue;
    if ((how & VECTORS) != 0) {
      if (elements != 0) loaded[i] = load_four(matrix.address, type, place + i * line);
    } else {
      [[unroll]] for (uint j = 0; j < 4; ++j)
        if (j < elements) loaded[i][j] = load_element(matrix.address, type, place + i * line + j * step);
    }
  }
  if (along_inner) loaded = transpose(loaded);
  [[unroll]] for (uint i = 0; i < 4; ++i) block[i] = loaded[i];
}
