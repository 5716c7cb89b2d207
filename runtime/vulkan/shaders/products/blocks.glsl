// Loads elements of a matrix for tiled products: blocks of 4 x 4 as float32, or eight of float16 as they are in memory. How it is loaded is a constant of the pipeline.
const uint VECTORS = 1;      // four adjacent elements at once: their places are multiples of four, all or none exist
const uint ALONG_INNER = 2;  // elements adjacent in memory are adjacent along the inner axis
const uint EIGHTS = 4;       // eight adjacent elements are like four

layout(buffer_reference, scalar, buffer_reference_align = 16) readonly buffer Fours { vec4 at[]; };

vec4 load_four(uint64_t address, const uint type, uint i) {
  if (type != FLOAT16) return Fours(address).at[i / 4];
  const uvec2 halves = Pairs(address).at[i / 4];
  return vec4(unpackHalf2x16(halves.x), unpackHalf2x16(halves.y));
}

struct Strided {
  uint64_t address;
  uint start, stride, inner_stride, count;  // count: rows or columns
};

void load_block(const uint how, const uint type, Strided matrix, uint outer, uint k, uint end, out vec4 block[4]) {
  const uint place = matrix.start + outer * matrix.stride + k * matrix.inner_stride;
  mat4 loaded = mat4(0.0);
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
        if (j < elements) loaded[i][j] = load_real(matrix.address, type, place + i * line + j * step);
    }
  }
  if (along_inner) loaded = transpose(loaded);
  [[unroll]] for (uint i = 0; i < 4; ++i) block[i] = loaded[i];
}

/// A float16, as bits.
uint load_half(uint64_t address, uint i) { return uint(Words16(address).at[i]); }

/// Eight of float16 that are adjacent in memory, from `outer` and k on; those outside of the matrix are 0.
uvec4 load_eight(const uint how, Strided matrix, uint outer, uint k, uint end) {
  const uint place = matrix.start + outer * matrix.stride + k * matrix.inner_stride;
  const bool along_inner = (how & ALONG_INNER) != 0;
  const uint step = along_inner ? matrix.inner_stride : matrix.stride;
  const uint lines = along_inner ? matrix.count - min(outer, matrix.count) : end - min(k, end);
  const uint elements = lines == 0 ? 0 : along_inner ? end - min(k, end) : matrix.count - min(outer, matrix.count);
  uvec4 eight = uvec4(0);
  if ((how & EIGHTS) != 0) {
    if (elements != 0) eight = Quads(matrix.address).at[place / 8];
  } else if ((how & VECTORS) != 0) {
    if (elements != 0) eight.xy = Pairs(matrix.address).at[place / 4];
    if (elements > 4) eight.zw = Pairs(matrix.address).at[place / 4 + 1];
  } else {
    [[unroll]] for (uint i = 0; i < 8; ++i)
      if (i < elements) eight[i / 2] |= load_half(matrix.address, place + i * step) << (i % 2 * 16);
  }
  return eight;
}
