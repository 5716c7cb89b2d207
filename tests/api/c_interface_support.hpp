// Owners for the C interface's objects, and its calls as tests make them.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>

#include "api/webnn.h"
#include "schema/elements/types.hpp"

namespace webnn::tests {

struct Release {
  void operator()(webnn_status* object) const { webnn_status_release(object); }
  void operator()(webnn_context* object) const { webnn_context_release(object); }
  void operator()(webnn_builder* object) const { webnn_builder_release(object); }
  void operator()(webnn_graph* object) const { webnn_graph_release(object); }
  void operator()(webnn_tensor* object) const { webnn_tensor_release(object); }
  void operator()(webnn_bindings* object) const { webnn_bindings_release(object); }
  void operator()(webnn_encoder* object) const { webnn_encoder_release(object); }
  void operator()(webnn_command_buffer* object) const { webnn_command_buffer_release(object); }
  void operator()(webnn_exported_tensor* object) const { webnn_exported_tensor_release(object); }
};
template <class T>
using Owned = std::unique_ptr<T, Release>;

/// "code: message", or nothing for success.
inline std::string text_of(webnn_status* given) {
  const Owned<webnn_status> status(given);
  if (!status) return {};
  return std::to_string(webnn_status_code(status.get())) + ": " + webnn_status_message(status.get());
}

inline void succeed(webnn_status* status) {
  if (const std::string text = text_of(status); !text.empty()) throw std::runtime_error(text);
}

inline Owned<webnn_context> make_context() {
  webnn_context* context = nullptr;
  succeed(webnn_context_create(nullptr, &context));
  return Owned<webnn_context>(context);
}

inline Owned<webnn_builder> make_builder(webnn_context* context) {
  webnn_builder* builder = nullptr;
  succeed(webnn_builder_create(context, &builder));
  return Owned<webnn_builder>(builder);
}

inline webnn_descriptor descriptor_of(const schema::OperandDescriptor& operand) {
  return {sizeof(webnn_descriptor), webnn_data_type(operand.type), operand.shape.rank(), operand.shape.begin(),
          nullptr};
}

inline Owned<webnn_tensor> make_tensor(webnn_context* context, const schema::OperandDescriptor& operand) {
  const webnn_tensor_options options{sizeof options,
                                     webnn_data_type(operand.type),
                                     operand.shape.rank(),
                                     operand.shape.begin(),
                                     WEBNN_TENSOR_READABLE | WEBNN_TENSOR_WRITABLE,
                                     0};
  webnn_tensor* tensor = nullptr;
  succeed(webnn_context_create_tensor(context, &options, &tensor));
  return Owned<webnn_tensor>(tensor);
}

}  // namespace webnn::tests
