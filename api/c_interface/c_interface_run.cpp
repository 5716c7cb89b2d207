// The C interface: the ways to run a graph.
#include "api/c_interface/c_interface.hpp"

using namespace webnn::c_interface;
using webnn::refuse;

namespace {

webnn::NamedTensors named_tensors(const webnn_named_tensor* items, std::size_t count, const char* name) {
  webnn::NamedTensors tensors;
  for (const webnn_named_tensor& item : list(items, count, name))
    if (!tensors.emplace(required_text(item.name, "a tensor's name"), required(item.tensor, "a tensor").value).second)
      refuse(std::string(name) + " has two tensors of one name");
  return tensors;
}

}  // namespace

webnn_status* webnn_context_dispatch(webnn_context* context, const webnn_graph* graph, const webnn_named_tensor* inputs,
                                     size_t input_count, const webnn_named_tensor* outputs, size_t output_count) {
  return guarded([&] {
    required(context, "context")
        .value.dispatch(required(graph, "graph").value, named_tensors(inputs, input_count, "inputs"),
                        named_tensors(outputs, output_count, "outputs"));
  });
}

webnn_status* webnn_context_compute(webnn_context* context, const webnn_graph* graph, const webnn_named_tensor* inputs,
                                    size_t input_count, const webnn_named_tensor* outputs, size_t output_count) {
  return guarded([&] {
    required(context, "context")
        .value.compute(required(graph, "graph").value, named_tensors(inputs, input_count, "inputs"),
                       named_tensors(outputs, output_count, "outputs"));
  });
}

// ---- bindings

webnn_status* webnn_context_bind(webnn_context* context, const webnn_graph* graph, const webnn_named_tensor* inputs,
                                 size_t input_count, const webnn_named_tensor* outputs, size_t output_count,
                                 webnn_bindings** bindings) {
  return guarded([&] {
    give_new(bindings, "bindings", [&] {
      return required(context, "context")
          .value.bind(required(graph, "graph").value, named_tensors(inputs, input_count, "inputs"),
                      named_tensors(outputs, output_count, "outputs"));
    });
  });
}

webnn_status* webnn_context_dispatch_bindings(webnn_context* context, const webnn_bindings* bindings) {
  return guarded([&] { required(context, "context").value.dispatch(required(bindings, "bindings").value); });
}

webnn_status* webnn_context_compute_bindings(webnn_context* context, const webnn_bindings* bindings) {
  return guarded([&] { required(context, "context").value.compute(required(bindings, "bindings").value); });
}

void webnn_bindings_release(webnn_bindings* bindings) { delete bindings; }

// ---- recorded commands

webnn_status* webnn_encoder_create(webnn_context* context, webnn_encoder** encoder) {
  return guarded(
      [&] { give_new(encoder, "encoder", [&] { return required(context, "context").value.createCommandEncoder(); }); });
}

webnn_status* webnn_encoder_initialize_graph(webnn_encoder* encoder, const webnn_graph* graph) {
  return guarded([&] { required(encoder, "encoder").value.initializeGraph(required(graph, "graph").value); });
}

webnn_status* webnn_encoder_dispatch(webnn_encoder* encoder, const webnn_graph* graph, const webnn_named_tensor* inputs,
                                     size_t input_count, const webnn_named_tensor* outputs, size_t output_count) {
  return guarded([&] {
    required(encoder, "encoder")
        .value.dispatch(required(graph, "graph").value, named_tensors(inputs, input_count, "inputs"),
                        named_tensors(outputs, output_count, "outputs"));
  });
}

webnn_status* webnn_encoder_finish(webnn_encoder* encoder, webnn_command_buffer** command_buffer) {
  return guarded(
      [&] { give_new(command_buffer, "command_buffer", [&] { return required(encoder, "encoder").value.finish(); }); });
}

void webnn_encoder_release(webnn_encoder* encoder) { delete encoder; }

webnn_status* webnn_context_submit(webnn_context* context, const webnn_command_buffer* command_buffer) {
  return guarded([&] { required(context, "context").value.submit(required(command_buffer, "command_buffer").value); });
}

void webnn_command_buffer_release(webnn_command_buffer* command_buffer) { delete command_buffer; }
