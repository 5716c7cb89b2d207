/* The C interface: builds a graph with one conv2d, runs it, and shows what a mistake looks like. */
#include <stdio.h>
#include <stdlib.h>
#include <webnn/webnn.h>

static void check(webnn_status* status) {
  if (!status) return;
  fprintf(stderr, "%s\n", webnn_status_message(status));
  exit(1);
}

/* Describes a float32 operand. */
static webnn_descriptor float32(const uint32_t* shape, uint32_t rank) {
  webnn_descriptor descriptor = {sizeof descriptor, WEBNN_FLOAT32, rank, shape, NULL};
  return descriptor;
}

static webnn_tensor* create_tensor(webnn_context* context, const webnn_descriptor* descriptor, uint32_t usage) {
  webnn_tensor_options options = {sizeof options, descriptor->data_type, descriptor->rank, descriptor->shape, usage, 0};
  webnn_tensor* tensor;
  check(webnn_context_create_tensor(context, &options, &tensor));
  return tensor;
}

int main(void) {
  webnn_context* context;
  webnn_builder* builder;
  check(webnn_context_create(NULL, &context));
  check(webnn_builder_create(context, &builder));

  /* A 4 x 4 image, one channel; the filter adds up 2 x 2 pixels, in steps of 2. */
  const uint32_t image_shape[] = {1, 1, 4, 4}, filter_shape[] = {1, 1, 2, 2};
  const webnn_descriptor image = float32(image_shape, 4), filter = float32(filter_shape, 4);
  const float ones[] = {1, 1, 1, 1};
  webnn_operand *operands[2], *sums;
  check(webnn_builder_input(builder, "image", &image, &operands[0]));
  check(webnn_builder_constant(builder, &filter, ones, sizeof ones, &operands[1]));
  const int64_t strides[] = {2, 2};
  const webnn_attribute attributes[] = {webnn_integers("strides", strides, 2)};
  check(webnn_builder_call(builder, "conv2d", operands, 2, attributes, 1, NULL, &sums, 1));

  /* A wrong call fails at once, says why, and adds nothing. */
  webnn_operand* none;
  webnn_status* status = webnn_builder_call(builder, "matmul", operands, 1, NULL, 0, NULL, &none, 1);
  printf("code %d: %s\n", (int)webnn_status_code(status), webnn_status_message(status));
  webnn_status_release(status);

  const webnn_named_operand result = {"sums", sums};
  webnn_graph* graph;
  check(webnn_builder_build(builder, &result, 1, &graph));
  webnn_builder_release(builder);

  webnn_descriptor output = {sizeof output, WEBNN_FLOAT32, 0, NULL, NULL};
  check(webnn_graph_output(graph, 0, &output));
  printf("%s is %u x %u\n", output.name, (unsigned)output.shape[2], (unsigned)output.shape[3]);

  const webnn_named_tensor input_tensor = {"image", create_tensor(context, &image, WEBNN_TENSOR_WRITABLE)};
  const webnn_named_tensor output_tensor = {"sums", create_tensor(context, &output, WEBNN_TENSOR_READABLE)};
  float pixels[16], sums_of_pixels[4];
  for (int i = 0; i < 16; ++i) pixels[i] = (float)i;
  check(webnn_context_write_tensor(context, input_tensor.tensor, pixels, sizeof pixels));
  check(webnn_context_dispatch(context, graph, &input_tensor, 1, &output_tensor, 1));
  check(webnn_context_read_tensor(context, output_tensor.tensor, sums_of_pixels, sizeof sums_of_pixels));
  for (int i = 0; i < 4; ++i) printf("%g%s", sums_of_pixels[i], i % 2 ? "\n" : " ");

  webnn_tensor_release(input_tensor.tensor);
  webnn_tensor_release(output_tensor.tensor);
  webnn_graph_release(graph);
  webnn_context_release(context);
  return 0;
}
