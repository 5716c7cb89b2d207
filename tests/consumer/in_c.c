/* The same in C. */
#include <stdio.h>
#include <webnn/webnn.h>

static void print(const char* kind, const webnn_descriptor* descriptor) {
  printf("%s %s:", kind, descriptor->name);
  for (uint32_t i = 0; i < descriptor->rank; ++i) printf(" %u", (unsigned)descriptor->shape[i]);
  printf("\n");
}

int main(int argc, char** argv) {
  webnn_context* context = NULL;
  webnn_graph* graph = NULL;
  webnn_descriptor descriptor = {sizeof descriptor, WEBNN_FLOAT32, 0, NULL, NULL};
  webnn_status* status = webnn_context_create(NULL, &context);
  if (!status) status = webnn_graph_load(context, argv[argc - 1], NULL, &graph);
  if (status) printf("code %d\n", (int)webnn_status_code(status));
  for (size_t i = 0; !status && i < webnn_graph_input_count(graph); ++i) {
    status = webnn_graph_input(graph, i, &descriptor);
    print("input", &descriptor);
  }
  for (size_t i = 0; !status && i < webnn_graph_output_count(graph); ++i) {
    status = webnn_graph_output(graph, i, &descriptor);
    print("output", &descriptor);
  }
  webnn_status_release(status);
  webnn_graph_release(graph);
  webnn_context_release(context);
  return 0;
}
