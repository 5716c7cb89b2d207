#include "compiler/frontend/weights_writer.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "compiler/frontend/json/json_writer.hpp"
#include "compiler/frontend/source_form.hpp"
#include "schema/error.hpp"
#include "schema/round_up.hpp"
#include "schema/text.hpp"

namespace webnn::compiler {
namespace {

constexpr std::uint64_t length_bytes = 8;
constexpr std::uint64_t alignment = 8;

std::string little_endian(std::uint64_t value, unsigned bytes) {
  std::string text;
  for (unsigned i = 0; i < bytes; ++i) text += char(value >> (8 * i));
  return text;
}

std::string shape_text(const Shape& shape) {
  std::string text = "[";
  for (unsigned axis = 0; axis < shape.rank(); ++axis) text += (axis ? ", " : "") + std::to_string(shape[axis]);
  return text + "]";
}

struct Place {
  ValueId constant;
  std::uint64_t begin;
};

/// The offset of each of `constants`, if the first is at `begin`.
std::vector<Place> places(const Graph& graph, const std::vector<ValueId>& constants, std::uint64_t begin,
                          std::uint64_t aligned_to) {
  std::vector<Place> result;
  for (const ValueId id : constants) {
    begin = round_up(begin, aligned_to);
    result.push_back({id, begin});
    begin += graph.value(id).data.size();
  }
  return result;
}

void write_tensors(const Graph& graph, const std::vector<Place>& list, std::uint64_t at, const ByteSink& sink) {
  for (const Place& place : list) {
    const Bytes& data = graph.value(place.constant).data;
    if (place.begin > at) sink(std::string(std::size_t(place.begin - at), '\0'));
    sink(text_of(data));
    at = place.begin + data.size();
  }
}

std::string_view safetensors_type(const Value& constant) {
  switch (constant.descriptor.type) {
    case DataType::float32:
      return "F32";
    case DataType::float16:
      return "F16";
    case DataType::int32:
      return "I32";
    case DataType::uint32:
      return "U32";
    case DataType::int64:
      return "I64";
    case DataType::uint64:
      return "U64";
    case DataType::int8:
      return "I8";
    case DataType::uint8:
      return "U8";
    case DataType::int4:
    case DataType::uint4:
      break;
  }
  throw Error(ExitCode::invalid_input,
              "safetensors has no type for the " + std::string(name_of(constant.descriptor.type)) + " constant " +
                  in_quotes(constant.name),
              "write the weights inline or as a .weights file");
}

}  // namespace

void write_weights(const Graph& graph, const ByteSink& sink, const FilledConstants& filled) {
  sink("WGWT" + little_endian(1, 4));
  write_tensors(graph, places(graph, stored_constants(graph, filled), length_bytes, alignment), length_bytes, sink);
}

std::string write_weights_manifest(const Graph& graph, const FilledConstants& filled) {
  std::string text =
      "{\n  \"format\": \"wg-weights-manifest\",\n  \"version\": 1,\n  \"endianness\": \"little\",\n  \"tensors\": {";
  bool first = true;
  for (const Place& place : places(graph, stored_constants(graph, filled), length_bytes, alignment)) {
    const Value& value = graph.value(place.constant);
    text += first ? "\n    " : ",\n    ";
    first = false;
    text += json_string(value.name) + ": {\"dataType\": \"" + std::string(name_of(value.descriptor.type)) +
            "\", \"shape\": " + shape_text(value.descriptor.shape) +
            ", \"byteOffset\": " + std::to_string(place.begin) +
            ", \"byteLength\": " + std::to_string(value.data.size()) + ", \"layout\": \"row-major\"}";
  }
  return text + (first ? "}\n}\n" : "\n  }\n}\n");
}

void write_safetensors(const Graph& graph, const ByteSink& sink, const FilledConstants& filled) {
  // Gaps are not allowed; with the widest types first, all tensors are aligned anyway.
  std::vector<ValueId> constants = stored_constants(graph, filled);
  std::stable_sort(constants.begin(), constants.end(), [&](ValueId a, ValueId b) {
    return bits_of(graph.value(a).descriptor.type) > bits_of(graph.value(b).descriptor.type);
  });
  const std::vector<Place> list = places(graph, constants, 0, 1);
  std::string header = "{";
  for (const Place& place : list) {
    const Value& value = graph.value(place.constant);
    header += (header.size() > 1 ? "," : "") + json_string(value.name) + ":{\"dtype\":\"" +
              std::string(safetensors_type(value)) + "\",\"shape\":" + shape_text(value.descriptor.shape) +
              ",\"data_offsets\":[" + std::to_string(place.begin) + "," +
              std::to_string(place.begin + value.data.size()) + "]}";
  }
  header += '}';
  while (header.size() % alignment != 0) header += ' ';
  sink(little_endian(header.size(), 8) + header);
  write_tensors(graph, list, 0, sink);
}

}  // namespace webnn::compiler
