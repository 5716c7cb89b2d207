// Pointwise @quantizedConv2d at few positions, as fully connected layers have it: a workgroup computes WIDTH output
// channels at all positions. Adjacent lanes load adjacent words of the filters, each once, and the sums of the lanes of
// a channel are added through shared memory. Products are added as integers.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common/extensions.glsl"
#include "quantized/quantized_conv2d.glsl"

layout(constant_id = constant_tile_rows) const uint POSITIONS = 1;   // at least those of the result
layout(constant_id = constant_few_rows_width) const uint WIDTH = 4;       // a power of two; a multiple of four
layout(constant_id = constant_words_of_channels) const bool WORDS = false;  // the input's channels fill words

const uint LANES = 128, OF_CHANNEL = LANES / WIDTH;
shared int sums[POSITIONS * LANES];

ivec4 integers_of(uint word, const uint type) {
  if (type == UINT8) return ivec4(uvec4(word, word >> 8, word >> 16, word >> 24) & 0xffu);
  return ivec4(int(word) << 24, int(word) << 16, int(word) << 8, int(word)) >> 24;
}

void main() {
  const uint lane = gl_LocalInvocationID.x, along = lane % OF_CHANNEL, own = lane / OF_CHANNEL;
  const uint first_channel = group_index() * WIDTH, last_position = table.batches * positions() - 1;
  if (first_channel >= table.outputs) return;
  // Channels beyond the last repeat it; their results are not stored.
  const uint channel = min(first_channel + own, table.outputs - 1);
  const uint words = (table.channels + 3) / 4;
  int sum[POSITIONS];
  [[unroll]] for (uint p = 0; p < POSITIONS; ++p) sum[p] = 0;
  for (uint word = along; word < words; word += OF_CHANNEL) {
    const uint count = min(table.channels - word * 4, 4);
    const uint filter_word = PACKED ? Words32(table.filters).at[channel * words + word]
                                    : load_bytes(table.filters, WORDS, channel * table.channels + word * 4, count);
    const ivec4 weights = integers_of(filter_word, INT8);
    [[unroll]] for (uint p = 0; p < POSITIONS; ++p) {
      const uint place = min(p, last_position) * table.channels + word * 4;
      const ivec4 products = weights * (integers_of(load_bytes(table.x, WORDS, place, count), X_TYPE) - table.zero_point);
      sum[p] += products.x + products.y + products.z + products.w;
    }
  }
  [[unroll]] for (uint p = 0; p < POSITIONS; ++p) sums[p * LANES + lane] = sum[p];
  barrier();
  for (uint half_of = OF_CHANNEL / 2; half_of >= 1; half_of /= 2) {
    if (along < half_of)
      for (uint p = 0; p < POSITIONS; ++p) sums[p * LANES + lane] += sums[p * LANES + lane + half_of];
    barrier();
  }
  const uint quads = WIDTH / 4, quad = lane % quads, position = lane / quads;
  if (position > last_position || first_channel + quad * 4 >= table.outputs) return;
  const uint place = position * LANES + quad * 4 * OF_CHANNEL;
  store_results(position, first_channel + quad * 4,
                ivec4(sums[place], sums[place + OF_CHANNEL], sums[place + 2 * OF_CHANNEL], sums[place + 3 * OF_CHANNEL]));
}
