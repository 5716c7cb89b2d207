// Loads blocks of 4 x 4 elements of a matrix for tiled products. How it is loaded is a constant of the pipeline.
const uint VECTORS = 1;      // four adjacent elements at once: their places are multiples of four, all or none exist
const uint ALONG_INNER = 2;  // elements adjacent in memory are adjacent along the inner axis

layout(buffer_reference, scalar, buffer_reference_align = 16) readonly buffer Fours { vec4 at[]; };
layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer HalfFours { uvec2 at[]; };

vec4 load_four(uint64_t address, const uint type, uint i) {
  if (type != FLOAT16) return Fours(address).at[i / 4];
  const uvec2 halves = HalfFours(address).at[i / 4];
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
