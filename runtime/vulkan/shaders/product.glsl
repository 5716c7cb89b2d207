// What products of matrices by tiles want to know of the shader that includes them. `lane_column` is the one column of
// the second operand whose elements the lane is asked for where they lie side by side.
struct Product {
  uint rows, inner, columns, batches;
  bool a_along_inner, b_along_inner;  // neighbours in memory are neighbours along the inner axis
};
Product product();
void begin(uint batch, uint lane_column);
float a_element(uint row, uint k);  // inside of the operand
float b_element(uint k, uint column);
void store_element(uint batch, uint row, uint column, float value);
