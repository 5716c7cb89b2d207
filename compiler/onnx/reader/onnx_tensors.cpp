#include "compiler/onnx/reader/onnx_tensors.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <utility>

#include "compiler/frontend/mapped_file.hpp"
#include "schema/text.hpp"

namespace webnn::compiler {
namespace {

struct TypeRow {
  OnnxType type;
  std::string_view name;
  unsigned bits;  // of an element in the file; 0: elements have no fixed size
  std::optional<DataType> data_type;
};

constexpr TypeRow onnx_type_rows[] = {
    {OnnxType::float32, "float32", 32, DataType::float32},
    {OnnxType::uint8, "uint8", 8, DataType::uint8},
    {OnnxType::int8, "int8", 8, DataType::int8},
    {OnnxType::uint16, "uint16", 16, {}},
    {OnnxType::int16, "int16", 16, {}},
    {OnnxType::int32, "int32", 32, DataType::int32},
    {OnnxType::int64, "int64", 64, DataType::int64},
    {OnnxType::text, "string", 0, {}},
    {OnnxType::boolean, "bool", 8, DataType::uint8},
    {OnnxType::float16, "float16", 16, DataType::float16},
    {OnnxType::float64, "float64", 64, {}},
    {OnnxType::uint32, "uint32", 32, DataType::uint32},
    {OnnxType::uint64, "uint64", 64, DataType::uint64},
    {OnnxType::bfloat16, "bfloat16", 16, {}},
    {OnnxType::uint4, "uint4", 4, DataType::uint4},
    {OnnxType::int4, "int4", 4, DataType::int4},
};

const TypeRow* row_of(OnnxType type) {
  for (const TypeRow& row : onnx_type_rows)
    if (row.type == type) return &row;
  return nullptr;
}

/// The bytes of `count` elements; nullopt when they are more than 64 bits can count.
std::optional<std::uint64_t> bytes_of_elements(const OnnxIntegers& dims, unsigned bits) {
  std::uint64_t count = 1;
  for (const std::int64_t size : dims)
    if (size < 0 || __builtin_mul_overflow(count, std::uint64_t(size), &count)) return std::nullopt;
  std::uint64_t all = 0;
  if (__builtin_mul_overflow(count, std::uint64_t{bits}, &all)) return std::nullopt;
  return all / 8 + (all % 8 != 0);
}

/// Booleans as 0 and 1, whatever byte stands for true.
Bytes as_logical(const Bytes& data) {
  if (std::ranges::all_of(data.view(), [](std::byte value) { return value <= std::byte{1}; })) return data;
  std::vector<std::byte> logical(data.view().begin(), data.view().end());
  for (std::byte& value : logical) value = value == std::byte{0} ? std::byte{0} : std::byte{1};
  return Bytes(std::move(logical));
}

/// bfloat16 is the upper half of a float32.
Bytes widened(const Bytes& data) {
  std::vector<std::byte> wide(data.size() / 2 * 4);
  for (std::size_t i = 0; i < data.size() / 2; ++i) std::memcpy(wide.data() + 4 * i + 2, data.data() + 2 * i, 2);
  return Bytes(std::move(wide));
}

Bytes narrowed(const Bytes& data) {
  std::vector<std::byte> narrow(data.size() / 2);
  for (std::size_t i = 0; i < data.size() / 8; ++i) {
    double value;
    std::memcpy(&value, data.data() + 8 * i, sizeof value);
    const auto rounded = float(value);
    std::memcpy(narrow.data() + 4 * i, &rounded, sizeof rounded);
  }
  return Bytes(std::move(narrow));
}

std::optional<std::uint64_t> number_in(const std::string& text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// A key with its value.
std::pair<std::string, std::string> entry_of(WireMessage message) {
  std::pair<std::string, std::string> entry;
  while (const auto part = message.next()) {
    if (part->number == 1) entry.first = part->text();
    if (part->number == 2) entry.second = part->text();
  }
  return entry;
}

}  // namespace

std::optional<DataType> data_type_of(OnnxType type) {
  const TypeRow* row = row_of(type);
  return row ? row->data_type : std::nullopt;
}

bool is_integer_type(OnnxType type) {
  const auto stored = data_type_of(type);
  return stored && !is_float(*stored);
}

bool is_unsigned_type(OnnxType type) {
  const auto stored = data_type_of(type);
  return stored && !is_float(*stored) && !is_signed(*stored);
}

std::string name_of_type(OnnxType type) {
  const TypeRow* row = row_of(type);
  return row ? std::string(row->name) : "number " + std::to_string(std::int32_t(type));
}

struct OnnxTensorReader::Proto {
  std::optional<Bytes> raw;
  std::vector<float> floats;
  std::vector<std::int64_t> int32s, int64s, uint64s;
  std::vector<std::byte> doubles;
  bool is_external = false;
  std::map<std::string, std::string> external;
};

/// Fills in what stands in the fields as it is; elements that have a field for their type stay in the result.
OnnxTensorReader::Proto OnnxTensorReader::fields_of(WireMessage message, OnnxTensor& tensor) const {
  Proto proto;
  constexpr int first_of_location = 13;
  while (const auto field = message.next()) {
    if (only_locations_ && field->number < first_of_location) continue;
    switch (field->number) {
      case 1:
        field->append_to(tensor.dims);
        break;
      case 2:
        tensor.type = OnnxType(field->integer());
        break;
      case 4:
        field->append_to(proto.floats);
        break;
      case 5:
        field->append_to(proto.int32s);
        break;
      case 7:
        field->append_to(proto.int64s);
        break;
      case 8:
        tensor.name = field->text();
        break;
      case 9:
        proto.raw = field->bytes;
        break;
      case 10:
        proto.doubles.insert(proto.doubles.end(), field->bytes.view().begin(), field->bytes.view().end());
        break;
      case 11:
        field->append_to(proto.uint64s);
        break;
      case 13: {
        auto [key, value] = entry_of(message.inside(*field));
        proto.external[std::move(key)] = std::move(value);
        break;
      }
      case 14:
        proto.is_external = field->integer() == 1;
        break;
      default:
        break;
    }
  }
  return proto;
}

OnnxTensor OnnxTensorReader::read(WireMessage message) {
  OnnxTensor tensor;
  tensor.type = OnnxType::undefined;
  Proto proto = fields_of(message, tensor);
  if (only_locations_) {
    const std::string& location = proto.external["location"];
    if (proto.is_external && !location.empty()) files_.try_emplace(location);
    return tensor;
  }
  const TypeRow* row = row_of(tensor.type);
  if (!row || row->bits == 0) {
    tensor.problem = "elements of type " + name_of_type(tensor.type) + " cannot be used";
    return tensor;
  }
  const auto is_too_long = [](std::int64_t size) { return size < 0 || size > std::int64_t{max_dimension}; };
  const auto expected = bytes_of_elements(tensor.dims, row->bits);
  if (!expected || std::ranges::any_of(tensor.dims, is_too_long)) {
    tensor.problem = "its dimensions are negative or too large";
    return tensor;
  }
  if (proto.is_external)
    take_external(proto, tensor);
  else if (proto.raw)
    tensor.data = *proto.raw;
  else
    take_numbers(proto, tensor);
  if (!tensor.problem.empty()) return tensor;
  if (tensor.data.size() != *expected) {
    tensor.problem =
        "its shape needs " + std::to_string(*expected) + " bytes, and it has " + std::to_string(tensor.data.size());
    return tensor;
  }
  if (tensor.type == OnnxType::boolean) tensor.data = as_logical(tensor.data);
  if (tensor.type == OnnxType::bfloat16) {
    tensor.data = widened(tensor.data);
    tensor.type = OnnxType::float32;
  } else if (tensor.type == OnnxType::float64 && double_as_float32_) {
    tensor.data = narrowed(tensor.data);
    tensor.type = OnnxType::float32;
  }
  return tensor;
}

std::vector<std::string> OnnxTensorReader::locations() const {
  std::vector<std::string> names;
  for (const auto& [location, file] : files_) names.push_back(location);
  return names;
}

/// The fields for numbers: each of int32_data holds one element of a smaller type, or two of 4 bits.
void OnnxTensorReader::take_numbers(const Proto& proto, OnnxTensor& tensor) const {
  std::vector<std::byte> data;
  const auto add = [&](auto value) {
    const auto* bytes = reinterpret_cast<const std::byte*>(&value);
    data.insert(data.end(), bytes, bytes + sizeof value);
  };
  const unsigned bits = row_of(tensor.type)->bits;
  for (const float value : proto.floats) add(value);
  for (const std::int64_t value : proto.int32s) {
    if (bits <= 8) add(std::uint8_t(tensor.type == OnnxType::boolean ? value != 0 : value));
    if (bits == 16) add(std::uint16_t(value));
    if (bits == 32) add(std::uint32_t(value));
  }
  for (const std::int64_t value : proto.int64s) add(value);
  for (const std::int64_t value : proto.uint64s) {
    if (bits == 64) add(value);
    if (bits == 32) add(std::uint32_t(value));
  }
  data.insert(data.end(), proto.doubles.begin(), proto.doubles.end());
  tensor.data = Bytes(std::move(data));
}

void OnnxTensorReader::take_external(const Proto& proto, OnnxTensor& tensor) {
  const auto entry = [&](const char* key) {
    const auto found = proto.external.find(key);
    return found == proto.external.end() ? std::string() : found->second;
  };
  const std::string location = entry("location");
  if (location.empty()) {
    tensor.problem = "its data are in another file, which has no name";
    return;
  }
  const auto [known, is_new] = files_.try_emplace(location);
  auto& [bytes, why] = known->second;
  if (is_new) {
    FileBeneath file;
    if (!folder_.empty()) file = map_beneath(folder_, location);
    const std::string name = in_quotes(location);
    using enum FileBeneath::Status;
    if (file.status == mapped)
      bytes = file.bytes;
    else if (file.status == absent)
      why = "there is no file " + name + " beside the model";
    else
      why = "the file " + name + " " + file.reason;
  }
  if (!why.empty()) {
    tensor.problem = "its data cannot be read: " + why;
    return;
  }
  const std::string from = entry("offset"), size = entry("length");
  const auto offset = number_in(from.empty() ? "0" : from);
  const auto length =
      size.empty() ? std::optional(offset && *offset <= bytes.size() ? bytes.size() - *offset : 0) : number_in(size);
  if (!offset || !length || *offset > bytes.size() || *length > bytes.size() - *offset) {
    tensor.problem = "its data are outside of the file " + in_quotes(location) + ", which has " +
                     std::to_string(bytes.size()) + " bytes";
    return;
  }
  tensor.data = bytes.part(*offset, *length);
}

}  // namespace webnn::compiler
