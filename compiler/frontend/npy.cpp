#include "compiler/frontend/npy.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <limits>
#include <vector>

#include "compiler/frontend/mapped_file.hpp"
#include "schema/elements/elements.hpp"
#include "schema/error.hpp"
#include "schema/text.hpp"

namespace webnn::compiler {
namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t largest_npy_header = 64 * 1024;

/// Element types of .npy: the part of `descr` after the byte order.
struct NpyType {
  std::string_view code;
  DataType type;
};
constexpr NpyType npy_types[] = {
    {"f4", DataType::float32}, {"f2", DataType::float16}, {"i4", DataType::int32},
    {"u4", DataType::uint32},  {"i8", DataType::int64},   {"u8", DataType::uint64},
    {"i1", DataType::int8},    {"u1", DataType::uint8},   {"b1", DataType::uint8},
};

[[noreturn]] void refuse(const std::string& name, const std::string& why, const std::string& hint = {}) {
  throw Error(ExitCode::invalid_input, in_quotes(name) + ": " + why, hint);
}

/// Reads the header: a Python dictionary of one string, one boolean and one tuple of integers.
class Header {
 public:
  Header(std::string_view text, const std::string& name) : rest_(text), name_(name) {
    expect('{');
    while (!take('}')) {
      const std::string_view key = string();
      if ((key == "descr" && !descr.empty()) || (key == "shape" && shape))
        refuse(name_, "the .npy header has " + in_quotes(key) + " twice");
      expect(':');
      if (key == "descr")
        descr = element_type();
      else if (key == "fortran_order")
        fortran_order = boolean();
      else if (key == "shape")
        shape = tuple();
      else
        refuse(name_, "the .npy header has the unknown key " + in_quotes(key));
      if (!take(',')) {
        expect('}');
        break;
      }
    }
    skip_blanks();
    if (!rest_.empty()) refuse(name_, "text follows the .npy header's dictionary");
    if (descr.empty()) refuse(name_, "the .npy header has no 'descr'");
    if (!shape) refuse(name_, "the .npy header has no 'shape'");
  }

  std::string_view descr;
  bool fortran_order = false;
  std::optional<std::vector<std::uint64_t>> shape;

 private:
  void skip_blanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size())); }
  bool take(char c) {
    skip_blanks();
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void expect(char c) {
    if (!take(c))
      refuse(name_, std::string("the .npy header is malformed: '") + c + "' expected before " +
                        in_quotes(rest_.substr(0, 20)));
  }
  std::string_view string() {
    skip_blanks();
    const char quote = rest_.empty() ? '\0' : rest_[0];
    const std::size_t end = quote == '\'' || quote == '"' ? rest_.find(quote, 1) : rest_.npos;
    if (end == rest_.npos)
      refuse(name_, "the .npy header is malformed: a string expected before " + in_quotes(rest_.substr(0, 20)));
    const std::string_view result = rest_.substr(1, end - 1);
    rest_.remove_prefix(end + 1);
    return result;
  }
  std::string_view element_type() {
    skip_blanks();
    if (rest_.starts_with('['))
      refuse(name_, "structured element types are not supported", "save one plain array per file");
    return string();
  }
  bool boolean() {
    skip_blanks();
    for (const bool value : {true, false}) {
      const std::string_view word = value ? "True" : "False";
      if (!rest_.starts_with(word)) continue;
      rest_.remove_prefix(word.size());
      return value;
    }
    refuse(name_, "the .npy header is malformed: True or False expected before " + in_quotes(rest_.substr(0, 20)));
  }
  std::vector<std::uint64_t> tuple() {
    expect('(');
    std::vector<std::uint64_t> sizes;
    while (!take(')')) {
      skip_blanks();
      std::uint64_t size = 0;
      const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), size);
      if (error != std::errc{})
        refuse(name_, "the .npy header is malformed: a size expected before " + in_quotes(rest_.substr(0, 20)));
      rest_.remove_prefix(std::size_t(end - rest_.data()));
      if (rest_.starts_with('L')) rest_.remove_prefix(1);  // long integers of Python 2
      sizes.push_back(size);
      if (!take(',')) {
        expect(')');
        break;
      }
    }
    return sizes;
  }

  std::string_view rest_;
  const std::string& name_;
};

OperandDescriptor descriptor_of(const Header& header, const std::string& name) {
  OperandDescriptor descriptor;
  const std::string_view code = header.descr.empty() ? "" : header.descr.substr(1);
  const auto* found = std::find_if(std::begin(npy_types), std::end(npy_types),
                                   [&](const NpyType& element) { return element.code == code; });
  if (std::string_view("<>|=").find(header.descr[0]) == std::string_view::npos || found == std::end(npy_types))
    refuse(name, "the element type " + in_quotes(header.descr) + " is not supported",
           code == "f8" ? "convert with x.astype('float32')"
           : header.descr[0] == '|' && code.starts_with('O')
               ? "arrays of Python objects are never read"
               : "float32, float16, (u)int8, (u)int32, (u)int64 and bool are");
  descriptor.type = found->type;
  if (header.shape->size() > max_rank)
    refuse(name, "the array has rank " + std::to_string(header.shape->size()) + ", at most " +
                     std::to_string(max_rank) + " is allowed");
  for (const std::uint64_t size : *header.shape) {
    if (size == 0 || size > max_dimension)
      refuse(name, "the dimension " + std::to_string(size) + " is outside 1 to " + std::to_string(max_dimension));
    descriptor.shape.push_back(std::uint32_t(size));
  }
  if (const std::string error = descriptor_error(descriptor); !error.empty()) refuse(name, error);
  return descriptor;
}

/// A row-major copy of `source`, whose first axis varies fastest.
std::vector<std::byte> to_row_major(std::span<const std::byte> source, const Shape& shape, std::size_t element) {
  std::vector<std::byte> result(source.size());
  std::array<std::size_t, max_rank> stride{};
  std::array<std::uint32_t, max_rank> index{};
  std::size_t step = element;
  for (unsigned axis = 0; axis < shape.rank(); ++axis) {
    stride[axis] = step;
    step *= shape[axis];
  }
  std::size_t from = 0;
  for (std::size_t to = 0; to < result.size(); to += element) {
    std::memcpy(result.data() + to, source.data() + from, element);
    for (unsigned axis = shape.rank(); axis-- > 0;) {
      from += stride[axis];
      if (++index[axis] < shape[axis]) break;
      from -= stride[axis] * shape[axis];
      index[axis] = 0;
    }
  }
  return result;
}

void reverse_bytes(std::vector<std::byte>& data, std::size_t element) {
  for (auto at = data.begin(); at != data.end(); at += std::ptrdiff_t(element))
    std::reverse(at, at + std::ptrdiff_t(element));
}

/// What the beginning of a file says about the rest.
struct NpyStart {
  Header header;
  OperandDescriptor descriptor;
  std::size_t data_at = 0, data_bytes = 0;
};

/// `text` is the file, or at least its first 64 KiB and 12 bytes.
NpyStart read_start(std::string_view text, const std::string& name, std::uint64_t max_bytes) {
  if (!text.starts_with(magic) || text.size() < 10)
    refuse(name, text.empty() ? "the file is empty" : "this is not a .npy file",
           text.starts_with("\x80") ? "this looks like a pickle, which is never read; save the array with numpy.save"
           : text.starts_with("PK") ? "this looks like an archive (.npz); save each array with numpy.save"
                                    : "numpy.save writes .npy files");
  const auto byte = [&](std::size_t i) { return std::size_t(std::uint8_t(text[i])); };
  const std::size_t version = byte(6);
  if (version < 1 || version > 3)
    refuse(name, "version " + std::to_string(version) + " of .npy is unknown; 1 to 3 are read");
  const std::size_t start = version == 1 ? 10 : 12;
  if (text.size() < start) refuse(name, "the file ends within the .npy header");
  const std::size_t length =
      version == 1 ? byte(8) | byte(9) << 8 : byte(8) | byte(9) << 8 | byte(10) << 16 | byte(11) << 24;
  if (length > largest_npy_header)
    refuse(name, "the .npy header of " + std::to_string(length) + " bytes is longer than 64 KiB");
  if (text.size() - start < length) refuse(name, "the file ends within the .npy header");

  NpyStart result{Header(text.substr(start, length), name), {}, start + length, 0};
  result.descriptor = descriptor_of(result.header, name);
  if (const std::string why = size_error(result.descriptor, max_bytes); !why.empty())
    throw Error(ExitCode::resource, in_quotes(name) + ": " + why, "--max-tensor-bytes raises the limit");
  result.data_bytes = byte_length(result.descriptor);
  return result;
}

/// What a 4-bit type is stored as: .npy has none.
DataType type_of_8_bits(DataType type) { return type == DataType::int4 ? DataType::int8 : DataType::uint8; }

}  // namespace

Tensor parse_npy(Bytes content, const std::string& name, std::uint64_t max_bytes) {
  const auto view = content.view();
  const auto [header, descriptor, data_at, expected] = read_start(text_of(view), name, max_bytes);
  Tensor tensor;
  tensor.descriptor = descriptor;
  const auto data = view.subspan(data_at);
  if (data.size() != expected)
    refuse(name, tensor.descriptor.text() + " needs " + std::to_string(expected) + " bytes of data, the file has " +
                     std::to_string(data.size()));

  const std::size_t element = bits_of(tensor.descriptor.type) / 8;
  const bool big_endian = header.descr[0] == '>' && element > 1;
  const bool aligned = reinterpret_cast<std::uintptr_t>(data.data()) % element == 0;
  if (aligned && !big_endian && !header.fortran_order) {
    auto owner = std::make_shared<const Bytes>(std::move(content));
    tensor.data = Bytes(owner, data);
    return tensor;
  }
  std::vector<std::byte> copy = header.fortran_order ? to_row_major(data, tensor.descriptor.shape, element)
                                                     : std::vector<std::byte>(data.begin(), data.end());
  if (big_endian) reverse_bytes(copy, element);
  tensor.data = Bytes(std::move(copy));
  return tensor;
}

Tensor read_npy(const FileName& file, std::uint64_t max_bytes) {
  const std::string name = file.string();
  const Bytes content = map_file_as_asked(file, largest_npy_header + 12, [&](std::string_view start) {
    const NpyStart npy = read_start(start, name, max_bytes);
    return npy.data_at + npy.data_bytes;
  });
  return parse_npy(content, name, max_bytes);
}

void write_npy(const OperandDescriptor& descriptor, std::span<const std::byte> data,
               const std::function<void(std::string_view)>& append) {
  OperandDescriptor stored = descriptor;
  std::vector<std::byte> widened;
  if (bits_of(descriptor.type) == 4) {
    stored.type = type_of_8_bits(descriptor.type);
    widened.resize(element_count(descriptor.shape));
    for (std::size_t i = 0; i < widened.size(); ++i)
      store_element(load_element(descriptor.type, data.data(), i), stored.type, widened.data(), i);
    data = widened;
  }
  const auto* element = std::find_if(std::begin(npy_types), std::end(npy_types),
                                     [&](const NpyType& row) { return row.type == stored.type; });
  std::string header = "{'descr': '";
  (header += bits_of(stored.type) == 8 ? '|' : '<') += element->code;
  header += "', 'fortran_order': False, 'shape': (";
  for (const std::uint32_t size : stored.shape) header += std::to_string(size) + ", ";
  if (stored.shape.rank() > 1) header.resize(header.size() - 2);
  if (stored.shape.rank() == 1) header.pop_back();  // "(3,)"
  header += "), }";
  constexpr std::size_t start = 10, alignment = 64;
  while ((start + header.size() + 1) % alignment != 0) header += ' ';
  header += '\n';

  std::string beginning(magic);
  beginning += '\x01';
  beginning += '\x00';
  beginning += char(header.size() & 0xffu);
  beginning += char(header.size() >> 8);
  beginning += header;
  append(beginning);
  append(text_of(data));
}

std::string npy_bytes(const OperandDescriptor& descriptor, std::span<const std::byte> data) {
  std::string result;
  write_npy(descriptor, data, [&](std::string_view piece) { result += piece; });
  return result;
}

Tensor narrowed(Tensor tensor, const OperandDescriptor& wanted, const std::string& name) {
  const OperandDescriptor given = tensor.descriptor;
  if (bits_of(wanted.type) != 4 || given.type != type_of_8_bits(wanted.type) || given.shape != wanted.shape)
    return tensor;
  std::vector<std::byte> packed(byte_length(wanted));
  for (std::size_t i = 0; i < element_count(wanted.shape); ++i) {
    const Number value = load_element(given.type, tensor.data.data(), i);
    store_element(value, wanted.type, packed.data(), i);
    if (!(load_element(wanted.type, packed.data(), i) == value))
      throw Error(ExitCode::invalid_input, name + ": element " + std::to_string(i) + " is " + value.text() +
                                               ", which " + wanted.text() + " cannot hold");
  }
  return {wanted, Bytes(std::move(packed))};
}

}  // namespace webnn::compiler
