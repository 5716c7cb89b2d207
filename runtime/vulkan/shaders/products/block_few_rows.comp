// Products of few rows with weights of 4 or 8 bits, with a scale and a zero point for each block (dequantizeLinear):
// the weights are read once, as 32-bit words where they fill these. A workgroup computes all rows of WIDTH words of
// columns, or, with TRANSPOSED, of WIDTH columns. Sums of the lanes of a column are added through shared memory.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common/extensions.glsl"

struct Table {
  uint64_t a, b, scale, zero_point, y;
  uint64_t sums;  // of the parts of the inner axis, one float32 per element of the result and part
  uint rows, inner, columns, part;
  uint inner_block, column_block;    // size of a block
  uint inner_blocks, column_blocks;  // number of blocks
};
#include "common/elements.glsl"
#include "common/math.glsl"
#include "common/broadcast.glsl"

layout(constant_id = 1) const uint B_TYPE = 0;
layout(constant_id = 2) const uint SCALE_TYPE = 0;
layout(constant_id = 3) const bool TRANSPOSED = false;  // b is columns x inner
layout(constant_id = 4) const bool WORDS = false;        // blocks and lines of b fill words
layout(constant_id = 5) const uint TYPE = 0;             // of the first matrix and the result
layout(constant_id = constant_tile_rows) const uint ROWS = 1;             // at least those of the product
layout(constant_id = constant_few_rows_width) const uint WIDTH = 32;           // a power of two
layout(constant_id = constant_split) const bool SPLIT = false;        // several workgroups share out the inner axis, by parts
layout(constant_id = constant_unrolled) const uint UNROLLED = 1;   // words of a lane that are on their way at the same time

#include "common/real_functions.glsl"
#include "common/epilogue.glsl"

#ifdef SUM_SPLITS

/// The second dispatch: an invocation adds the sums of all parts of an element, in fixed order.
void main() {
  const uint elements = table.rows * table.columns, i = invocation_index();
  if (i >= elements) return;
  const uint splits = (table.inner + table.part - 1) / table.part;
  float sum = 0.0;
  for (uint split = 0; split < splits; ++split) sum += Floats(table.sums).at[split * elements + i];
  store_real(table.y, TYPE, i, epilogue(sum, i));
}

#else

#include "products/blocks.glsl"

const uint LANES = 128, STEP = LANES / WIDTH;
const uint BITS = B_TYPE == INT4 || B_TYPE == UINT4 ? 4 : 8;
const bool IS_SIGNED = B_TYPE == INT4 || B_TYPE == INT8;
const uint IN_WORD = WORDS ? 32 / BITS : 1;
const uint OWN = TRANSPOSED ? 1 : IN_WORD;  // columns of a lane
shared float sums[LANES * OWN];
float sum[ROWS * OWN];

uint place_of_number(uint k, uint column) { return TRANSPOSED ? column * table.inner + k : k * table.columns + column; }

uint load_word(uint k, uint column) {
  const uint place = place_of_number(k, column);
  return WORDS ? Words32(table.b).at[place / IN_WORD] : uint(load_integer(table.b, B_TYPE, place));
}
float number_of(uint word, const uint i) {
  if (!WORDS) return float(int(word));
  if (IS_SIGNED) return float(bitfieldExtract(int(word), int(i * BITS), int(BITS)));
  return float(bitfieldExtract(word, int(i * BITS), int(BITS)));
}

struct Block {
  float scale, zero_point;
};
Block block_of(uint inner_block, uint column) {
  const uint column_block = column / table.column_block;
  const uint i = TRANSPOSED ? column_block * table.inner_blocks + inner_block
                             : inner_block * table.column_blocks + column_block;
  return Block(load_real(table.scale, SCALE_TYPE, i), float(int(load_integer(table.zero_point, B_TYPE, i))));
}

/// Words along the inner axis: all numbers of a word are in one block.
void add_words_of_column(uint column, uint first, uint end) {
  const uint step = STEP * IN_WORD;
  for (uint from = first; from < end; from += step * UNROLLED) {
    uint words[UNROLLED];
    Block blocks[UNROLLED];
    [[unroll]] for (uint u = 0; u < UNROLLED; ++u) {
      const uint k = min(from + u * step, end - IN_WORD);  // no branch around the loads
      words[u] = load_word(k, column);
      blocks[u] = block_of(k / table.inner_block, column);
    }
    [[unroll]] for (uint u = 0; u < UNROLLED; ++u) {
      const uint k = from + u * step;
      if (k >= end) break;
      [[unroll]] for (uint i = 0; i < IN_WORD; i += 4) {
        vec4 weights;
        [[unroll]] for (uint j = 0; j < 4; ++j)
          weights[j] = (number_of(words[u], i + j) - blocks[u].zero_point) * blocks[u].scale;
        [[unroll]] for (uint r = 0; r < ROWS; ++r)
          sum[r] += dot(load_four(table.a, TYPE, min(r, table.rows - 1) * table.inner + k + i), weights);
      }
    }
  }
}

/// Words of adjacent columns, or single numbers.
void add_columns(uint column, uint first, uint end) {
  Block blocks[OWN];
  uint current = ~0u;
  for (uint from = first; from < end; from += STEP * UNROLLED) {
    uint words[UNROLLED];
    [[unroll]] for (uint u = 0; u < UNROLLED; ++u) words[u] = load_word(min(from + u * STEP, end - 1), column);
    [[unroll]] for (uint u = 0; u < UNROLLED; ++u) {
      const uint k = from + u * STEP;
      if (k >= end) break;
      const uint inner_block = k / table.inner_block;
      if (inner_block != current) {
        [[unroll]] for (uint i = 0; i < OWN; ++i) blocks[i] = block_of(inner_block, column + i);
        current = inner_block;
      }
      float weights[OWN];
      [[unroll]] for (uint i = 0; i < OWN; ++i)
        weights[i] = (number_of(words[u], i) - blocks[i].zero_point) * blocks[i].scale;
      [[unroll]] for (uint r = 0; r < ROWS; ++r) {
        const float x = load_real(table.a, TYPE, min(r, table.rows - 1) * table.inner + k);
        [[unroll]] for (uint i = 0; i < OWN; ++i) sum[r * OWN + i] += x * weights[i];
      }
    }
  }
}

void main() {
  const uint column_groups = (table.columns + WIDTH * OWN - 1) / (WIDTH * OWN);
  const uint splits = SPLIT ? (table.inner + table.part - 1) / table.part : 1;
  const uint group = group_index();
  if (group >= column_groups * splits) return;
  // Adjacent lanes load adjacent words.
  const uint lane = gl_LocalInvocationID.x;
  const uint across = TRANSPOSED ? lane / STEP : lane % WIDTH, along = TRANSPOSED ? lane % STEP : lane / WIDTH;
  // Columns beyond the last repeat it; their results are not stored.
  const uint column = min((group % column_groups * WIDTH + across) * OWN, table.columns - OWN);
  const uint split = group / column_groups, first = split * table.part, end = min(first + table.part, table.inner);
  [[unroll]] for (uint i = 0; i < ROWS * OWN; ++i) sum[i] = 0.0;
  if (TRANSPOSED && WORDS) add_words_of_column(column, first + along * IN_WORD, end);
  else add_columns(column, first + along, end);

  const uint first_column = group % column_groups * WIDTH * OWN;
  for (uint r = 0; r < table.rows; ++r) {
    [[unroll]] for (uint i = 0; i < OWN; ++i) sums[i * LANES + along * WIDTH + across] = sum[r * OWN + i];
    barrier();
    for (uint width = LANES / 2; width >= WIDTH; width /= 2) {
      if (lane < width)
        [[unroll]] for (uint i = 0; i < OWN; ++i) sums[i * LANES + lane] += sums[i * LANES + lane + width];
      barrier();
    }
    for (uint i = lane; i < WIDTH * OWN; i += LANES) {
      if (first_column + i >= table.columns) break;
      const float value = sums[i % OWN * LANES + i / OWN];
      const uint place = r * table.columns + first_column + i;
      if (SPLIT) Floats(table.sums).at[split * table.rows * table.columns + place] = value;
      else store_real(table.y, TYPE, place, epilogue(value, place));
    }
    barrier();
  }
}

#endif
