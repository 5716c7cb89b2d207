// What kernels of convolutions are given.
struct Table {
  uint64_t x, filters, bias, y;
  uint batches, groups, group_inputs, group_outputs;
  int height, width, result_height, result_width, filter_height, filter_width;
  int stride_y, stride_x, dilation_y, dilation_x, top, left;
};
