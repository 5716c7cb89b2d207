// The parameter table of the convolution shaders.
struct Table {
  uint64_t x, filters, bias, y;
  uint64_t carry;  // sums of earlier parts, one float32 per element of the result (conv2d.comp)
  uint first_row, end_row, first_channel, end_channel;  // this part's filter rows and input channels of the group
  uint is_first, is_last;
  uint batches, groups, group_inputs, group_outputs;
  int height, width, result_height, result_width, filter_height, filter_width;
  int stride_y, stride_x, dilation_y, dilation_x, top, left;
};
