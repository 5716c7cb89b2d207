#include "compiler/onnx/export/onnx_file.hpp"

#include <exception>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <limits>
#include <onnx/onnx_pb.h>

#include "schema/error.hpp"
#include "schema/round_up.hpp"
#include "schema/version.hpp"

namespace webnn::compiler {
namespace {

constexpr std::size_t kept_inside = 1024;  // in bytes; smaller constants are shapes and limits that readers want inline
constexpr std::size_t data_alignment = 4096;  // as ONNX recommends, so that tensors can be mapped

std::size_t aligned(std::size_t offset) { return round_up(offset, data_alignment); }

bool is_outside(const OnnxTensor& tensor) { return tensor.data.size() > kept_inside; }

/// The ONNX file format version for a version of the operators.
std::int64_t format_version(std::int64_t opset) { return opset >= 21 ? 10 : 9; }

struct SetAttribute {
  ::onnx::AttributeProto& to;

  void operator()(std::int64_t value) const {
    to.set_type(::onnx::AttributeProto::INT);
    to.set_i(value);
  }
  void operator()(float value) const {
    to.set_type(::onnx::AttributeProto::FLOAT);
    to.set_f(value);
  }
  void operator()(const std::string& value) const {
    to.set_type(::onnx::AttributeProto::STRING);
    to.set_s(value);
  }
  void operator()(const OnnxIntegers& values) const {
    to.set_type(::onnx::AttributeProto::INTS);
    to.mutable_ints()->Add(values.begin(), values.end());
  }
  void operator()(const std::vector<std::string>& values) const {
    to.set_type(::onnx::AttributeProto::STRINGS);
    for (const std::string& value : values) to.add_strings(value);
  }
  template <class T>
  void operator()(const T&) const {
    throw Error(ExitCode::internal, "no operator is written with such an attribute");
  }
};

void fill(::onnx::NodeProto& to, const OnnxNode& node) {
  to.set_op_type(node.op_type);
  to.set_name(node.name);
  for (const std::string& input : node.inputs) to.add_input(input);
  for (const std::string& output : node.outputs) to.add_output(output);
  for (const OnnxAttribute& attribute : node.attributes) {
    ::onnx::AttributeProto& proto = *to.add_attribute();
    proto.set_name(attribute.name);
    std::visit(SetAttribute{proto}, attribute.value);
  }
}

void fill(::onnx::ValueInfoProto& to, const OnnxValue& value) {
  to.set_name(value.name);
  ::onnx::TypeProto::Tensor& tensor = *to.mutable_type()->mutable_tensor_type();
  tensor.set_elem_type(std::int32_t(value.type));
  ::onnx::TensorShapeProto& shape = *tensor.mutable_shape();  // needed for a scalar too
  for (const std::int64_t size : value.dims) shape.add_dim()->set_dim_value(size);
}

void add_entry(::onnx::TensorProto& to, const char* key, const std::string& value) {
  ::onnx::StringStringEntryProto& entry = *to.add_external_data();
  entry.set_key(key);
  entry.set_value(value);
}

void fill(::onnx::TensorProto& to, const OnnxTensor& tensor) {
  to.set_name(tensor.name);
  to.set_data_type(std::int32_t(tensor.type));
  to.mutable_dims()->Add(tensor.dims.begin(), tensor.dims.end());
}

constexpr std::size_t most_bytes = std::numeric_limits<std::int32_t>::max();  // of a protobuf message

[[noreturn]] void refuse_size() {
  throw Error(ExitCode::resource, "an ONNX file with these weights inside would not stay below 2 GiB",
              "--weights external puts them into a file of their own");
}

/// Passes protobuf's bytes to the sink, up to its first error: the adaptor's destructor writes again what was not taken.
class SinkStream : public google::protobuf::io::CopyingOutputStream {
 public:
  explicit SinkStream(const OnnxSink& sink) : sink_(sink) {}
  bool Write(const void* buffer, int size) override {
    if (error_) return false;
    try {
      sink_({static_cast<const char*>(buffer), std::size_t(size)});
    } catch (...) {
      error_ = std::current_exception();
    }
    return !error_;
  }
  std::exception_ptr error() const { return error_; }

 private:
  const OnnxSink& sink_;
  std::exception_ptr error_;
};

}  // namespace

void write_onnx(const OnnxModel& model, const std::string& data_file, const OnnxSink& sink) {
  ::onnx::ModelProto proto;
  proto.set_ir_version(format_version(model.opset));
  proto.set_producer_name("webnn-cli");
  proto.set_producer_version(std::string(version));
  proto.add_opset_import()->set_version(model.opset);
  ::onnx::GraphProto& graph = *proto.mutable_graph();
  graph.set_name(model.name.empty() ? "graph" : model.name);
  for (const OnnxNode& node : model.nodes) fill(*graph.add_node(), node);
  for (const OnnxValue& input : model.inputs) fill(*graph.add_input(), input);
  for (const OnnxValue& output : model.outputs) fill(*graph.add_output(), output);

  std::size_t inside = 0, offset = 0;
  for (const OnnxTensor& tensor : model.initializers) {
    ::onnx::TensorProto& to = *graph.add_initializer();
    fill(to, tensor);
    if (!data_file.empty() && is_outside(tensor)) {
      offset = aligned(offset);
      to.set_data_location(::onnx::TensorProto::EXTERNAL);
      add_entry(to, "location", data_file);
      add_entry(to, "offset", std::to_string(offset));
      add_entry(to, "length", std::to_string(tensor.data.size()));
      offset += tensor.data.size();
    } else {
      inside += tensor.data.size();
      if (inside > most_bytes) refuse_size();
      to.set_raw_data(tensor.data.data(), tensor.data.size());
    }
  }
  if (proto.ByteSizeLong() > most_bytes) refuse_size();
  SinkStream stream(sink);
  bool written = false;
  {
    google::protobuf::io::CopyingOutputStreamAdaptor adaptor(&stream);
    written = proto.SerializeToZeroCopyStream(&adaptor) && adaptor.Flush();
  }
  if (stream.error()) std::rethrow_exception(stream.error());
  if (!written) throw Error(ExitCode::internal, "protobuf could not write the model");
}

void write_onnx_data(const OnnxModel& model, const OnnxSink& sink) {
  std::size_t at = 0;
  for (const OnnxTensor& tensor : model.initializers) {
    if (!is_outside(tensor)) continue;
    sink(std::string(aligned(at) - at, '\0'));
    sink({reinterpret_cast<const char*>(tensor.data.data()), tensor.data.size()});
    at = aligned(at) + tensor.data.size();
  }
}

}  // namespace webnn::compiler
