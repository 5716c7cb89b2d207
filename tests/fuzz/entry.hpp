// The functions under fuzzing: each reads bytes with the public readers and returns which guarantee was broken, if any.
// Every format that can be read is a target, and so are tensors. The libFuzzer targets stop at a broken guarantee; the
// tests replay the corpus and the test files through the same functions.
#pragma once

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/formats/all_formats.hpp"
#include "compiler/frontend/binary/binary_reader.hpp"
#include "compiler/frontend/binary/binary_writer.hpp"
#include "compiler/frontend/json/json_writer.hpp"
#include "compiler/frontend/load.hpp"
#include "compiler/frontend/npy.hpp"
#include "compiler/frontend/text/text_writer.hpp"
#include "compiler/frontend/weights.hpp"
#include "compiler/ir/verify.hpp"
#include "schema/error.hpp"
#include "schema/file/checksum.hpp"
#include "schema/file/program_file.hpp"
#include "schema/render_diagnostics.hpp"
#include "schema/verify_program.hpp"

namespace webnn::tests {

namespace fuzz {

using namespace webnn::compiler;

/// The kernels that programs may name; each program that includes this defines it.
const KernelTable& fuzz_kernels();

inline Bytes bytes_of(std::string_view content) {
  const auto* first = reinterpret_cast<const std::byte*>(content.data());
  return Bytes(std::vector<std::byte>(first, first + content.size()));
}

/// The input as a binary file ("WNNB", "WNNC") with correct checksums, so that fuzzing gets past them.
inline std::string with_right_checksums(std::string_view content, const ContainerKind& form) {
  std::string file(content);
  if (file.size() < 64) return file;
  const auto put = [&](std::size_t at, std::uint64_t number) { std::memcpy(file.data() + at, &number, sizeof number); };
  const auto bytes = std::as_bytes(std::span(file));
  std::uint64_t metadata = 0;
  std::memcpy(&metadata, file.data() + 16, sizeof metadata);
  form.magic.copy(file.data(), form.magic.size());
  const std::uint32_t version = form.version;
  std::memcpy(file.data() + 4, &version, sizeof version);
  put(8, file.size());
  put(32, (64 + metadata + 63) / 64 * 64);
  put(24, checksum_of(bytes.subspan(64, std::min<std::uint64_t>(metadata, file.size() - 64))));
  put(40, checksum_of(bytes.first(40)));
  return file;
}

inline std::string written_program(const Program& program) {
  std::string file;
  write_program(program, [&](std::span<const std::byte> piece) {
    file.append(reinterpret_cast<const char*>(piece.data()), piece.size());
  });
  return file;
}

inline std::string written_binary(const Graph& graph) {
  std::string file;
  write_binary_graph(graph, [&](std::span<const std::byte> piece) {
    file.append(reinterpret_cast<const char*>(piece.data()), piece.size());
  });
  return file;
}

/// Computes anything: the operands' bytes again and again. Readers must not rely on what they are given.
inline bool any_results(const KernelSpec&, std::span<const std::span<const std::byte>> inputs,
                        std::span<const std::span<std::byte>> outputs) {
  std::vector<std::byte> bytes{std::byte{1}};
  for (const std::span<const std::byte> input : inputs) bytes.insert(bytes.end(), input.begin(), input.end());
  for (const std::span<std::byte> output : outputs)
    for (std::size_t i = 0; i < output.size(); ++i) output[i] = bytes[(i + 1) % bytes.size()];
  return true;
}

inline std::optional<Graph> read(std::string_view content, Diagnostics& diagnostics, const Format* format = nullptr) {
  LoadOptions options;
  options.formats = all_formats();
  options.format = format;
  options.file_name = "input";
  options.evaluate = any_results;
  options.max_nodes = 4096;         // loops are unrolled
  options.max_filled_bytes = 4096;  // what is read is written again, one number for each byte
  return read_graph(content, options, diagnostics);
}

/// A report must be fit for a terminal, whatever the file holds.
inline std::string check_report(const Diagnostics& diagnostics, std::string_view source) {
  const std::string text = render(diagnostics, [&](std::string_view) { return source; });
  for (const char c : text)
    if (c != '\n' && (std::uint8_t(c) < 0x20 || c == 0x7f)) return "a control character reaches the terminal";
  return {};
}

/// Of a graph in this format; null: in the one that the content looks like.
inline std::string check_graph(std::string_view content, const Format* format = nullptr) {
  Diagnostics diagnostics;
  const auto graph = read(content, diagnostics, format);
  if (graph.has_value() == diagnostics.has_errors()) return "there must be either a graph or an error";
  if (std::string broken = check_report(diagnostics, content); !broken.empty()) return broken;
  if (!graph) return {};
  if (const auto unsound = verify(*graph); !unsound.empty()) return unsound[0];

  const std::string written = write_json_graph(*graph, WeightsStyle::inline_bytes);
  Diagnostics again;
  const auto reread = read(written, again);
  if (!reread) return "what was written is refused: " + render(again);
  if (write_json_graph(*reread, WeightsStyle::inline_bytes) != written) return "what was written reads differently";
  const TextGraph form = write_text_graph(*graph, WeightsStyle::inline_bytes, true);
  if (!read(form.text, again)) return "the text form is refused: " + render(again);
  return {};
}

}  // namespace fuzz

/// webnn-graph-json: the same bytes are also read as the manifest of a small weights file.
inline std::string fuzz_json(std::string_view content) {
  using namespace fuzz;
  if (std::string broken = check_graph(content); !broken.empty()) return broken;
  Diagnostics diagnostics;
  const auto source = read_weights("input.weights", Bytes(std::vector<std::byte>(64)), "input", content, diagnostics);
  if (!source && !diagnostics.has_errors()) return "there must be either weights or an error";
  if (source)
    for (const std::string_view key : source->keys())
      if (const auto found = source->find(key); found.tensor && !found.tensor->broken)
        if (found.tensor->offset > 64 || found.tensor->length > 64 - found.tensor->offset)
          return "a tensor reaches beyond its file";
  return check_report(diagnostics, content);
}

/// The .webnn text form, also where the first word is broken.
inline std::string fuzz_text(std::string_view content) {
  if (std::string broken = fuzz::check_graph(content); !broken.empty()) return broken;
  return fuzz::check_graph("webnn_graph \"input\" v2 {\n" + std::string(content));
}

/// Binary graphs. What the graph is written as reads back as the same graph, and is written the same again.
inline std::string fuzz_binary(std::string_view content) {
  using namespace fuzz;
  if (std::string broken = check_graph(with_right_checksums(content, graph_container)); !broken.empty()) return broken;
  Diagnostics diagnostics;
  auto graph = read(with_right_checksums(content, graph_container), diagnostics);
  if (!graph) return {};
  check_constants(*graph, "input", diagnostics);
  const std::string written = written_binary(*graph);
  Diagnostics again;
  const auto reread = read(written, again);
  if (!reread) return "what was written is refused: " + render(again);
  return written_binary(*reread) == written ? "" : "what was written reads differently";
}

/// Programs. What the reader takes is safe to run, and reads back the same from what it is written as.
inline std::string fuzz_program(std::string_view content) {
  using namespace fuzz;
  Diagnostics diagnostics;
  const auto program = read_program(bytes_of(with_right_checksums(content, program_container)), "input", fuzz_kernels(),
                                    nullptr, diagnostics);
  if (program.has_value() == diagnostics.has_errors()) return "there must be either a program or an error";
  if (std::string broken = check_report(diagnostics, {}); !broken.empty()) return broken;
  if (!program) return {};
  if (const auto problems = verify_program(*program); !problems.empty()) return problems[0];
  const std::string written = written_program(*program);
  Diagnostics again;
  const auto reread = read_program(bytes_of(written), "input", fuzz_kernels(), nullptr, again);
  if (!reread) return "what was written is refused: " + render(again);
  return written_program(*reread) == written ? "" : "what was written reads differently";
}

/// .npy and safetensors: each input is read as both.
inline std::string fuzz_tensors(std::string_view content) {
  using namespace fuzz;
  try {
    const Tensor tensor = parse_npy(bytes_of(content), "input");
    if (tensor.data.size() != byte_length(tensor.descriptor)) return "an array has not the bytes that its shape needs";
  } catch (const Error& error) {
    if (error.code() != ExitCode::invalid_input) return std::string("wrong exit code for: ") + error.what();
  }
  Diagnostics diagnostics;
  const auto source = read_safetensors("input", bytes_of(content), diagnostics);
  if (!source && !diagnostics.has_errors()) return "there must be either tensors or an error";
  if (source)
    for (const std::string_view key : source->keys())
      if (const auto found = source->find(key); found.tensor && !found.tensor->broken)
        if (found.tensor->offset > content.size() || found.tensor->length > content.size() - found.tensor->offset)
          return "a tensor reaches beyond its file";
  return check_report(diagnostics, {});
}

/// A kind of files to fuzz, whose seeds are tests/fuzz/corpus/NAME.
struct FuzzTarget {
  std::string_view name;
  std::vector<std::string_view> suffixes;  // of the files in tests/frontend that are seeds too
  std::string (*check)(std::string_view content) = nullptr;
  const compiler::Format* format = nullptr;  // of the graphs that are read when there is no `check`
};

/// Every format that is read, with what is asked of it beyond what is asked of all graphs, and tensors.
inline std::vector<FuzzTarget> fuzz_targets() {
  const FuzzTarget own[] = {
      {"json", {}, fuzz_json}, {"text", {}, fuzz_text}, {"binary", {}, fuzz_binary}, {"program", {}, fuzz_program}};
  std::vector<FuzzTarget> targets;
  for (const compiler::Format* format : compiler::read_formats(compiler::all_formats())) {
    const auto* found = std::ranges::find(own, format->name, &FuzzTarget::name);
    targets.push_back({format->name, {format->suffix}, found == std::end(own) ? nullptr : found->check, format});
  }
  targets.push_back({"tensors", {".npy", ".safetensors"}, fuzz_tensors});
  return targets;
}

/// What of a target's promises the content breaks; empty: nothing.
inline std::string broken_promise(const FuzzTarget& target, std::string_view content) {
  return target.check ? target.check(content) : fuzz::check_graph(content, target.format);
}

}  // namespace webnn::tests
