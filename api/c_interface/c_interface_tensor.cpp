// The C interface: tensors of a context, their contents, and tensors in shared memory.
#include <functional>
#include <future>

#include "api/c_interface/c_interface.hpp"
#include "api/internals.hpp"

using namespace webnn::c_interface;
using webnn::refuse;

namespace {

webnn::TensorDescriptor tensor_descriptor(const webnn_tensor_options* options) {
  constexpr std::uint32_t known =
      WEBNN_TENSOR_READABLE | WEBNN_TENSOR_WRITABLE | WEBNN_TENSOR_EXPORTABLE | WEBNN_TENSOR_EXPORTABLE_ON_DEVICE;
  const webnn_tensor_options given = structure(&required(options, "options"), "options");
  const std::uint32_t usage = given.usage;
  if (given.reserved != 0) refuse("options.reserved is not 0");
  if ((usage & ~known) != 0) refuse("usage has bits that mean nothing");
  auto [type, shape] = type_and_shape(options, "options");
  return {.dataType = type,
          .shape = std::move(shape),
          .readable = (usage & WEBNN_TENSOR_READABLE) != 0,
          .writable = (usage & WEBNN_TENSOR_WRITABLE) != 0,
          .exportable = (usage & WEBNN_TENSOR_EXPORTABLE) != 0,
          .exportableOnDevice = (usage & WEBNN_TENSOR_EXPORTABLE_ON_DEVICE) != 0};
}

}  // namespace

// ---- tensors

webnn_status* webnn_context_create_tensor(webnn_context* context, const webnn_tensor_options* options,
                                          webnn_tensor** tensor) {
  return guarded([&] {
    const webnn::TensorDescriptor descriptor = tensor_descriptor(options);
    give_new(tensor, "tensor", [&] { return required(context, "context").value.createTensor(descriptor); });
  });
}

webnn_status* webnn_context_create_constant_tensor(webnn_context* context, const webnn_descriptor* descriptor,
                                                   const void* data, size_t bytes, webnn_tensor** tensor) {
  return guarded([&] {
    const std::pair<webnn::DataType, webnn::Dimensions> kind = type_and_shape(descriptor, "descriptor");
    give_new(tensor, "tensor", [&] {
      return required(context, "context").value.createConstantTensor(kind.first, kind.second, bytes_of(data, bytes));
    });
  });
}

void webnn_tensor_release(webnn_tensor* tensor) {
  if (tensor) webnn::api::Internals::fail_reads_at_end(tensor->value);  // there is no other call that destroys it
  delete tensor;
}

webnn_status* webnn_tensor_descriptor(const webnn_tensor* tensor, webnn_descriptor* descriptor) {
  return guarded([&] {
    const webnn::Tensor& value = required(tensor, "tensor").value;
    give_structure(descriptor_of(value.dataType(), value.shape()), descriptor, "descriptor");
  });
}

webnn_status* webnn_context_write_tensor(webnn_context* context, webnn_tensor* tensor, const void* data, size_t bytes) {
  return guarded(
      [&] { required(context, "context").value.writeTensor(required(tensor, "tensor").value, bytes_of(data, bytes)); });
}

webnn_status* webnn_context_read_tensor(webnn_context* context, webnn_tensor* tensor, void* data, size_t bytes) {
  return guarded([&] {
    const std::span<std::byte> target = list(static_cast<std::byte*>(data), bytes, "data");
    required(context, "context").value.readTensor(required(tensor, "tensor").value, target).get();
  });
}

webnn_status* webnn_context_read_tensor_async(webnn_context* context, webnn_tensor* tensor, void* data, size_t bytes,
                                              webnn_callback callback, void* user_data) {
  return guarded([&] {
    required(callback, "callback");
    const std::span<std::byte> target = list(static_cast<std::byte*>(data), bytes, "data");
    required(context, "context")
        .value.readTensor(required(tensor, "tensor").value, target, [callback, user_data](std::future<void> done) {
          webnn_status* const status = guarded([&] { done.get(); });
          callback(status, user_data);
          webnn_status_release(status);
        });
  });
}

// ---- tensors in shared memory

webnn_status* webnn_context_import_memory(webnn_context* context, const webnn_tensor_options* options, void* memory,
                                          size_t bytes, void (*released)(void* user_data), void* user_data,
                                          webnn_tensor** tensor) {
  return guarded([&] {
    const webnn::TensorDescriptor descriptor = tensor_descriptor(options);
    const std::span<std::byte> whole = list(static_cast<std::byte*>(memory), bytes, "memory");
    std::function<void()> end;
    if (released) end = [released, user_data] { released(user_data); };
    give_new(tensor, "tensor",
             [&] { return required(context, "context").value.importTensor(descriptor, whole, std::move(end)); });
  });
}

webnn_status* webnn_context_import_file(webnn_context* context, const webnn_tensor_options* options,
                                        int file_descriptor, uint64_t offset, webnn_tensor** tensor) {
  return guarded([&] {
    const webnn::TensorDescriptor descriptor = tensor_descriptor(options);
    give_new(tensor, "tensor",
             [&] { return required(context, "context").value.importTensor(descriptor, file_descriptor, offset); });
  });
}

webnn_status* webnn_context_import_device_memory(webnn_context* context, const webnn_tensor_options* options,
                                                 const webnn_device_memory* memory, webnn_tensor** tensor) {
  return guarded([&] {
    const webnn::TensorDescriptor descriptor = tensor_descriptor(options);
    const webnn_device_memory given = structure(&required(memory, "memory"), "memory");
    const webnn::DeviceMemory words{given.file_descriptor, given.offset, given.bytes, given.memory_type};
    give_new(tensor, "tensor", [&] { return required(context, "context").value.importTensor(descriptor, words); });
  });
}

webnn_status* webnn_context_export_tensor(webnn_context* context, webnn_tensor* tensor,
                                          webnn_exported_tensor** exported) {
  return guarded([&] {
    give_new(exported, "exported",
             [&] { return required(context, "context").value.exportTensor(required(tensor, "tensor").value).get(); });
  });
}

webnn_status* webnn_exported_tensor_memory(const webnn_exported_tensor* exported, void** memory, size_t* bytes) {
  return guarded([&] {
    const std::span<std::byte> whole = required(exported, "exported").value.memory();
    required(memory, "memory") = whole.data();
    if (bytes) *bytes = whole.size();
  });
}

webnn_status* webnn_exported_tensor_file(const webnn_exported_tensor* exported, int* file_descriptor) {
  return guarded(
      [&] { required(file_descriptor, "file_descriptor") = required(exported, "exported").value.fileDescriptor(); });
}

webnn_status* webnn_exported_tensor_device_memory(const webnn_exported_tensor* exported, webnn_device_memory* memory) {
  return guarded([&] {
    const webnn::DeviceMemory words = required(exported, "exported").value.deviceMemory();
    give_structure(webnn_device_memory{0, words.fileDescriptor, words.memoryType, words.offset, words.bytes}, memory,
                   "memory");
  });
}

void webnn_exported_tensor_release(webnn_exported_tensor* exported) { delete exported; }
