// Constants of webnn-graph-json: inline bytes, one number repeated, or a key into a weights file.
#include <algorithm>
#include <cstring>

#include "compiler/frontend/json/json_access.hpp"
#include "compiler/frontend/json/json_graph_reader.hpp"
#include "compiler/frontend/mapped_file.hpp"
#include "schema/elements/aligned_bytes.hpp"
#include "schema/elements/elements.hpp"
#include "schema/round_up.hpp"
#include "schema/text.hpp"

namespace webnn::compiler {
namespace {

using Kind = JsonValue::Kind;

/// Widens bfloat16, the upper half of a float32, to float32.
Bytes widen_bfloat16(std::span<const std::byte> data) {
  AlignedBytes wide(data.size() * 2);
  for (std::size_t i = 0; i + 1 < data.size(); i += 2) std::memcpy(wide.data() + 2 * i + 2, data.data() + i, 2);
  return std::move(wide).take();
}

/// Packs one element per byte into two per byte, the first in the low nibble.
Bytes pack_nibbles(std::span<const std::byte> data) {
  AlignedBytes packed(div_up(data.size(), 2));
  for (std::size_t i = 0; i < data.size(); ++i) packed.data()[i / 2] |= (data[i] & std::byte{0x0f}) << (i % 2 ? 4 : 0);
  return std::move(packed).take();
}

/// Decodes base64 text; nullopt when it is invalid.
std::optional<std::vector<std::byte>> decode_base64(std::string_view text) {
  constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  while (text.ends_with('=')) text.remove_suffix(1);
  if (text.size() % 4 == 1) return std::nullopt;
  std::vector<std::byte> bytes;
  std::uint32_t bits = 0;
  unsigned held = 0;
  for (const char c : text) {
    const auto digit = alphabet.find(c);
    if (digit == alphabet.npos) return std::nullopt;
    bits = bits << 6 | std::uint32_t(digit);
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes.push_back(std::byte(bits >> held));
  }
  return bytes;
}

}  // namespace

void JsonGraphReader::read_constants() {
  const JsonValue constants = object_member("consts", false);
  if (!constants) return;
  for (const JsonValue constant : constants) {
    const auto descriptor = read_descriptor(constant, nullptr);
    std::optional<Bytes> data;
    if (constant.is(Kind::object)) {
      report_unknown_members(constant, {"dataType", "shape", "init"}, diagnostics_);
      const JsonValue init = required_member(constant, "init", diagnostics_);
      if (init && descriptor) data = read_init(init, *descriptor);
    }
    ValueId id;
    if (data && is_name_free(constant.key()))
      id = graph_.add_constant(std::string(constant.key()), *descriptor, std::move(*data));
    define(constant.key(), constant, id);
  }
}

std::optional<Bytes> JsonGraphReader::read_init(JsonValue init, const OperandDescriptor& descriptor) {
  if (!init.is(Kind::object)) {
    report_wrong_type(diagnostics_, init, "'init'", "an object");
    return std::nullopt;
  }
  const JsonValue kind = required_member(init, "kind", diagnostics_);
  if (!kind) return std::nullopt;
  if (!kind.is(Kind::text)) {
    report_wrong_type(diagnostics_, kind, "'kind'", "a string");
    return std::nullopt;
  }
  if (kind.text() == "weights") return read_weights_init(init, descriptor);
  if (kind.text() == "scalar") {
    report_unknown_members(init, {"kind", "value"}, diagnostics_);
    const JsonValue value = required_member(init, "value", diagnostics_);
    return value ? read_scalar(value, descriptor) : std::nullopt;
  }
  if (kind.text() == "inlineBytes") {
    report_unknown_members(init, {"kind", "bytes"}, diagnostics_);
    const JsonValue list = required_member(init, "bytes", diagnostics_);
    return list ? read_byte_list(list, descriptor) : std::nullopt;
  }
  suggest(error(Code::bad_init, kind,
                "unknown kind " + in_quotes(kind.text()) + " of initial data; it is weights, scalar or inlineBytes"),
          kind.text(), {"weights", "scalar", "inlineBytes"});
  return std::nullopt;
}

bool JsonGraphReader::claim_memory(std::uint64_t bytes, std::uint64_t extra, JsonValue place) {
  const std::uint64_t limit = options_.max_filled_bytes + extra;
  if (bytes <= limit - std::min(filled_bytes_, limit)) {
    filled_bytes_ += bytes;
    return true;
  }
  error(Code::limit_exceeded, place,
        "the constants that repeat a number or copy weights have more than " + std::to_string(limit) + " bytes in all");
  return false;
}

/// One number fills the whole tensor, even if it is not a scalar.
std::optional<Bytes> JsonGraphReader::read_scalar(JsonValue value, const OperandDescriptor& descriptor) {
  const auto number = number_of(value);
  if (!number) {
    Diagnostic& diagnostic = error(Code::bad_init, value, "the value must be a number");
    diagnostic.hints.push_back("a number may also be a string: \"NaN\", \"Infinity\", \"-Infinity\" or its digits");
    return std::nullopt;
  }
  const std::size_t size = byte_length(descriptor);
  if (!claim_memory(size, 0, value)) return std::nullopt;
  AlignedBytes data(size);
  std::byte element[8] = {};
  store(*number, descriptor.type, element);
  if (bits_of(descriptor.type) == 4) {
    const std::byte nibble = element[0] & std::byte{0x0f};
    std::ranges::fill(data.view(), nibble | nibble << 4);
    if (element_count(descriptor.shape) % 2) data.view().back() = nibble;
  } else {
    const std::size_t width = bits_of(descriptor.type) / 8;
    for (std::size_t at = 0; at < size; at += width) std::memcpy(data.data() + at, element, width);
  }
  return std::move(data).take();
}

std::optional<Bytes> JsonGraphReader::read_byte_list(JsonValue list, const OperandDescriptor& descriptor) {
  if (!list.is(Kind::array)) {
    Diagnostic& diagnostic =
        error(Code::bad_init, list,
              "'bytes' must be an array of integers from 0 to 255, found " + std::string(list.kind_name()));
    if (list.is(Kind::text)) diagnostic.hints.push_back("base64 text is not part of the format");
    return std::nullopt;
  }
  const auto bytes = list.bytes();
  if (!bytes) {
    for (const JsonValue element : list) {
      const auto value = integer_of(element);
      if (value && *value >= 0 && *value <= 255) continue;
      error(Code::bad_init, element,
            "a byte must be an integer from 0 to 255, found " +
                (element.is(Kind::number) ? element.number().text() : std::string(element.kind_name())));
      return std::nullopt;
    }
    // Only lists with numbers such as 1.0 get here.
    std::vector<std::byte> data;
    for (const JsonValue element : list) data.push_back(std::byte(*integer_of(element)));
    return fit_bytes(Bytes(std::move(data)), descriptor, list, "the list");
  }
  const auto* first = reinterpret_cast<const std::byte*>(bytes->data());
  return fit_bytes(Bytes(std::vector<std::byte>(first, first + bytes->size())), descriptor, list, "the list");
}

std::optional<Bytes> JsonGraphReader::fit_bytes(Bytes data, const OperandDescriptor& descriptor, JsonValue place,
                                                const std::string& what) {
  const std::size_t expected = byte_length(descriptor);
  const unsigned bits = bits_of(descriptor.type);
  if (data.size() != expected && bits == 4 && data.size() == element_count(descriptor.shape))
    return pack_nibbles(data.view());
  if (data.size() != expected) {
    error(Code::wrong_byte_length, place,
          descriptor.text() + " needs " + std::to_string(expected) + " bytes, " + what + " has " +
              std::to_string(data.size()));
    return std::nullopt;
  }
  const std::size_t alignment = std::max(1u, bits / 8);
  if (reinterpret_cast<std::uintptr_t>(data.data()) % alignment == 0) return data;
  AlignedBytes copy = AlignedBytes::unwritten(data.size());
  std::ranges::copy(data.view(), copy.data());
  return std::move(copy).take();
}

const WeightsSource* JsonGraphReader::weights(JsonValue use) {
  if (!looked_for_weights_) {
    looked_for_weights_ = true;
    weights_ = options_.weights_file.empty()
                   ? find_weights(options_.base_directory, weights_stem(options_), use.location(), diagnostics_)
                   : open_weights(options_.weights_file, use.location(), diagnostics_);
  }
  return weights_ ? &*weights_ : nullptr;
}

std::optional<Bytes> JsonGraphReader::absent_weights(const OperandDescriptor& descriptor) {
  constexpr std::uint64_t least = std::uint64_t{1} << 20;
  const std::uint64_t bytes = byte_length(descriptor);
  if (!zeros_ && (looked_for_weights_ || !options_.without_weights || !options_.weights_file.empty() ||
                  has_weights_file(options_.base_directory, weights_stem(options_))))
    return std::nullopt;
  if (!zeros_ || zeros_->size() < bytes) zeros_ = untouched_zeros(std::max(bytes, zeros_ ? 2 * zeros_->size() : least));
  ++*options_.without_weights;
  return zeros_->part(0, bytes);
}

std::optional<Bytes> JsonGraphReader::read_weights_init(JsonValue init, const OperandDescriptor& descriptor) {
  report_unknown_members(init, {"kind", "ref"}, diagnostics_);
  const JsonValue ref = required_member(init, "ref", diagnostics_);
  if (!ref) return std::nullopt;
  if (!ref.is(Kind::text)) {
    report_wrong_type(diagnostics_, ref, "'ref'", "a string");
    return std::nullopt;
  }
  if (auto absent = absent_weights(descriptor)) return absent;
  const WeightsSource* source = weights(ref);
  if (!source) return std::nullopt;  // reported once
  const std::string where = in_quotes(source->file_name());
  const auto found = source->find(ref.text());
  if (!found.tensor) {
    Diagnostic& diagnostic =
        error(Code::weights_entry_missing, ref,
              found.ambiguous ? "several tensors of " + where + " are spelt like " + in_quotes(ref.text())
                              : "there is no tensor " + in_quotes(ref.text()) + " in " + where);
    if (may_compare(source->key_count())) suggest(diagnostic, ref.text(), source->keys());
    return std::nullopt;
  }
  const WeightsTensor& tensor = *found.tensor;
  if (tensor.broken) return std::nullopt;
  if (found.respelt)
    warn_once(Code::legacy_spelling, ref.location(), "weights key",
              "the weights file spells the key " + in_quotes(ref.text()) + " differently");
  const bool widen = tensor.bfloat16 && descriptor.type == DataType::float32;
  const bool same_type = widen || (tensor.type ? *tensor.type == descriptor.type : tensor.type_name.empty());
  const bool packed_bytes = bits_of(descriptor.type) == 4 && tensor.type == DataType::uint8;
  const bool same_shape =
      !tensor.shape || packed_bytes ||
      std::equal(tensor.shape->begin(), tensor.shape->end(), descriptor.shape.begin(), descriptor.shape.end());
  if (!(same_type || packed_bytes) || !same_shape) {
    error(Code::wrong_byte_length, ref,
          "the constant is " + descriptor.text() + ", but the tensor in " + where + " is " + tensor.type_name +
              (tensor.shape ? shape_text(*tensor.shape) : ""));
    return std::nullopt;
  }
  Bytes data = source->bytes_of(tensor);
  // Each tensor may be copied a few times, but a small weights file must not turn into many large constants.
  const bool copied = widen || bits_of(descriptor.type) == 4 ||
                      reinterpret_cast<std::uintptr_t>(data.data()) % std::max(1u, bits_of(descriptor.type) / 8) != 0;
  if (copied && !claim_memory(data.size() * (widen ? 2 : 1), 4 * source->size(), ref)) return std::nullopt;
  if (widen) data = widen_bfloat16(data.view());
  return fit_bytes(std::move(data), descriptor, ref, "the tensor in " + where);
}

/// Some writers use a node `constant`, whose options hold dataType, shape and either `init` (as in consts) or `data`
/// (base64 text, a number, or one number per element). It becomes a constant.
bool JsonGraphReader::read_constant_node(const NodeText& node) {
  if (warned_.insert("operator constant").second)
    diagnostics_.note(Code::rewritten_operator, node.op.location(), "the node 'constant' is read as a constant");
  if (!node.options) {
    error(Code::missing_member, node.node, "the node 'constant' has no options");
    return false;
  }
  report_unknown_members(node.options, {"data", "init", "shape", "dataType", "label"}, diagnostics_);
  const auto descriptor = read_descriptor(node.options, nullptr);
  if (!descriptor) return false;
  std::optional<Bytes> bytes;
  if (const JsonValue init = optional_member(node.options, "init")) {
    bytes = read_init(init, *descriptor);
  } else if (const JsonValue data = required_member(node.options, "data", diagnostics_)) {
    if (data.is(Kind::text) && !number_of(data)) {
      if (auto decoded = decode_base64(data.text()))
        bytes = fit_bytes(Bytes(std::move(*decoded)), *descriptor, data, "the data");
      else
        error(Code::bad_init, data, "'data' is neither a number nor base64 text");
    } else if (data.is(Kind::array)) {
      if (data.size() != element_count(descriptor->shape)) {
        error(Code::wrong_byte_length, data,
              descriptor->text() + " needs " + std::to_string(element_count(descriptor->shape)) +
                  " elements, the list has " + std::to_string(data.size()));
        return false;
      }
      std::vector<std::byte> values(byte_length(*descriptor));
      std::size_t index = 0;
      for (const JsonValue element : data) {
        const auto number = number_of(element);
        if (!number) {
          report_wrong_type(diagnostics_, element, "an element", "a number");
          return false;
        }
        store_element(*number, descriptor->type, values.data(), index++);
      }
      bytes = Bytes(std::move(values));
    } else {
      bytes = read_scalar(data, *descriptor);
    }
  }
  if (!bytes) return false;
  if (node.outputs.size() != 1) {
    error(Code::wrong_output_count, node.node,
          "the node 'constant' has one result, found " + std::to_string(node.outputs.size()) + " names");
    return false;
  }
  const std::string name(node.outputs[0].text());
  names_.insert_or_assign(name, NamedValue{graph_.add_constant(name, *descriptor, std::move(*bytes)), node.outputs[0]});
  return true;
}

}  // namespace webnn::compiler
