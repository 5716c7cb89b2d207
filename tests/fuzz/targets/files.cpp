// Files that only the command line reads: pictures, vectors, tuning files, baselines, compiled shaders.
#include <cmath>
#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <sys/mman.h>
#include <unistd.h>

#include "api/kernels.hpp"
#include "cli/inputs/image.hpp"
#include "cli/measure/baseline.hpp"
#include "cli/tuning/tuning_file.hpp"
#include "compiler/vectors/validation_vector.hpp"
#include "compiler/vectors/vector_reader.hpp"
#include "runtime/cpu/cpu_device.hpp"
#include "schema/error.hpp"
#include "schema/render_diagnostics.hpp"
#include "tests/fuzz/whole_targets.hpp"
#ifdef WEBNN_VULKAN
#include "runtime/vulkan/pipeline_cache.hpp"
#endif

namespace webnn::tests {
namespace {

using namespace schema;

/// A file in memory with a name.
class NamedFile {
 public:
  explicit NamedFile(std::string_view content) : descriptor_(memfd_create("fuzz", MFD_CLOEXEC)) {
    while (!content.empty()) {
      const ssize_t written = ::write(descriptor_, content.data(), content.size());
      if (written <= 0) break;
      content.remove_prefix(std::size_t(written));
    }
  }
  NamedFile(const NamedFile&) = delete;
  NamedFile& operator=(const NamedFile&) = delete;
  ~NamedFile() { close(descriptor_); }
  std::string name() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

bool is_text_for_terminals(std::string_view text) {
  for (const char c : text)
    if (c != '\n' && (std::uint8_t(c) < 0x20 || c == 0x7f)) return false;
  return true;
}

/// Which errors of files are right: the file's own mistakes and limits.
std::string check_error(const Error& error) {
  if (!is_text_for_terminals(error.what())) return "a control character reaches the terminal";
  const ExitCode code = error.code();
  if (code == ExitCode::invalid_input || code == ExitCode::resource || code == ExitCode::unsupported) return {};
  return std::string("wrong exit code for: ") + error.what();
}

}  // namespace

std::string fuzz_picture(std::string_view content) {
  const NamedFile file(content);
  try {
    const cli::Picture picture = cli::read_picture(file.name());
    if (picture.rgb.size() != std::size_t(picture.width) * picture.height * 3)
      return "a picture has not the pixels of its size";
    if (picture.rgb.size() > 3'000'000) return {};  // scaling it would take long
    const cli::Picture scaled = cli::scale(picture, 5, 3);
    if (scaled.rgb.size() != 45) return "a scaled picture has not the pixels of its size";
  } catch (const Error& error) {
    return check_error(error);
  }
  return {};
}

std::string fuzz_vectors(std::string_view content) {
  try {
    for (const compiler::ConformanceVector& vector : compiler::read_conformance_vectors(content, "input", 1 << 16)) {
      if (!vector.errors.empty()) continue;
      if (vector.inputs.size() != vector.graph.inputs().size() ||
          vector.expected.size() != vector.graph.outputs().size())
        return "a vector without errors lacks tensors";
    }
  } catch (const Error& error) {
    if (std::string wrong = check_error(error); !wrong.empty()) return wrong;
  }
  std::size_t count = 0;
  for (const compiler::ValidationVector& vector : compiler::read_validation_vectors(content))
    if (vector.run().message.empty() && ++count > 1000) break;
  return {};
}

std::string fuzz_tuning(std::string_view content) {
  static const runtime::CpuDevice device;
  static const cli::MachineClass machine = cli::machine_class(device, device.target(), 1);
  Diagnostics diagnostics;
  const auto tuning = cli::read_tuning(content, "input", machine, diagnostics);
  if (tuning.has_value() == diagnostics.has_errors()) return "there must be either a table or an error";
  if (!is_text_for_terminals(render(diagnostics, [&](std::string_view) { return content; })))
    return "a control character reaches the terminal";
  return {};
}

std::string fuzz_baseline(std::string_view content) {
  const NamedFile file(content);
  try {
    for (const auto& [name, metrics] : cli::read_baseline(file.name()).rounds)
      for (const auto& [metric, rounds] : metrics)
        if (!cli::is_metric(metric) || rounds.empty()) return "a metric without a meaning or without rounds";
  } catch (const Error& error) {
    return check_error(error);
  }
  return {};
}

std::string fuzz_shader_cache(std::string_view content) {
#ifdef WEBNN_VULKAN
  using namespace runtime::vulkan;
  constexpr std::string_view key = "vendor 1, device 2";
  const auto bytes = std::as_bytes(std::span(content));
  if (const auto data = unframed_pipelines(key, bytes)) {
    const auto outside = data->data() < bytes.data() || data->data() + data->size() > bytes.data() + bytes.size();
    if (!data->empty() && outside) return "the driver's data lie outside of the file";
    const std::vector<std::byte> framed = framed_pipelines(key, *data);
    if (!std::ranges::equal(framed, bytes)) return "a frame reads that would not be written";
  }
  // What is framed is found again, with any data, and with another key it is not.
  const std::vector<std::byte> framed = framed_pipelines(key, bytes);
  const auto again = unframed_pipelines(key, framed);
  if (!again || !std::ranges::equal(*again, bytes)) return "framed data are not found";
  if (unframed_pipelines("another", framed)) return "data of another driver are taken";
#else
  static_cast<void>(content);
#endif
  return {};
}

}  // namespace webnn::tests
