// The second dispatch of a tiled product whose workgroups shared out the inner axis: each invocation adds the sums of
// all parts of an element, in fixed order, and completes it.
#include "products/product.glsl"

void main() {
  const Product all = product();
  const uint elements = all.rows * all.columns * all.batches;
  const uint i = invocation_index();
  if (i >= elements) return;
  const uint splits = (all.inner + all.part - 1) / all.part;
  float sum = 0.0;
  for (uint split = 0; split < splits; ++split) sum += Floats(table.carry).at[split * elements + i];
  const uint column = i % all.columns, row = i / all.columns % all.rows, batch = i / all.columns / all.rows;
  begin_store(batch, column);
  store_element(batch, row, column, sum);
}
