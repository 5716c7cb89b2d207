#include "compiler/onnx/reader/onnx_tensors.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <utility>

#include "compiler/frontend/mapped_file.hpp"
#include "schema/file/file_mapping.hpp"
#include "schema/sentence.hpp"
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

// ---- conversions, from the bytes of a file into memory for the result

bool are_logical(std::span<const std::byte> data) {
  return std::ranges::all_of(data, [](std::byte value) { return value <= std::byte{1}; });
}

/// Booleans as 0 and 1, whatever byte stands for true.
void make_logical(std::span<const std::byte> data, std::byte* logical) {
  for (const std::byte value : data) *logical++ = value == std::byte{0} ? std::byte{0} : std::byte{1};
}

/// bfloat16 is the upper half of a float32.
void widen(std::span<const std::byte> data, std::byte* wide) {
  for (std::size_t i = 0; i < data.size() / 2; ++i) {
    std::memset(wide + 4 * i, 0, 2);
    std::memcpy(wide + 4 * i + 2, data.data() + 2 * i, 2);
  }
}

void narrow(std::span<const std::byte> data, std::byte* result) {
  for (std::size_t i = 0; i < data.size() / 8; ++i) {
    double value;
    std::memcpy(&value, data.data() + 8 * i, sizeof value);
    const auto rounded = float(value);
    std::memcpy(result + 4 * i, &rounded, sizeof rounded);
  }
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
  CountedVector<float> floats;
  CountedVector<std::int64_t> dims, int32s, int64s, uint64s;
  CountedVector<std::byte> doubles;
  bool is_external = false;
  std::map<std::string, std::string> external;
};

/// The fields for numbers: each of int32_data holds one element of a smaller type, or two of 4 bits.
Bytes OnnxTensorReader::elements_of(const Proto& proto, OnnxType type, unsigned bits) {
  const std::size_t of_int32 = bits > 32 ? 0 : std::max(bits, 8u) / 8, of_uint64 = bits < 32 ? 0 : bits / 8;
  AlignedBytes data = AlignedBytes::unwritten(sizeof(float) * proto.floats.size() + of_int32 * proto.int32s.size() +
                                              sizeof(std::int64_t) * proto.int64s.size() +
                                              of_uint64 * proto.uint64s.size() + proto.doubles.size());
  std::byte* next = data.data();
  const auto add = [&](const void* from, std::size_t bytes) {
    if (bytes != 0) std::memcpy(next, from, bytes);
    next += bytes;
  };
  static_assert(std::endian::native == std::endian::little);  // the lower bytes of a number come first
  add(proto.floats.data(), sizeof(float) * proto.floats.size());
  for (const std::int64_t value : proto.int32s) {
    const std::int64_t element = type == OnnxType::boolean ? std::int64_t{value != 0} : value;
    add(&element, of_int32);
  }
  add(proto.int64s.data(), sizeof(std::int64_t) * proto.int64s.size());
  for (const std::int64_t value : proto.uint64s) add(&value, of_uint64);
  add(proto.doubles.data(), proto.doubles.size());
  return std::move(data).take();
}

/// Fills in what stands in the fields as it is; elements that have a field for their type stay in the result.
OnnxTensorReader::Proto OnnxTensorReader::fields_of(WireMessage message, OnnxTensor& tensor) const {
  Proto proto;
  constexpr int first_of_location = 13;
  while (const auto field = message.next()) {
    if (only_locations_ && field->number < first_of_location) continue;
    switch (field->number) {
      case 1:
        field->append_to(proto.dims);
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

void OnnxTensorReader::add_file(const Bytes& file) {
  const std::string identity = mapped_identity(file);
  if (identity.empty() || known_files_.insert(identity).second) copies_.add_file(file.size());
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
  tensor.dims.assign(proto.dims.begin(),
                     proto.dims.begin() + std::ptrdiff_t(std::min(proto.dims.size(), most_dimensions + 1)));
  if (proto.dims.size() > most_dimensions) {
    tensor.problem = sentence("it has ", proto.dims.size(), " dimensions, at most ", most_dimensions, " can be read");
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
    tensor.data = elements_of(proto, tensor.type, row->bits);
  if (!tensor.problem.empty()) return tensor;
  if (tensor.data.size() != *expected) {
    tensor.problem =
        "its shape needs " + std::to_string(*expected) + " bytes, and it has " + std::to_string(tensor.data.size());
    return tensor;
  }
  convert(tensor, message.position());
  return tensor;
}

/// Memory for a copy of a tensor's elements in another form.
AlignedBytes OnnxTensorReader::copy_of(std::uint64_t bytes, std::uint64_t position) {
  if (!copies_.take(bytes))
    throw WireDamage{"the tensors whose elements have to be converted take more than " +
                         std::to_string(copies_.limit()) + " bytes in all",
                     position, Code::limit_exceeded, "tensors of float32, float16 and integers need no conversion"};
  return AlignedBytes::unwritten(bytes);
}

/// The forms that WebNN does not have.
void OnnxTensorReader::convert(OnnxTensor& tensor, std::uint64_t position) {
  const std::span<const std::byte> data = tensor.data.view();
  const auto become = [&](OnnxType type, std::uint64_t bytes, auto* conversion) {
    AlignedBytes copy = copy_of(bytes, position);
    conversion(data, copy.data());
    tensor.data = std::move(copy).take();
    tensor.type = type;
  };
  if (tensor.type == OnnxType::boolean && !are_logical(data)) become(OnnxType::boolean, data.size(), make_logical);
  if (tensor.type == OnnxType::bfloat16) become(OnnxType::float32, 2 * data.size(), widen);
  if (tensor.type == OnnxType::float64 && double_as_float32_) become(OnnxType::float32, data.size() / 2, narrow);
}

std::vector<std::string> OnnxTensorReader::locations() const {
  std::vector<std::string> names;
  for (const auto& [location, file] : files_) names.push_back(location);
  return names;
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
    if (file.status == mapped) add_file(file.bytes);
    if (file.status == mapped)
      bytes = file.bytes;
    else if (file.status == absent)
      why = "there is no file " + name + " beside the model, or in the folder that `--base-dir` names";
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
