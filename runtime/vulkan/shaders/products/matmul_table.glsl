// The parameter table of the matrix product shaders.
struct Table {
  uint64_t a, b, c, y;
  uint64_t carry;    // sums of earlier parts, one float32 per element of the result (matmul.comp)
  uint first, end;   // range along the inner axis of this part
  uint rows, inner, columns, batches;
  uint a_row, a_inner, b_inner, b_column, y_row, y_column;  // strides
  uint c_row, c_column;
  float alpha, beta;
  uint batch_rank;
  uint batch_shape[8];
  int a_batch[8], b_batch[8];  // strides
};
