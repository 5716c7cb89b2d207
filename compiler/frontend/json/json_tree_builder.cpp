#include "compiler/frontend/json/json_tree_builder.hpp"

#include <algorithm>
#include <utility>

#include "schema/text.hpp"

namespace webnn::compiler {

JsonTreeBuilder::JsonTreeBuilder(JsonDocument& document, const JsonLimits& limits, Diagnostics& diagnostics)
    : document_(document), limits_(limits), diagnostics_(diagnostics) {
  // Offsets have 32 bits. Stored texts take at most the bytes of the text plus 4 for each of the values and keys, whose
  // number is limited.
  constexpr std::size_t largest = std::size_t{3} << 30;
  if (document.text_.size() <= largest) {
    // Values of graphs take 16 bytes of text and more; growing step by step would copy all of them several times.
    constexpr std::size_t most_expected = 1 << 21;
    document.nodes_.reserve(std::min(document.text_.size() / 16, most_expected));
    document.texts_.reserve(std::min(document.text_.size() / 2, most_expected * 16));
    return;
  }
  usable_ = false;
  diagnostics.error(Code::limit_exceeded, document.location(0), "the text is longer than 3 GiB");
}

bool JsonTreeBuilder::null(std::size_t begin) { return add(Form::null, begin); }

bool JsonTreeBuilder::boolean(std::size_t begin, bool value) {
  Node* node = add(Form::boolean, begin);
  if (node) node->unsigned_integer = value;
  return node;
}

bool JsonTreeBuilder::number(std::size_t begin, const Number& value) {
  const bool is_real = value.kind() == Number::Kind::real;
  if (!is_real && Number::compare(value, Number(0)) >= 0 && value.as_uint64() <= 255 &&
      pack(std::uint8_t(value.as_uint64())))
    return true;
  Node* node = add(is_real                                        ? Form::real
                   : value.kind() == Number::Kind::signed_integer ? Form::signed_integer
                                                                  : Form::unsigned_integer,
                   begin);
  if (!node) return false;
  if (is_real)
    node->real = value.as_double();
  else if (value.kind() == Number::Kind::signed_integer)
    node->signed_integer = value.as_int64();
  else
    node->unsigned_integer = value.as_uint64();
  return true;
}

bool JsonTreeBuilder::text(std::size_t begin, std::string_view value) {
  Node* node = add(Form::text, begin);
  if (node) node->extent.start = store(value);
  return node;
}

void JsonTreeBuilder::bytes(std::span<const std::uint8_t> values) {
  auto& stored = document_.bytes_;
  Node& list = document_.nodes_[open_.back()];
  list.form = Form::bytes;
  list.extent.start = std::uint32_t(stored.size());
  list.extent.count = std::uint32_t(values.size());
  stored.insert(stored.end(), values.begin(), values.end());
}

bool JsonTreeBuilder::open(Form form, std::size_t begin) {
  if (open_.size() >= limits_.max_depth) {
    diagnostics_.error(Code::nesting_too_deep, document_.location(begin),
                       "arrays and objects are nested more than " + std::to_string(limits_.max_depth) + " deep");
    return false;
  }
  if (!add(form, begin)) return false;
  open_.push_back(std::uint32_t(document_.nodes_.size() - 1));
  return true;
}

void JsonTreeBuilder::close() {
  document_.nodes_[open_.back()].next = std::uint32_t(document_.nodes_.size());
  open_.pop_back();
}

void JsonTreeBuilder::key(std::size_t begin, std::string_view value) {
  key_offset_ = std::uint32_t(begin);
  key_ = store(value);
}

std::uint32_t JsonTreeBuilder::store(std::string_view value) {
  const auto start = std::uint32_t(document_.texts_.size());
  const auto size = std::uint32_t(value.size());
  document_.texts_.append(reinterpret_cast<const char*>(&size), sizeof size).append(value);
  return start;
}

JsonTreeBuilder::Node* JsonTreeBuilder::add(Form form, std::size_t begin) {
  auto& nodes = document_.nodes_;
  if (nodes.size() >= limits_.max_values) {
    diagnostics_.error(Code::limit_exceeded, document_.location(begin),
                       "the text holds more than " + std::to_string(limits_.max_values) + " values");
    return nullptr;
  }
  const auto index = std::uint32_t(nodes.size());
  Node node;
  node.form = form;
  node.begin = std::uint32_t(begin);
  node.next = index + 1;
  node.parent = open_.empty() ? index : open_.back();
  if (!open_.empty()) {
    if (nodes[node.parent].form == Form::bytes) {
      if (!unpack(node.parent)) return nullptr;
      return add(form, begin);
    }
    Node& parent = nodes[node.parent];
    node.key = key_;
    node.place = parent.form == Form::object ? key_offset_ : parent.extent.count;
    ++parent.extent.count;
  }
  nodes.push_back(node);
  return &nodes.back();
}

/// Stores an element in a list of bytes; false when the innermost open value is not such a list.
bool JsonTreeBuilder::pack(std::uint8_t value) {
  if (open_.empty()) return false;
  Node& list = document_.nodes_[open_.back()];
  if (list.form == Form::array && list.extent.count == 0) {
    list.form = Form::bytes;
    list.extent.start = std::uint32_t(document_.bytes_.size());
  }
  if (list.form != Form::bytes) return false;
  document_.bytes_.push_back(value);
  ++list.extent.count;
  return true;
}

/// Converts the list of bytes `index`, the last value so far, to an array of values.
bool JsonTreeBuilder::unpack(std::uint32_t index) {
  Node list = document_.nodes_[index];
  document_.nodes_[index].form = Form::array;
  document_.nodes_[index].extent.count = 0;
  std::size_t offset = document_.packed_offset(list, 0);
  for (std::uint32_t i = 0; i < list.extent.count; ++i) {
    Node* node = add(Form::unsigned_integer, offset);
    if (!node) return false;
    node->unsigned_integer = document_.bytes_[list.extent.start + i];
    offset = document_.next_packed_offset(offset);
  }
  document_.bytes_.resize(list.extent.start);
  return true;
}

void JsonTreeBuilder::finish() {
  auto& nodes = document_.nodes_;
  nodes.shrink_to_fit();
  std::vector<std::pair<std::string_view, std::uint32_t>> keys;
  std::vector<std::uint32_t> duplicates;
  for (std::uint32_t index = 0; index < nodes.size(); ++index) {
    if (nodes[index].form != Form::object || nodes[index].extent.count < 2) continue;
    keys.clear();
    for (std::uint32_t child = index + 1; child < nodes[index].next; child = nodes[child].next)
      keys.emplace_back(document_.stored_text(nodes[child].key), child);
    std::sort(keys.begin(), keys.end());
    for (std::size_t i = 1; i < keys.size(); ++i)
      if (keys[i].first == keys[i - 1].first) duplicates.push_back(keys[i].second);
  }
  std::sort(duplicates.begin(), duplicates.end());
  for (const std::uint32_t index : duplicates) {
    const JsonValue value(&document_, index);
    diagnostics_
        .error(Code::duplicate_key, value.key_location(), "the key " + in_quotes(value.key()) + " is given twice")
        .hints.push_back("remove or rename one of the two");
  }
}

}  // namespace webnn::compiler
