// @quantizedConv2d by tiles: the product of the filters (one row per output channel) with the input windows (one column
// per position of all batches). The inner axis is made of words: four neighbouring channels of a tap, filled up with
// zeros. A workgroup computes ROWS x COLUMNS elements, see tiled.glsl. With SPLIT, workgroups share out the inner axis.
//
// With DOTS, one instruction adds four products. It takes two signed operands, so 128 is subtracted from uint8, and the
// product of the zero point with the sum of the weights from the result. Otherwise products are added in float32, which
// is exact up to 2^24: before sums can be larger, they go to integers.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common/extensions.glsl"
#ifdef DOTS
#include "quantized/dots.glsl"
#endif
#include "quantized/quantized_conv2d.glsl"

layout(constant_id = constant_tile_rows) const uint ROWS = 64;
layout(constant_id = constant_tile_columns) const uint COLUMNS = 64;
layout(constant_id = constant_tile_depth) const uint DEPTH = 16;  // bytes of the inner axis at a time
layout(constant_id = constant_row_quads) const uint ROW_QUADS = 2;
layout(constant_id = constant_column_quads) const uint COLUMN_QUADS = 2;
layout(constant_id = constant_words_of_channels) const bool WORDS = false;  // the input's channels fill words
layout(constant_id = constant_has_zero) const bool HAS_ZERO = false;  // the zero point of signed bytes is not 0
layout(constant_id = constant_split) const bool SPLIT = false;
layout(constant_id = constant_unrolled) const uint UNROLLED = 1;
layout(constant_id = constant_pointwise) const bool POINTWISE = false;  // a 1 x 1 filter, no padding: every window is an input element

uint channel_words() { return (table.channels + 3) / 4; }
uint inner_words() { return channel_words() * uint(table.filter_height * table.filter_width); }

#ifdef SUM_SPLITS

/// The second dispatch: an invocation adds the sums of all parts for four channels of a position.
void main() {
  const uint quads = (table.outputs + 3) / 4, i = invocation_index(), columns = table.batches * positions();
  if (i >= quads * columns) return;
  const uint channel = i % quads * 4, position = i / quads;
  const uint splits = (inner_words() + table.part - 1) / table.part;
  ivec4 sums = ivec4(0);
  for (uint split = 0; split < splits; ++split)
    [[unroll]] for (uint r = 0; r < 4; ++r)
      if (channel + r < table.outputs)
        sums[r] += int(Words32(table.carry).at[(split * columns + position) * table.outputs + channel + r]);
  store_results(position, channel, sums);
}

#else

#ifdef DOTS
#define Quad uvec4
#define Sums ivec4
const uint LINES = 1;  // in shared memory, for a word of the inner axis
const uint FLIP = X_TYPE == UINT8 ? 0x80808080u : 0u;
#else
#define Quad vec4
#define Sums vec4
const uint LINES = 4;
const uint EXACT = 512;  // products of bytes, whose sum is below 2^24
#endif

const uint DEPTH_WORDS = DEPTH / 4;
const uint LANE_ROWS = ROWS / (4 * ROW_QUADS), LANE_COLUMNS = COLUMNS / (4 * COLUMN_QUADS);
const uint LANES = LANE_ROWS * LANE_COLUMNS;
const uint A_LINE = ROWS / 4 + 1, B_LINE = COLUMNS / 4 + 1, B_TILE = DEPTH_WORDS * LINES * A_LINE;
const uint A_BLOCKS = ROWS / 4 * DEPTH_WORDS, B_BLOCKS = COLUMNS / 4 * DEPTH_WORDS;
const uint LOADS = (A_BLOCKS + B_BLOCKS) / LANES;                // of a lane: words of four rows or columns
const uint A_LOADS = A_BLOCKS / LANES;                           // 0: some lanes load rows, the others columns
const uint B_LOADS = B_BLOCKS >= LANES ? B_BLOCKS / LANES : 1;
const uint SUMS = 4 * ROW_QUADS * COLUMN_QUADS;
shared Quad tiles[DEPTH_WORDS * LINES * (A_LINE + B_LINE)];

/// Whether the lane's block `load` is of the filters. A constant, unless the lanes of a workgroup differ.
bool is_of_a(uint load, uint lane) {
  return (load + 1) * LANES <= A_BLOCKS || (load * LANES < A_BLOCKS && load * LANES + lane < A_BLOCKS);
}

/// Where a word of the inner axis is. No division tells which tap comes next.
struct Tap { uint word; int row, column; };
Tap tap_of(uint word) {
  const uint tap = word / channel_words();
  return Tap(word % channel_words(), int(tap) / table.filter_width, int(tap) % table.filter_width);
}
void step(inout Tap tap, const Tap by, uint words, int filter_width) {
  tap.word += by.word;
  tap.column += by.column;
  tap.row += by.row;
  if (tap.word >= words) {
    tap.word -= words;
    ++tap.column;
  }
  if (tap.column >= filter_width) {
    tap.column -= filter_width;
    ++tap.row;
  }
}

/// The words of four rows.
uvec4 filter_words(uint row, uint word, uint inner, const Tap tap) {
  uvec4 words = uvec4(0);
  [[unroll]] for (uint i = 0; i < 4; ++i) {
    if (row + i >= table.outputs) continue;
    if (PACKED) {
      words[i] = Words32(table.filters).at[(row + i) * inner + word];
      continue;
    }
    const uint taps = uint(table.filter_height * table.filter_width);
    const uint place = ((row + i) * table.channels + tap.word * 4) * taps + uint(tap.row * table.filter_width + tap.column);
    [[unroll]] for (uint c = 0; c < 4; ++c)
      if (tap.word * 4 + c < table.channels) words[i] |= uint(Words8(table.filters).at[place + c * taps]) << (8 * c);
  }
  return words;
}

void main() {
  const uint lane = gl_LocalInvocationID.x, columns = table.batches * positions(), inner = inner_words();
  const uint row_tiles = (table.outputs + ROWS - 1) / ROWS, column_tiles = (columns + COLUMNS - 1) / COLUMNS;
  const uint splits = SPLIT ? (inner + table.part - 1) / table.part : 1;
  const uint tile = group_index();
  if (tile >= row_tiles * column_tiles * splits) return;
  // Neighbouring workgroups read the same windows.
  const uint first_row = tile % row_tiles * ROWS, first_column = tile / row_tiles % column_tiles * COLUMNS;
  const uint split = SPLIT ? tile / row_tiles / column_tiles : 0;
  const uint first = SPLIT ? split * table.part : 0, end = SPLIT ? min(first + table.part, inner) : inner;

  // Each lane loads the same word of the slice for all its rows and columns.
  const uint own_word = lane % DEPTH_WORDS;
  const uint words = channel_words();
  const int height = table.height, width = table.width, filter_width = table.filter_width;
  Tap tap = tap_of(first + own_word);
  const Tap distance = tap_of(DEPTH_WORDS);
  uint origins[4 * B_LOADS];         // the places of the first elements of the lane's windows, if they are inside
  int tops[4 * B_LOADS], lefts[4 * B_LOADS];
  [[unroll]] for (uint i = 0; i < LOADS; ++i) {
    if (is_of_a(i, lane)) continue;
    const uint column = first_column + (i * LANES + lane - A_BLOCKS) / DEPTH_WORDS * 4;
    [[unroll]] for (uint n = 0; n < 4; ++n) {
      const uint position = (column + n) % positions(), own = (i - A_LOADS) * 4 + n;
      const int top = int(position / uint(table.result_width)) * table.stride_y - table.top;
      lefts[own] = int(position % uint(table.result_width)) * table.stride_x - table.left;
      // A window of a column beyond the last is outside of the input.
      tops[own] = column + n < columns ? top : int(0x80000000u);
      origins[own] =
          (((column + n) / positions() * uint(height) + uint(top)) * uint(width) + uint(lefts[own])) * table.channels;
    }
  }

  uvec4 next[LOADS];
  Sums sums[SUMS];
  [[unroll]] for (uint i = 0; i < SUMS; ++i) sums[i] = Sums(0);
#ifdef DOTS
  ivec4 weights[ROW_QUADS];  // their sums
  [[unroll]] for (uint p = 0; p < ROW_QUADS; ++p) weights[p] = ivec4(0);
  const int zero_point = table.zero_point - (X_TYPE == UINT8 ? 128 : 0);
  const uint zero_word = uint(zero_point & 0xff) * 0x01010101u;
#else
  ivec4 totals[SUMS];
  [[unroll]] for (uint i = 0; i < SUMS; ++i) totals[i] = ivec4(0);
  const float zero_point = float(table.zero_point);
  uint unsafe = 0;
#endif
  const uint lane_row = lane % LANE_ROWS, lane_column = lane / LANE_ROWS;
  uint outside = 0;  // bit: the window of a loaded word is outside of the input
  // In the first turn nothing is multiplied yet, in the last one nothing is loaded.
  for (uint start = first; start < end + DEPTH_WORDS; start += DEPTH_WORDS) {
    if (start < end) {
      const uint word = start + own_word;
      const int down = tap.row * table.dilation_y, right = tap.column * table.dilation_x;
      const uint way = uint(down * width + right) * table.channels + tap.word * 4;
      const uint count = min(table.channels - tap.word * 4, 4);
      outside = 0;
      [[unroll]] for (uint i = 0; i < LOADS; ++i) {
        next[i] = uvec4(0);
        if (word >= end) continue;
        if (is_of_a(i, lane)) {
          next[i] = filter_words(first_row + (i * LANES + lane) / DEPTH_WORDS * 4, word, inner, tap);
          continue;
        }
        [[unroll]] for (uint n = 0; n < 4; ++n) {
          const uint own = (i - A_LOADS) * 4 + n;
          const bool inside = POINTWISE ? tops[own] >= 0 : uint(tops[own] + down) < uint(height) &&
                                                               uint(lefts[own] + right) < uint(width);
          if (inside) next[i][n] = load_bytes(table.x, WORDS, origins[own] + way, count);
          else outside |= 1u << own;
        }
      }
      step(tap, distance, words, filter_width);
    }
    if (start != first) {
      [[dont_unroll]] for (uint from = 0; from < DEPTH_WORDS * LINES; from += UNROLLED)
        [[unroll]] for (uint u = 0; u < UNROLLED; ++u) {
          const uint line = from + u;
          Quad a[ROW_QUADS], b[COLUMN_QUADS];
          [[unroll]] for (uint q = 0; q < ROW_QUADS; ++q) a[q] = tiles[line * A_LINE + lane_row + q * LANE_ROWS];
          [[unroll]] for (uint q = 0; q < COLUMN_QUADS; ++q)
            b[q] = tiles[B_TILE + line * B_LINE + lane_column + q * LANE_COLUMNS];
          [[unroll]] for (uint p = 0; p < ROW_QUADS; ++p)
            [[unroll]] for (uint r = 0; r < 4; ++r) {
#ifdef DOTS
              if (HAS_ZERO) weights[p][r] += dot_of_bytes(a[p][r], 0x01010101u, 0);
              [[unroll]] for (uint q = 0; q < COLUMN_QUADS; ++q)
                [[unroll]] for (uint n = 0; n < 4; ++n)
                  sums[(p * 4 + r) * COLUMN_QUADS + q][n] += dot_of_bytes(a[p][r], b[q][n], 0);
#else
              [[unroll]] for (uint q = 0; q < COLUMN_QUADS; ++q) sums[(p * 4 + r) * COLUMN_QUADS + q] += a[p][r] * b[q];
#endif
            }
        }
#ifndef DOTS
      unsafe += DEPTH;
      if (unsafe + DEPTH > EXACT) {
        [[unroll]] for (uint i = 0; i < SUMS; ++i) {
          totals[i] += ivec4(sums[i]);
          sums[i] = vec4(0.0);
        }
        unsafe = 0;
      }
#endif
    }
    barrier();  // the tiles have been multiplied
    if (start < end) {
      [[unroll]] for (uint i = 0; i < LOADS; ++i) {
        const bool of_a = is_of_a(i, lane);
        const uint quad = (i * LANES + lane - (of_a ? 0 : A_BLOCKS)) / DEPTH_WORDS, line = of_a ? A_LINE : B_LINE;
        const uint place = (of_a ? 0 : B_TILE) + own_word * LINES * line + quad;
        const uint own = of_a ? 0 : (i - A_LOADS) * 4;
#ifdef DOTS
        uvec4 block = next[i];
        if (!of_a)
          [[unroll]] for (uint n = 0; n < 4; ++n)
            block[n] = ((outside >> (own + n)) & 1u) != 0 ? zero_word : block[n] ^ FLIP;
        tiles[place] = block;
#else
        mat4 block;
        [[unroll]] for (uint n = 0; n < 4; ++n) {
          if (of_a) block[n] = numbers_of(next[i][n], INT8);
          else
            block[n] = ((outside >> (own + n)) & 1u) != 0 ? vec4(0.0) : numbers_of(next[i][n], X_TYPE) - zero_point;
        }
        block = transpose(block);
        [[unroll]] for (uint k = 0; k < 4; ++k) tiles[place + k * line] = block[k];
#endif
      }
    }
    barrier();
  }

#ifdef DOTS
#define total(i) sums[i]
#else
  [[unroll]] for (uint i = 0; i < SUMS; ++i) totals[i] += ivec4(sums[i]);
#define total(i) totals[i]
#endif
  // Each turn completes four channels at four positions: what they have in common is compiled once.
  [[dont_unroll]] for (uint turn = 0; turn < ROW_QUADS * COLUMN_QUADS; ++turn) {
    const uint p = turn / COLUMN_QUADS, q = turn % COLUMN_QUADS;
    ivec4 rows[4];
    [[unroll]] for (uint r = 0; r < 4; ++r) {
      rows[r] = total(r * COLUMN_QUADS);
      [[unroll]] for (uint of = 1; of < ROW_QUADS * COLUMN_QUADS; ++of)
        rows[r] = of == turn ? total((of / COLUMN_QUADS * 4 + r) * COLUMN_QUADS + of % COLUMN_QUADS) : rows[r];
#ifdef DOTS
      if (HAS_ZERO) {
        int sum = weights[0][r];
        [[unroll]] for (uint of = 1; of < ROW_QUADS; ++of) sum = of == p ? weights[of][r] : sum;
        rows[r] -= zero_point * sum;
      }
#endif
    }
    const uint channel = first_row + (lane_row + p * LANE_ROWS) * 4;
    if (channel >= table.outputs) continue;
    [[dont_unroll]] for (uint n = 0; n < 4; ++n) {
      const uint position = first_column + (lane_column + q * LANE_COLUMNS) * 4 + n;
      if (position >= columns) break;
      const ivec4 results = ivec4(rows[0][n], rows[1][n], rows[2][n], rows[3][n]);
      if (SPLIT) {
        [[unroll]] for (uint r = 0; r < 4; ++r)
          if (channel + r < table.outputs)
            Words32(table.carry).at[(split * columns + position) * table.outputs + channel + r] = uint(results[r]);
      } else {
        store_results(position, channel, results);
      }
    }
  }
}

#endif
