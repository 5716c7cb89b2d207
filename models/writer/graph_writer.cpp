// Streams weights and collects the lines of the two JSON files; see the header.
#include "models/writer/graph_writer.hpp"

#include <bit>
#include <cstring>
#include <stdexcept>

#include "schema/elements/data_type.hpp"
#include "schema/elements/half.hpp"
#include "schema/round_up.hpp"

namespace webnn::models {

namespace fs = std::filesystem;

static_assert(std::endian::native == std::endian::little, "weights files are little endian");

namespace {

std::string json_string(const std::string& text) { return nlohmann::json(text).dump(); }

/// `"key": {lines}`, one entry a line; `open` and `close` are the brackets.
std::string section(const std::string& key, char open, const std::vector<std::string>& lines, char close) {
  std::string text = "  " + json_string(key) + ": " + open;
  for (std::size_t i = 0; i < lines.size(); ++i) text += (i ? ",\n    " : "\n    ") + lines[i];
  return text + (lines.empty() ? "" : "\n  ") + close;
}

void check(const std::ostream& stream, const fs::path& path) {
  if (!stream) throw std::runtime_error("cannot write " + path.string());
}

Options descriptor(const char* data_type, const Shape& shape) { return {{"dataType", data_type}, {"shape", shape}}; }

/// float32 elements as float16.
std::string halves_of(std::string_view bytes) {
  std::string halves;
  halves.reserve(bytes.size() / 2);
  for (std::size_t i = 0; i < bytes.size(); i += sizeof(float)) {
    float element;
    std::memcpy(&element, bytes.data() + i, sizeof element);
    const std::uint16_t half = schema::half_bits(element);
    halves.push_back(char(half & 0xffu));
    halves.push_back(char(half >> 8));
  }
  return halves;
}

Options names_of(const std::vector<Tensor>& tensors) {
  Options names = Options::array();
  for (const Tensor& tensor : tensors) names.push_back(tensor.name);
  return names;
}

}  // namespace

std::uint64_t element_count(const Shape& shape) {
  std::uint64_t count = 1;
  for (const std::uint32_t size : shape) count *= size;
  return count;
}

GraphWriter::GraphWriter(const fs::path& folder, std::string name, bool half, std::uint32_t batch)
    : name_(std::move(name)), half_(half), batch_(batch) {
  fs::create_directories(folder);
  stem_ = (folder / name_).string();
  weights_.open(partial_weights(), std::ios::binary);
  weights_.write("WGWT\1\0\0\0", 8);
  offset_ = 8;
  check(weights_, partial_weights());
}

GraphWriter::~GraphWriter() {
  std::error_code ignored;
  fs::remove(partial_weights(), ignored);
}

Tensor GraphWriter::input(const std::string& name, const Shape& shape, const char* data_type) {
  inputs_.push_back(json_string(name) + ": " + descriptor(stored_type(data_type), shape).dump());
  return {name, shape};
}

const char* GraphWriter::stored_type(const char* data_type) const {
  return half_ && data_type == std::string_view("float32") ? "float16" : data_type;
}

Tensor GraphWriter::add_constant(const std::string& name, const char* data_type, const Shape& shape,
                                 std::string_view bytes) {
  const unsigned bits = schema::bits_of(schema::parse_data_type(data_type).value());
  if (bytes.size() != schema::div_up(element_count(shape) * bits, 8))
    throw std::logic_error("constant " + name + " does not fill its shape");
  data_type = stored_type(data_type);
  std::string halves;
  if (data_type == std::string_view("float16")) {
    halves = halves_of(bytes);
    bytes = halves;
  }
  Options entry = descriptor(data_type, shape);
  entry["init"] = {{"kind", "weights"}, {"ref", name}};
  constants_.push_back(json_string(name) + ": " + entry.dump());
  Options place = descriptor(data_type, shape);
  place.update({{"byteOffset", offset_}, {"byteLength", bytes.size()}, {"layout", "row-major"}});
  manifest_.push_back(json_string(name) + ": " + place.dump());
  weights_.write(bytes.data(), std::streamsize(bytes.size()));
  check(weights_, partial_weights());
  offset_ += bytes.size();
  return {name, shape};
}

Tensor GraphWriter::four_bit_constant(const std::string& name, const Shape& shape,
                                      const std::vector<std::uint8_t>& elements) {
  std::vector<std::uint8_t> pairs(schema::div_up(elements.size(), 2));
  for (std::size_t i = 0; i < elements.size(); ++i)
    pairs[i / 2] = std::uint8_t(pairs[i / 2] | (elements[i] & 15u) << (i % 2 * 4));
  return add_constant(name, "uint4", shape, bytes_of(std::span<const std::uint8_t>(pairs)));
}

Tensor GraphWriter::filled(const std::string& name, const char* data_type, const Shape& shape, double value) {
  Options entry = descriptor(stored_type(data_type), shape);
  entry["init"] = {{"kind", "scalar"}, {"value", value}};
  constants_.push_back(json_string(name) + ": " + entry.dump());
  return {name, shape};
}

Tensor GraphWriter::node(const std::string& name, const std::string& op, const std::vector<Tensor>& inputs,
                         const Shape& shape, const Options& options) {
  multi_output_node(name, op, inputs, {name}, options);
  return {name, shape};
}

void GraphWriter::multi_output_node(const std::string& name, const std::string& op, const std::vector<Tensor>& inputs,
                                    const std::vector<std::string>& outputs, const Options& options) {
  const Options line = {
      {"id", name}, {"op", op}, {"inputs", names_of(inputs)}, {"options", options}, {"outputs", outputs}};
  nodes_.push_back(line.dump());
}

void GraphWriter::output(const std::string& name, const std::string& value) {
  outputs_.push_back(json_string(name) + ": " + json_string(value));
}

void GraphWriter::finish() {
  weights_.close();
  check(weights_, partial_weights());
  fs::rename(partial_weights(), stem_ + ".weights");
  write_whole_file(stem_ + ".manifest.json",
                   "{\n  \"format\": \"wg-weights-manifest\",\n  \"version\": 1,\n"
                   "  \"endianness\": \"little\",\n" +
                       section("tensors", '{', manifest_, '}') + "\n}\n");
  write_whole_file(stem_ + ".json",
                   "{\n  \"format\": \"webnn-graph-json\",\n  \"version\": 2,\n  \"name\": " + json_string(name_) +
                       ",\n" + section("inputs", '{', inputs_, '}') + ",\n" + section("consts", '{', constants_, '}') +
                       ",\n" + section("nodes", '[', nodes_, ']') + ",\n" + section("outputs", '{', outputs_, '}') +
                       "\n}\n");
}

void write_whole_file(const fs::path& path, std::string_view content) {
  const fs::path partial = path.string() + ".partial";
  std::ofstream file(partial, std::ios::binary);
  file.write(content.data(), std::streamsize(content.size()));
  file.close();
  check(file, partial);
  fs::rename(partial, path);
}

std::string npy_of(const Shape& shape, const std::vector<float>& elements) {
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (";
  for (std::size_t i = 0; i < shape.size(); ++i) header += (i ? ", " : "") + std::to_string(shape[i]);
  header += shape.size() == 1 ? ",), }" : "), }";
  constexpr std::size_t prefix = 10;  // magic, version, length
  while ((prefix + header.size() + 1) % 64 != 0) header += ' ';
  header += '\n';
  std::string file("\x93NUMPY\x01\x00", 8);
  file += char(header.size() & 0xffu);
  file += char(header.size() >> 8);
  file += header;
  file += bytes_of(std::span<const float>(elements));
  return file;
}

}  // namespace webnn::models
