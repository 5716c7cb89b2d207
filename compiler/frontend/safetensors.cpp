// The safetensors format of weights: 8 bytes header length, a JSON header, raw tensors.
#include <algorithm>
#include <map>

#include "compiler/frontend/json/json_access.hpp"
#include "compiler/frontend/weights.hpp"
#include "schema/text.hpp"

namespace webnn::compiler {
namespace {

constexpr std::uint64_t length_field = 8;
constexpr std::uint64_t largest_safetensors_header = std::uint64_t{16} << 20;

struct SafetensorsType {
  std::string_view name;
  unsigned bytes;
  std::optional<DataType> type;
};
/// Types without a data type of ours have a known size, so that the rest of the file can be checked and used.
constexpr SafetensorsType safetensors_types[] = {
    {"F32", 4, DataType::float32}, {"F16", 2, DataType::float16}, {"BF16", 2, std::nullopt},
    {"I64", 8, DataType::int64},   {"I32", 4, DataType::int32},   {"I8", 1, DataType::int8},
    {"U64", 8, DataType::uint64},  {"U32", 4, DataType::uint32},  {"U8", 1, DataType::uint8},
    {"F64", 8, std::nullopt},      {"I16", 2, std::nullopt},      {"U16", 2, std::nullopt},
    {"BOOL", 1, DataType::uint8},  {"F8_E4M3", 1, std::nullopt},  {"F8_E5M2", 1, std::nullopt},
};

std::optional<std::uint64_t> tensor_bytes(const std::vector<std::uint64_t>& shape, std::uint64_t element) {
  std::uint64_t bytes = element;
  for (const std::uint64_t size : shape)
    if (__builtin_mul_overflow(bytes, size, &bytes)) return std::nullopt;
  return bytes;
}

class HeaderReader {
 public:
  HeaderReader(std::uint64_t data_begin, std::uint64_t data_size, Diagnostics& diagnostics)
      : data_begin_(data_begin), data_size_(data_size), diagnostics_(diagnostics) {}

  WeightsTensor read(JsonValue entry) {
    WeightsTensor tensor;
    const std::string why = fill(entry, tensor);
    if (!why.empty()) {
      tensor.broken = true;
      fail(entry, why);
    }
    return tensor;
  }

  void fail(JsonValue entry, const std::string& why) {
    Location place = entry.key_location();
    place.line = place.column = 0;  // positions in the header are of no use in an editor
    diagnostics_.error(Code::bad_manifest, std::move(place), "the tensor " + in_quotes(entry.key()) + " " + why);
  }

 private:
  /// What is wrong with the entry; empty when it is valid.
  std::string fill(JsonValue entry, WeightsTensor& tensor) const {
    if (!entry.is(JsonValue::Kind::object)) return "must be an object, found " + std::string(entry.kind_name());
    const JsonValue type = entry.find("dtype"), shape = entry.find("shape"), range = entry.find("data_offsets");
    if (!type || !type.is(JsonValue::Kind::text)) return "has no string 'dtype'";
    if (!shape || !shape.is(JsonValue::Kind::array)) return "has no array 'shape'";
    if (!range || !range.is(JsonValue::Kind::array) || range.size() != 2) return "has no pair 'data_offsets'";
    const auto* known = std::find_if(std::begin(safetensors_types), std::end(safetensors_types),
                                     [&](const SafetensorsType& row) { return row.name == type.text(); });
    if (known == std::end(safetensors_types)) return "has the unknown type " + in_quotes(type.text());
    tensor.type_name = known->name;
    tensor.type = known->type;
    tensor.bfloat16 = known->name == "BF16";
    tensor.shape.emplace();
    for (const JsonValue size : shape) {
      const auto value = unsigned_of(size);
      if (!value) return "has a shape that is no list of sizes";
      tensor.shape->push_back(*value);
    }
    const auto begin = unsigned_of(range.element(0)), end = unsigned_of(range.element(1));
    if (!begin || !end || *begin > *end) return "has 'data_offsets' that are no begin and end";
    if (*end > data_size_)
      return "ends at " + std::to_string(*end) + ", beyond the file's " + std::to_string(data_size_) + " bytes of data";
    if (tensor_bytes(*tensor.shape, known->bytes) != *end - *begin)
      return "has " + std::to_string(*end - *begin) + " bytes, which do not fit its type and shape";
    tensor.offset = data_begin_ + *begin;
    tensor.length = *end - *begin;
    return {};
  }

  std::uint64_t data_begin_, data_size_;
  Diagnostics& diagnostics_;
};

}  // namespace

std::optional<WeightsSource> read_safetensors(std::string name, const Bytes& content, Diagnostics& diagnostics) {
  const auto refuse = [&](std::string message) {
    diagnostics.error(Code::bad_manifest, {name, 0, 0, {}}, std::move(message));
    return std::nullopt;
  };
  const auto view = content.view();
  if (view.size() < length_field) return refuse("this is no safetensors file: it is shorter than 8 bytes");
  std::uint64_t length = 0;
  for (std::size_t i = 0; i < length_field; ++i) length |= std::uint64_t(view[i]) << (8 * i);
  if (length > largest_safetensors_header)
    return refuse("the safetensors header would have " + std::to_string(length) + " bytes, at most 16 MiB are read");
  if (length > view.size() - length_field)
    return refuse("the safetensors header should have " + std::to_string(length) + " bytes, but the file ends after " +
                  std::to_string(view.size() - length_field) + " of them");

  const std::string_view header(reinterpret_cast<const char*>(view.data()) + length_field, std::size_t(length));
  const auto document = JsonDocument::parse(header, name, {.max_depth = 8}, diagnostics);
  if (!document) return std::nullopt;
  if (!document->root().is(JsonValue::Kind::object))
    return refuse("the safetensors header must be an object, found " + std::string(document->root().kind_name()));

  const std::uint64_t data_begin = length_field + length;
  WeightsSource source(name, content);
  HeaderReader reader(data_begin, view.size() - data_begin, diagnostics);
  struct Range {
    std::uint64_t begin, end;
    JsonValue entry;
  };
  std::vector<Range> ranges;
  for (const JsonValue entry : document->root()) {
    if (entry.key() == "__metadata__") continue;
    WeightsTensor tensor = reader.read(entry);
    if (tensor.length != 0) ranges.push_back({tensor.offset, tensor.offset + tensor.length, entry});
    source.add(std::string(entry.key()), std::move(tensor));
  }
  std::sort(ranges.begin(), ranges.end(), [](const Range& a, const Range& b) { return a.begin < b.begin; });
  bool overlap = false;
  for (std::size_t i = 1; i < ranges.size(); ++i) {
    if (ranges[i].begin >= ranges[i - 1].end) continue;
    overlap = true;
    if (ranges[i].entry.key() == ranges[i - 1].entry.key()) continue;  // reported as a duplicate key
    reader.fail(ranges[i].entry, "overlaps " + in_quotes(ranges[i - 1].entry.key()));
  }
  if (overlap) return std::nullopt;
  return source;
}

}  // namespace webnn::compiler
