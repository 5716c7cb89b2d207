#include "compiler/frontend/weights.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "compiler/frontend/json/json_access.hpp"
#include "compiler/frontend/load.hpp"
#include "compiler/frontend/mapped_file.hpp"
#include "schema/text.hpp"

namespace webnn::compiler {
namespace {

constexpr std::string_view weights_magic = "WGWT";
constexpr std::uint64_t weights_header = 8;

std::string respell(std::string_view key) {
  std::string result;
  for (std::size_t i = 0; i < key.size(); ++i) {
    if (key.substr(i, 2) == "::") {
      result += "__";
      ++i;
    } else {
      result += key[i] == '.' ? '_' : key[i];
    }
  }
  return result;
}

/// The bytes before the first tensor: 8 if there is a header, whose version must be 1.
std::optional<std::uint64_t> header_bytes(const std::string& name, const Bytes& weights, Diagnostics& diagnostics) {
  if (!text_of(weights).starts_with(weights_magic) || weights.size() < weights_header) return 0;
  const auto byte = [&](std::size_t i) { return std::uint32_t(weights.view()[i]); };
  const std::uint32_t version = byte(4) | byte(5) << 8 | byte(6) << 16 | byte(7) << 24;
  if (version == 1) return weights_header;
  diagnostics.error(Code::bad_manifest, {name, 0, 0, {}},
                    "the weights file has version " + std::to_string(version) + ", only 1 is known");
  return std::nullopt;
}

std::optional<std::vector<std::uint64_t>> read_sizes(JsonValue value) {
  if (!value.is(JsonValue::Kind::array)) return std::nullopt;
  std::vector<std::uint64_t> sizes;
  for (const JsonValue element : value) {
    const auto size = unsigned_of(element);
    if (!size) return std::nullopt;
    sizes.push_back(*size);
  }
  return sizes;
}

/// One entry of a manifest. Reports everything wrong with it.
WeightsTensor read_entry(JsonValue entry, std::uint64_t header, std::uint64_t file_size, Diagnostics& diagnostics) {
  WeightsTensor tensor;
  const auto fail = [&](Code code, JsonValue place, std::string message) {
    tensor.broken = true;
    diagnostics.error(code, place.location(), std::move(message));
  };
  if (!entry.is(JsonValue::Kind::object)) {
    fail(Code::bad_manifest, entry, "an entry must be an object, found " + std::string(entry.kind_name()));
    return tensor;
  }
  const auto number = [&](std::string_view key) -> std::uint64_t {
    const JsonValue value = entry.find(key);
    if (!value) {
      fail(Code::bad_manifest, entry, "the entry has no " + in_quotes(key));
      return 0;
    }
    const auto result = unsigned_of(value);
    if (!result)
      fail(Code::bad_manifest, value,
           in_quotes(key) + " must be an integer from 0 to 2^64 - 1, found " +
               (value.is(JsonValue::Kind::number) ? value.number().text() : std::string(value.kind_name())));
    return result.value_or(0);
  };
  tensor.offset = number("byteOffset");
  tensor.length = number("byteLength");
  if (const JsonValue type = optional_member(entry, "dataType")) {
    if (type.is(JsonValue::Kind::text)) {
      constexpr std::size_t longest_name = 32;  // it is told of each constant that refers to the tensor
      tensor.type_name = type.text().size() > longest_name ? "of an unknown type" : type.text();
      tensor.type = parse_data_type(tensor.type_name);
    }
    if (!tensor.type) fail(Code::bad_manifest, type, "the entry's data type is unknown");
  }
  if (const JsonValue shape = optional_member(entry, "shape")) {
    tensor.shape = read_sizes(shape);
    if (!tensor.shape) fail(Code::bad_manifest, shape, "'shape' must be a list of sizes");
  }
  if (const JsonValue layout = optional_member(entry, "layout"))
    if (!layout.is(JsonValue::Kind::text) || layout.text() != "row-major")
      fail(Code::bad_manifest, layout, "the only layout is 'row-major'");
  if (tensor.broken) return tensor;
  if (tensor.offset > file_size || tensor.length > file_size - tensor.offset)
    fail(Code::weights_out_of_bounds, entry,
         "the entry's " + std::to_string(tensor.length) + " bytes at " + std::to_string(tensor.offset) +
             " reach beyond the weights file, which has " + std::to_string(file_size) + " bytes");
  else if (tensor.offset < header)
    fail(Code::weights_out_of_bounds, entry, "the entry begins within the header of the weights file");
  return tensor;
}

Location at(const std::filesystem::path& file) { return {file.string(), 0, 0, {}}; }

/// Tries the files `names` of a folder in order. `found` is the first that exists; false when it must not be opened,
/// which has been reported.
struct Candidate {
  std::string name;
  Bytes bytes;
};
bool first_present(const std::filesystem::path& folder, const std::vector<std::string>& names,
                   std::optional<Candidate>& found, Diagnostics& diagnostics) {
  for (const std::string& name : names) {
    FileBeneath file = map_beneath(folder, name);
    switch (file.status) {
      case FileBeneath::Status::absent:
        continue;
      case FileBeneath::Status::mapped:
        found = Candidate{(folder / name).string(), std::move(file.bytes)};
        return true;
      case FileBeneath::Status::unsafe:
      case FileBeneath::Status::unreadable:
        const bool unsafe = file.status == FileBeneath::Status::unsafe;
        Diagnostic& diagnostic =
            diagnostics.error(unsafe ? Code::unsafe_path : Code::weights_missing, at(folder / name),
                              (name.ends_with(".json") ? "the manifest " : "the weights file ") + file.reason);
        if (unsafe)
          diagnostic.hints.push_back("copy the file itself into the model's folder, or name it with --weights-file");
        return false;
    }
  }
  return true;
}

/// manifest.json or STEM.manifest.json; a manifest.json of another kind (of a web application) is skipped.
bool find_manifest(const std::filesystem::path& folder, const std::string& stem, std::optional<Candidate>& found,
                   Diagnostics& diagnostics) {
  if (!first_present(folder, {"manifest.json"}, found, diagnostics)) return false;
  if (found && is_of_format(manifest_format, text_of(found->bytes))) return true;
  std::optional<Candidate> own;
  if (!first_present(folder, {stem + ".manifest.json"}, own, diagnostics)) return false;
  if (own) found = std::move(own);
  return true;
}

/// In search order.
std::vector<std::string> weights_names(const std::string& stem) {
  if (stem == "model") return {"model.safetensors", "model.weights"};
  return {"model.safetensors", stem + ".safetensors", stem + ".weights", "model.weights"};
}
std::vector<std::string> manifest_names(const std::string& stem) { return {"manifest.json", stem + ".manifest.json"}; }

/// "looked for 'a', 'b' and 'c' in 'folder'"
std::string looked_for(const std::vector<std::string>& names, const std::filesystem::path& folder) {
  std::string text = "looked for ";
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + in_quotes(names[i]);
  return text + " in " + in_quotes(folder.string());
}

bool is_safetensors(const std::string& name) { return name.ends_with(".safetensors"); }

}  // namespace

std::string shape_text(const std::vector<std::uint64_t>& shape) {
  const std::size_t told = std::min<std::size_t>(shape.size(), max_rank);
  std::string text = "[";
  for (std::size_t axis = 0; axis < told; ++axis) text += (axis ? ", " : "") + std::to_string(shape[axis]);
  return text + (told < shape.size() ? ", ... of " + std::to_string(shape.size()) + " dimensions]" : "]");
}

WeightsSource::Found WeightsSource::find(std::string_view key) const {
  if (const auto tensor = tensors_.find(key); tensor != tensors_.end()) return {&tensor->second};
  const auto similar = respelt_.find(respell(key));
  if (similar == respelt_.end()) return {};
  if (similar->second.size() > 1) return {nullptr, true, true};
  return {&tensors_.find(similar->second[0])->second, true};
}

Bytes WeightsSource::bytes_of(const WeightsTensor& tensor) const {
  return bytes_.part(std::size_t(tensor.offset), std::size_t(tensor.length));
}

std::vector<std::string_view> WeightsSource::keys() const {
  std::vector<std::string_view> result;
  for (const auto& [key, tensor] : tensors_) result.push_back(key);
  std::ranges::sort(result);
  return result;
}

void WeightsSource::add(std::string key, WeightsTensor tensor) {
  const auto [added, is_new] = tensors_.emplace(std::move(key), std::move(tensor));
  if (is_new) respelt_[respell(added->first)].push_back(added->first);
}

namespace {

std::optional<WeightsSource> read_with_manifest(std::string weights_name, Bytes weights,
                                                const std::string& manifest_name, std::string_view manifest,
                                                Diagnostics& diagnostics) {
  const auto header = header_bytes(weights_name, weights, diagnostics);
  if (!header) return std::nullopt;
  const auto document = JsonDocument::parse(manifest, manifest_name, {}, diagnostics);
  if (!document) return std::nullopt;
  const JsonValue root = document->root();
  const auto fail = [&](JsonValue place, std::string message) {
    diagnostics.error(Code::bad_manifest, place.location(), std::move(message));
    return std::nullopt;
  };
  if (!root.is(JsonValue::Kind::object)) return fail(root, "a weights manifest must be an object");
  const JsonValue format = root.find("format");
  if (!format || !format.is(JsonValue::Kind::text) || format.text() != "wg-weights-manifest")
    return fail(format ? format : root, "this is no weights manifest: its format is not 'wg-weights-manifest'");
  const JsonValue version = root.find("version");
  if (!version || integer_of(version) != 1)
    return fail(version ? version : root, "only version 1 of the manifest is known");
  if (const JsonValue order = optional_member(root, "endianness"))
    if (!order.is(JsonValue::Kind::text) || order.text() != "little")
      return fail(order, "only little-endian weights can be read");
  const JsonValue tensors = root.find("tensors");
  if (!tensors || !tensors.is(JsonValue::Kind::object))
    return fail(tensors ? tensors : root, "the manifest has no object 'tensors'");

  WeightsSource source(std::move(weights_name), std::move(weights));
  for (const JsonValue entry : tensors)
    source.add(std::string(entry.key()), read_entry(entry, *header, source.size(), diagnostics));
  return source;
}

}  // namespace

std::optional<WeightsSource> read_weights(std::string weights_name, Bytes weights, const std::string& manifest_name,
                                          std::string_view manifest, Diagnostics& diagnostics) {
  const std::size_t before = diagnostics.all().size();
  auto source = read_with_manifest(std::move(weights_name), std::move(weights), manifest_name, manifest, diagnostics);
  if (diagnostics.all().size() != before) diagnostics.keep_source(manifest_name, manifest);
  return source;
}

std::optional<WeightsSource> find_weights(const std::filesystem::path& folder, const std::string& stem,
                                          const Location& use, Diagnostics& diagnostics) {
  if (folder.empty()) {
    diagnostics.error(Code::weights_missing, use, "the graph refers to weights, but no folder to look in is known")
        .hints.push_back("name the folder with --base-dir, or the file with --weights-file");
    return std::nullopt;
  }
  std::optional<Candidate> file, manifest;
  if (!first_present(folder, weights_names(stem), file, diagnostics)) return std::nullopt;
  if (!file) {
    diagnostics
        .error(Code::weights_missing, use,
               "the graph refers to weights, but there is no weights file in " + in_quotes(folder.string()))
        .hints = {looked_for(weights_names(stem), folder), "name the file with --weights-file"};
    return std::nullopt;
  }
  if (is_safetensors(file->name)) return read_safetensors(file->name, file->bytes, diagnostics);
  if (!find_manifest(folder, stem, manifest, diagnostics)) return std::nullopt;
  if (!manifest) {
    diagnostics.error(Code::weights_missing, at(file->name), "the weights file has no manifest beside it")
        .hints.push_back(looked_for(manifest_names(stem), folder));
    return std::nullopt;
  }
  return read_weights(file->name, std::move(file->bytes), manifest->name, text_of(manifest->bytes), diagnostics);
}

bool has_weights_file(const std::filesystem::path& folder, const std::string& stem) {
  if (folder.empty()) return false;
  const std::vector<std::string> names = weights_names(stem);
  return std::ranges::any_of(names, [&](const std::string& name) { return std::filesystem::exists(folder / name); });
}

std::vector<std::filesystem::path> possible_weights_files(const std::filesystem::path& folder, const std::string& stem,
                                                          const std::filesystem::path& weights_file) {
  std::vector<std::filesystem::path> files;
  const bool named = !weights_file.empty();
  const std::filesystem::path beside = named ? weights_file.parent_path() : folder;
  if (named) files.push_back(weights_file);
  if (!named)
    for (const std::string& name : weights_names(stem)) files.push_back(beside / name);
  for (const std::string& name : manifest_names(named ? weights_file.stem().string() : stem))
    files.push_back(beside / name);
  return files;
}

std::string taken_instead(const std::filesystem::path& folder, const std::string& stem, const std::string& name) {
  for (const std::string& candidate : weights_names(stem)) {
    if (candidate == name) break;
    if (std::filesystem::exists(folder / candidate)) return candidate;
  }
  if (is_safetensors(name)) return {};
  Diagnostics ignored;
  std::optional<Candidate> manifest;
  const bool foreign = find_manifest(folder, stem, manifest, ignored) && manifest &&
                       std::filesystem::path(manifest->name).filename() == "manifest.json" &&
                       is_of_format(manifest_format, text_of(manifest->bytes));
  return foreign ? "manifest.json" : std::string();
}

std::optional<WeightsSource> open_weights(const FileName& file, const Location& use, Diagnostics& diagnostics) {
  constexpr auto any_size = std::numeric_limits<std::uint64_t>::max();
  Bytes bytes = map_file(file, any_size);
  if (is_safetensors(file.string())) return read_safetensors(file.string(), bytes, diagnostics);
  const std::filesystem::path folder = file.path.has_parent_path() ? file.path.parent_path() : ".";
  const std::string stem = file.path.stem().string();
  for (const std::string& name : {stem + ".manifest.json", std::string("manifest.json")}) {
    const std::filesystem::path manifest = folder / name;
    if (!std::filesystem::exists(manifest)) continue;
    const Bytes text = map_file(FileName::found(folder, manifest), any_size);
    return read_weights(file.string(), std::move(bytes), manifest.string(), text_of(text), diagnostics);
  }
  diagnostics
      .error(Code::weights_missing, use, "the weights file " + in_quotes(file.string()) + " has no manifest beside it")
      .hints.push_back(looked_for({stem + ".manifest.json", "manifest.json"}, folder));
  return std::nullopt;
}

}  // namespace webnn::compiler
