#include "cli/inputs/input_spec.hpp"

#include <algorithm>
#include <charconv>
#include <vector>

#include "cli/inputs/generators.hpp"
#include "cli/programs/similar_files.hpp"
#include "compiler/frontend/mapped_file.hpp"
#include "schema/diagnostics.hpp"
#include "schema/elements/elements.hpp"
#include "schema/error.hpp"
#include "schema/render_diagnostics.hpp"
#include "schema/text.hpp"

namespace webnn::cli {
namespace {

using namespace schema;

[[noreturn]] void refuse_input(const std::string& message, const std::string& hint = {}) {
  throw Error(ExitCode::usage, message, hint);
}

void check_descriptor(const OperandDescriptor& found, const api::Slot& input, const std::string& source) {
  if (found == input.descriptor) return;
  refuse_input(source + " is " + found.text() + ", but input " + in_quotes(input.name) + " is " +
               input.descriptor.text());
}

/// A tensor from a file, which must be what the input takes.
compiler::Tensor fitting(compiler::Tensor tensor, const api::Slot& input, const std::string& source) {
  tensor = compiler::narrowed(std::move(tensor), input.descriptor, source);
  check_descriptor(tensor.descriptor, input, source);
  return tensor;
}

/// "1x3x224x224:float32" or ":int32" (a scalar)
OperandDescriptor parse_descriptor(std::string_view text) {
  const std::size_t colon = text.find(':');
  std::string_view sizes = text.substr(0, colon);
  const auto type = parse_data_type(text.substr(colon + 1));
  if (!type)
    refuse_input("'" + std::string(text.substr(colon + 1)) + "' is no data type", "for example 1x3x224x224:float32");
  OperandDescriptor descriptor{*type, {}};
  while (!sizes.empty()) {
    const std::string_view size = sizes.substr(0, sizes.find('x'));
    sizes = size.size() == sizes.size() ? std::string_view{} : sizes.substr(size.size() + 1);
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(size.data(), size.data() + size.size(), value);
    if (error != std::errc{} || end != size.data() + size.size() || descriptor.shape.rank() == max_rank)
      refuse_input(in_quotes(text) + " is no shape and type", "for example 1x3x224x224:float32");
    descriptor.shape.push_back(value);
  }
  if (const std::string error = descriptor_error(descriptor); !error.empty())
    refuse_input(in_quotes(text) + ": " + error);
  return descriptor;
}

Number parse_number(std::string_view text) {
  std::int64_t whole = 0;
  std::uint64_t large = 0;
  double real = 0;
  const char* end = text.data() + text.size();
  if (const auto r = std::from_chars(text.data(), end, whole); r.ec == std::errc{} && r.ptr == end) return whole;
  if (const auto r = std::from_chars(text.data(), end, large); r.ec == std::errc{} && r.ptr == end) return large;
  if (const auto r = std::from_chars(text.data(), end, real); r.ec == std::errc{} && r.ptr == end) return real;
  refuse_input(in_quotes(text) + " is no number");
}

/// A value that the type cannot hold is an error, not something to round away. Floats may round but not overflow.
void check_fits(const Number& value, DataType type) {
  std::byte stored[8];
  store(value, type, stored);
  const Number back = load_element(type, stored, 0);
  const bool fits = is_float(type) ? back.is_finite() || !value.is_finite() : Number::compare(back, value) == 0;
  if (!fits) refuse_input(value.text() + " does not fit " + std::string(name_of(type)));
}

/// "[[1, 2], [3, 4]]": the numbers in order. Brackets must balance; the shape comes from the descriptor.
compiler::Tensor parse_list(std::string_view text, const OperandDescriptor& descriptor) {
  std::vector<std::byte> data(byte_length(descriptor));
  const std::size_t expected = element_count(descriptor.shape);
  std::size_t count = 0, depth = 0;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == '[') {
      ++depth;
      ++i;
    } else if (c == ']') {
      if (depth-- == 0) refuse_input("a bracket too many in " + in_quotes(text));
      ++i;
    } else if (c == ',' || c == ' ' || c == '\n' || c == '\t') {
      ++i;
    } else {
      const std::size_t end = std::min(text.find_first_of("[], \t\n", i), text.size());
      if (depth == 0) refuse_input("a number stands outside the brackets of " + in_quotes(text));
      const Number value = parse_number(text.substr(i, end - i));
      check_fits(value, descriptor.type);
      if (count < expected) store_element(value, descriptor.type, data.data(), count);
      ++count;
      i = end;
    }
  }
  if (depth != 0) refuse_input("a bracket is not closed in " + in_quotes(text));
  if (count != expected)
    refuse_input("the list has " + std::to_string(count) + " elements, but " + descriptor.text() + " has " +
                 std::to_string(expected));
  return {descriptor, Bytes(std::move(data))};
}

compiler::Tensor read_raw(const std::string& file, const OperandDescriptor& descriptor) {
  const std::size_t expected = byte_length(descriptor);
  Bytes data = compiler::map_file_as_asked(file, 0, [=](std::string_view) { return expected; });
  if (data.size() != expected)  // of a pipe or a device no more is read
    refuse_input(in_quotes(file) + " has " + counted(data.size(), "byte") +
                 (data.size() == expected + 1 ? " or more" : "") + ", but " + descriptor.text() + " has " +
                 std::to_string(expected));
  return {descriptor, std::move(data)};
}

/// One tensor of a safetensors file.
compiler::Tensor read_safetensors_entry(const compiler::WeightsSource& source, std::string_view key,
                                        std::uint64_t max_bytes) {
  const compiler::WeightsTensor* found = source.find(key).tensor;
  if (!found) {
    const std::string_view near = nearest(key, source.keys());
    refuse_input(in_quotes(source.file_name()) + " has no tensor " + in_quotes(key),
                 near.empty() ? "`webnn-cli inspect` lists its tensors" : "did you mean " + in_quotes(near) + "?");
  }
  if (!found->type)
    refuse_input("tensor " + in_quotes(key) + " is of the type " + in_quotes(found->type_name) +
                 ", which no input has");
  OperandDescriptor descriptor{*found->type, {}};
  for (const std::uint64_t size : *found->shape) {
    if (descriptor.shape.rank() == max_rank || size > max_dimension)
      refuse_input("tensor " + in_quotes(key) + " is larger than any input");
    descriptor.shape.push_back(std::uint32_t(size));
  }
  if (const std::string why = descriptor_error(descriptor); !why.empty())
    refuse_input("tensor " + in_quotes(key) + ": " + why);
  if (const std::string why = size_error(descriptor, max_bytes); !why.empty())
    throw Error(ExitCode::resource, "tensor " + in_quotes(key) + ": " + why, "--max-tensor-bytes raises the limit");
  return {descriptor, source.bytes_of(*found)};
}

/// For "@w.safetensors" alone: asks which of its tensors is meant.
[[noreturn]] void ask_for_tensor(const std::string& file, const api::Slot& input) {
  Diagnostics ignored;  // a damaged file has no tensors to name
  const auto source = with_similar_file(file, [&] { return compiler::open_weights(file, {file, 0, 0, {}}, ignored); });
  std::vector<std::string> fitting, others;
  for (const std::string_view key : source ? source->keys() : std::vector<std::string_view>()) {
    const compiler::WeightsTensor& tensor = *source->find(key).tensor;
    const auto& shape = input.descriptor.shape;
    const bool fits = tensor.type == input.descriptor.type &&
                      std::ranges::equal(*tensor.shape, std::span(shape.begin(), shape.end()));
    (fits ? fitting : others).emplace_back(key);
  }
  std::vector<std::string>& named = fitting.empty() ? others : fitting;
  std::ranges::sort(named);
  std::string hint = "name one: " + input.name + "=@" + file + "#TENSOR";
  if (!named.empty()) hint += (fitting.empty() ? "; it holds " : "; of the input's type and shape: ") + first_of(named);
  refuse_input(in_quotes(file) + " holds tensors by name, and none is named for input " + in_quotes(input.name), hint);
}

}  // namespace

std::string first_of(std::span<const std::string> names) {
  constexpr std::size_t most_named = 8;
  std::string list;
  for (std::size_t i = 0; i < std::min(names.size(), most_named); ++i) list += (i ? ", " : "") + in_quotes(names[i]);
  return names.size() > most_named ? list + " and " + std::to_string(names.size() - most_named) + " more" : list;
}

InputArgument split_input_argument(std::string_view argument, std::span<const api::Slot> inputs) {
  const api::Slot* best = nullptr;
  for (const api::Slot& input : inputs)
    if (argument.starts_with(input.name) && argument.size() > input.name.size() && argument[input.name.size()] == '=' &&
        (!best || input.name.size() > best->name.size()))
      best = &input;
  if (best) return {best, argument.substr(best->name.size() + 1)};

  if (inputs.empty()) refuse_input("the graph has no inputs");
  const std::string_view name = argument.substr(0, argument.find('='));
  if (name.size() == argument.size()) refuse_input(in_quotes(argument) + " is not of the form NAME=SPEC");
  std::vector<std::string_view> names;
  std::string list;
  for (const api::Slot& input : inputs) {
    names.push_back(input.name);
    list += (list.empty() ? "" : ", ") + in_quotes(input.name);
  }
  const std::string_view near = nearest(name, names);
  refuse_input("the graph has no input " + in_quotes(name),
               near.empty() ? "its inputs are " + list : "did you mean " + in_quotes(near) + "?");
}

compiler::Tensor read_array_input(const compiler::FileName& file, const api::Slot& input, std::uint64_t max_bytes) {
  const std::string ending = file.path.extension().string();
  if (ending == ".png" || ending == ".jpg" || ending == ".jpeg")
    refuse_input(in_quotes(file.string()) + " is a picture, not an array",
                 "--image " + input.name + "=@" + file.string() + " reads pictures");
  return fitting(with_similar_file(file.path, [&] { return compiler::read_npy(file, max_bytes); }), input,
                 in_quotes(file.string()));
}

compiler::WeightsSource open_safetensors(const compiler::FileName& file) {
  Diagnostics diagnostics;
  auto source = compiler::open_weights(file, {file.string(), 0, 0, {}}, diagnostics);
  if (!source || diagnostics.has_errors()) throw Error(ExitCode::invalid_input, render(diagnostics));
  return std::move(*source);
}

compiler::Tensor read_safetensors_input(const compiler::WeightsSource& source, std::string_view key,
                                        const api::Slot& input, std::uint64_t max_bytes) {
  return fitting(read_safetensors_entry(source, key, max_bytes), input,
                 in_quotes(source.file_name() + "#" + std::string(key)));
}

compiler::Tensor read_input(std::string_view spec, const api::Slot& input, std::uint64_t max_bytes) {
  if (spec.starts_with('@')) {
    const std::string file(spec.substr(1));
    if (file.ends_with(".safetensors")) ask_for_tensor(file, input);
    const std::size_t hash = file.find(".safetensors#");
    if (hash == std::string::npos) return read_array_input(file, input, max_bytes);
    const std::size_t end = file.find('#', hash);
    return read_safetensors_input(open_safetensors(file.substr(0, end)), std::string_view(file).substr(end + 1), input,
                                  max_bytes);
  }
  if (spec.starts_with('[')) return parse_list(spec, input.descriptor);
  if (auto tensor = generate(spec, input.descriptor)) return std::move(*tensor);

  const std::size_t equals = spec.find('=');
  if (equals != std::string_view::npos && spec.substr(0, equals).find(':') != std::string_view::npos) {
    const OperandDescriptor descriptor = parse_descriptor(spec.substr(0, equals));
    check_descriptor(descriptor, input, in_quotes(spec.substr(0, equals)));
    const std::string_view rest = spec.substr(equals + 1);
    if (rest.starts_with('@') && !rest.ends_with(".npy")) return read_raw(std::string(rest.substr(1)), descriptor);
    return read_input(rest, input, max_bytes);
  }
  refuse_input("cannot understand " + in_quotes(spec) + " for input " + in_quotes(input.name),
               "an input is @file.npy, @w.safetensors#tensor, [1,2,3], 2x2:float32=@raw.bin, or " +
                   std::string(generator_forms));
}

}  // namespace webnn::cli
