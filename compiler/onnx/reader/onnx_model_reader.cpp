#include "compiler/onnx/reader/onnx_model_reader.hpp"

#include <utility>

namespace webnn::compiler {
namespace {

class ModelReader {
 public:
  ModelReader(OnnxTensorReader& tensors, const OnnxFileLimits& limits) : tensors_(tensors), limits_(limits) {}

  OnnxModel model(WireMessage message) {
    OnnxModel result;
    while (const auto field = message.next()) {
      if (field->number == 7) static_cast<OnnxGraph&>(result) = graph(message.inside(*field));
      if (field->number == 8) add_opset(result.opsets, message.inside(*field));
      if (field->number == 25) result.functions.push_back(function(message.inside(*field)));
    }
    if (const auto own = result.opsets.find(""); own != result.opsets.end()) result.opset = own->second;
    return result;
  }

 private:
  /// Counts what is kept of the file besides tensors: a field takes more memory than its bytes.
  void charge(const WireField& field) {
    constexpr std::uint64_t bytes_of_field = 64;
    bytes_ += bytes_of_field + field.bytes.size();
    if (bytes_ > limits_.max_bytes)
      throw WireDamage{"nodes and names take more than the limit of " + std::to_string(limits_.max_bytes) + " bytes",
                       field.position, Code::limit_exceeded};
  }

  /// "ai.onnx" and the empty name are the same domain.
  static std::string domain(const WireField& field) {
    std::string name = field.text();
    return name == "ai.onnx" ? std::string() : name;
  }

  static void add_opset(std::map<std::string, std::int64_t>& opsets, WireMessage message) {
    std::string name;
    std::int64_t version = 0;
    while (const auto field = message.next()) {
      if (field->number == 1) name = domain(*field);
      if (field->number == 2) version = field->integer();
    }
    opsets[name] = version;
  }

  OnnxGraph graph(WireMessage message) {
    OnnxGraph result;
    while (const auto field = message.next()) {
      switch (field->number) {
        case 1:
          result.nodes.push_back(node(message.inside(*field)));
          break;
        case 2:
          result.name = field->text();
          break;
        case 5:
          result.initializers.push_back(tensors_.read(message.inside(*field)));
          break;
        case 11:
          charge(*field);
          result.inputs.push_back(value(message.inside(*field)));
          break;
        case 12:
          charge(*field);
          result.outputs.push_back(value(message.inside(*field)));
          break;
        case 15:
          throw WireDamage{"sparse initializers are not supported", field->position};
        default:
          break;
      }
    }
    return result;
  }

  OnnxNode node(WireMessage message) {
    OnnxNode result;
    result.position = message.position();
    if (++nodes_ > limits_.max_nodes)
      throw WireDamage{"the model has more than " + std::to_string(limits_.max_nodes) + " nodes", message.position(),
                       Code::limit_exceeded};
    while (const auto field = message.next()) {
      if (field->number != 5) charge(*field);
      switch (field->number) {
        case 1:
          result.inputs.push_back(field->text());
          break;
        case 2:
          result.outputs.push_back(field->text());
          break;
        case 3:
          result.name = field->text();
          break;
        case 4:
          result.op_type = field->text();
          break;
        case 5:
          result.attributes.push_back(attribute(message.inside(*field)));
          break;
        case 7:
          result.domain = domain(*field);
          break;
        case 8:
          result.overload = field->text();
          break;
        default:
          break;
      }
    }
    return result;
  }

  enum AttributeType { unknown, real = 1, integer, text, tensor, graph_type, reals, integers, texts };

  /// What stands in an attribute's fields. The type is given since version 2 of the format; before, the field that is
  /// there tells it.
  struct AttributeFields {
    std::int64_t type = unknown;
    float f = 0;
    std::int64_t i = 0;
    std::string s;
    std::vector<float> floats;
    OnnxIntegers ints;
    std::vector<std::string> strings;
    OnnxTensor t{{}, OnnxType::undefined, {}, {}, "the attribute has no tensor"};
    std::shared_ptr<const OnnxGraph> g;
    std::string reference;
  };

  AttributeFields attribute_fields(WireMessage message, std::string& name) {
    AttributeFields fields;
    std::int64_t given = unknown;
    while (const auto field = message.next()) {
      if (field->number != 5 && field->number != 6) charge(*field);
      switch (field->number) {
        case 1:
          name = field->text();
          break;
        case 2:
          fields.f = field->real();
          fields.type = real;
          break;
        case 3:
          fields.i = field->integer();
          fields.type = integer;
          break;
        case 4:
          fields.s = field->text();
          fields.type = text;
          break;
        case 5:
          fields.t = tensors_.read(message.inside(*field));
          fields.type = tensor;
          break;
        case 6:
          fields.g = std::make_shared<const OnnxGraph>(graph(message.inside(*field)));
          fields.type = graph_type;
          break;
        case 7:
          field->append_to(fields.floats);
          fields.type = reals;
          break;
        case 8:
          field->append_to(fields.ints);
          fields.type = integers;
          break;
        case 9:
          fields.strings.push_back(field->text());
          fields.type = texts;
          break;
        case 20:
          given = field->integer();
          break;
        case 21:
          fields.reference = field->text();
          break;
        default:
          break;
      }
    }
    if (given != unknown) fields.type = given;
    return fields;
  }

  OnnxAttribute attribute(WireMessage message) {
    OnnxAttribute result;
    AttributeFields fields = attribute_fields(message, result.name);
    if (!fields.reference.empty()) {
      result.value = OnnxReference{std::move(fields.reference)};
      return result;
    }
    switch (fields.type) {
      case real:
        result.value = fields.f;
        break;
      case integer:
        result.value = fields.i;
        break;
      case text:
        result.value = std::move(fields.s);
        break;
      case tensor:
        result.value = std::move(fields.t);
        break;
      case graph_type:
        if (!fields.g) throw WireDamage{"an attribute's graph is missing", message.position()};
        result.value = std::move(fields.g);
        break;
      case reals:
        result.value = std::move(fields.floats);
        break;
      case integers:
        result.value = std::move(fields.ints);
        break;
      case texts:
        result.value = std::move(fields.strings);
        break;
      default:  // types, sparse tensors, lists of tensors and graphs: no operator that can be read has them
        result.value = OnnxTensor{{}, OnnxType::undefined, {}, {}, "attributes of this kind are not supported"};
    }
    return result;
  }

  static OnnxValue value(WireMessage message) {
    OnnxValue result;
    result.type = OnnxType::undefined;
    result.has_shape = false;
    while (const auto field = message.next()) {
      if (field->number == 1) result.name = field->text();
      if (field->number != 2) continue;
      WireMessage type = message.inside(*field);
      while (const auto kind = type.next())
        if (kind->number == 1) add_tensor_type(result, type.inside(*kind));
    }
    return result;
  }

  static void add_tensor_type(OnnxValue& value, WireMessage message) {
    while (const auto field = message.next()) {
      if (field->number == 1) value.type = OnnxType(field->integer());
      if (field->number != 2) continue;
      value.has_shape = true;
      WireMessage shape = message.inside(*field);
      while (const auto dimension = shape.next()) {
        if (dimension->number != 1 || value.dims.size() > most_dimensions) continue;
        std::int64_t size = -1;
        std::string name;
        WireMessage parts = shape.inside(*dimension);
        while (const auto part = parts.next()) {
          if (part->number == 1) size = part->integer();
          if (part->number == 2) name = part->text();
        }
        value.dims.push_back(size);
        value.dim_names.push_back(std::move(name));
      }
    }
  }

  OnnxFunction function(WireMessage message) {
    OnnxFunction result;
    while (const auto field = message.next()) {
      switch (field->number) {
        case 1:
          result.name = field->text();
          break;
        case 4:
          result.inputs.push_back(field->text());
          break;
        case 5:
          result.outputs.push_back(field->text());
          break;
        case 7:
          result.nodes.push_back(node(message.inside(*field)));
          break;
        case 9:
          add_opset(result.opsets, message.inside(*field));
          break;
        case 10:
          result.domain = domain(*field);
          break;
        case 11:
          result.defaults.push_back(attribute(message.inside(*field)));
          break;
        case 13:
          result.overload = field->text();
          break;
        default:
          break;
      }
    }
    return result;
  }

  OnnxTensorReader& tensors_;
  const OnnxFileLimits& limits_;
  std::uint64_t nodes_ = 0, bytes_ = 0;
};

}  // namespace

OnnxModel read_onnx_model(const Bytes& file, OnnxTensorReader& tensors, const OnnxFileLimits& limits) {
  tensors.add_file(file);
  OnnxModel model = ModelReader(tensors, limits).model(WireMessage(file));
  model.file_bytes = tensors.file_bytes();
  return model;
}

}  // namespace webnn::compiler
