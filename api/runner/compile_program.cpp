#include "api/runner/compile_program.hpp"

#include <utility>

#include "api/kernels.hpp"
#include "api/oracle/evaluate.hpp"
#include "api/pack_constant.hpp"
#include "compiler/frontend/binary/binary_reader.hpp"
#include "compiler/frontend/mapped_file.hpp"
#include "runtime/threads/float_mode.hpp"
#include "schema/file/file_mapping.hpp"

namespace webnn::api {

using namespace schema;

namespace {

/// Lends the runtime's kernels to the compiler: all rows, of which those that the device cannot run are not available;
/// reference kernels compute constants, and kernels pack the constants that they will read. What is known of such devices
/// comes after what was measured here. The device must outlive the options.
void lend_runtime(compiler::Options& options, const runtime::Device& device) {
  options.evaluate = reference_evaluate();
  options.kernel_table = kernel_table();
  options.pack = pack_constant;
  options.release = compiler::release_pages;
  if (options.kernels.empty())
    for (const runtime::KernelChoice& choice : device.choices())
      if (const auto kernel = options.kernel_table.find(choice.kernel))
        options.tuning.calls.try_emplace(std::string(choice.call_class), compiler::CallPreference{kernel, kernel, 0});
  options.available = [&device, caller = std::move(options.available)](const KernelRow& kernel,
                                                                       const KernelSpec& spec) {
    return device.can_run({&kernel}, spec) && (!caller || caller(kernel, spec));
  };
}

std::vector<Bytes> mapped_constants(const compiler::Graph& graph) {
  std::vector<Bytes> list;
  for (std::uint32_t i = 0; i < graph.value_count(); ++i)
    if (const Bytes& data = graph.value({i}).data; data.is_mapped()) list.push_back(data);
  return list;
}

/// Up to this size a constant that kernels read in place is copied: far more than a bias has, far less than a matrix.
constexpr std::size_t most_copied_bytes = std::size_t{1} << 16;

/// Leaves as little as possible of the files mapped. The system maps pages of up to 2 MiB, so a bias that every run reads
/// would keep the packed matrices beside it in memory: 120 MiB of the 340 MiB of bert_base. Each copy's pages are released
/// at once, or all of them would be mapped in between.
void copy_small_constants(Program& program, const std::vector<Bytes>& mapped) {
  for (Bytes& constant : program.constants) {
    if (!constant.is_mapped() || constant.size() > most_copied_bytes) continue;
    Bytes copy(std::vector(constant.view().begin(), constant.view().end()));
    compiler::release_pages(constant);
    constant = std::move(copy);
  }
  for (const Bytes& data : mapped) compiler::release_pages(data);
}

}  // namespace

std::optional<Program> compile_program(compiler::Graph graph, compiler::Options options, const runtime::Device& device,
                                       std::string_view provider, Diagnostics& diagnostics) {
  return compile_program_for(device.target(), std::move(graph), std::move(options), device, provider, diagnostics);
}

std::optional<Program> compile_program_for(const Target& target, compiler::Graph graph, compiler::Options options,
                                           const runtime::Device& here, std::string_view provider,
                                           Diagnostics& diagnostics) {
  const runtime::DefaultFloatMode mode;  // constants are folded and packed in it
  if (options.verify_constants && !compiler::check_constants(graph, options.file_name, diagnostics))
    return std::nullopt;
  options.target = target;
  lend_runtime(options, here);
  if (here.target() != target) options.pack = nullptr;
  if (options.level >= 3) options.fold_limit_bytes = max_tensor_bytes;
  if (options.kernels.empty()) options.kernels = provider;
  const std::vector<Bytes> files = mapped_constants(graph);
  std::optional<Program> program = compiler::compile(std::move(graph), options, diagnostics);
  if (program) copy_small_constants(*program, files);
  for (const Bytes& file : files) check_not_cut(file);
  return program;
}

}  // namespace webnn::api
