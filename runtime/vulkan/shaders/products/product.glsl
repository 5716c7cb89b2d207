// The interface between tiled matrix products and the shader that includes them.
struct Product {
  uint rows, inner, columns, batches;
  bool a_along_inner, b_along_inner;  // whether elements adjacent in memory are adjacent along the inner axis
  uint part;                          // of the inner axis, which workgroups share out (split-K)
};
Product product();
/// What follows stores elements of this column.
void begin_store(uint batch, uint column);
void store_element(uint batch, uint row, uint column, float value);

/// A lane loads the second operand only at `column`, first at k, each time `step` further; or anywhere, if that is along the
/// inner axis and its elements are loaded by eights.
void begin(uint batch, uint column, uint k, uint step);
#ifdef COOPERATIVE
/// Eight elements of float16, adjacent in memory: from `row` or `column` and from k on, those outside of the operand 0.
uvec4 a_eight(uint row, uint k, uint end);
uvec4 b_eight(uint k, uint end, uint column);
#else
/// Blocks of four elements along the inner axis from k on (`end` is the end of this part) and four rows or columns.
/// block[j] holds the four elements at k + j; those outside of the operand are 0.
#ifndef SUM_SPLITS
void a_block(uint row, uint k, uint end, out vec4 block[4]);
void b_block(uint k, uint end, uint column, out vec4 block[4]);
#endif
#endif
