// The interface between tiled matrix products and the shader that includes them. Unless `b_along_inner`, a lane only
// loads elements of column `lane_column` of the second operand.
struct Product {
  uint rows, inner, columns, batches;
  bool a_along_inner, b_along_inner;  // whether elements adjacent in memory are adjacent along the inner axis
};
Product product();
void begin(uint batch, uint lane_column);
float a_element(uint row, uint k);  // row and k must be inside of the operand
float b_element(uint k, uint column);
void store_element(uint batch, uint row, uint column, float value);
