#include "api/runner/read_program.hpp"

#include <limits>
#include <sys/stat.h>

#include "api/kernels.hpp"
#include "compiler/frontend/mapped_file.hpp"
#include "schema/file/file_mapping.hpp"
#include "schema/file/program_file.hpp"
#include "schema/text.hpp"

namespace webnn::api {

using namespace schema;

std::optional<Bytes> map_program_file(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) return std::nullopt;
  Bytes bytes = compiler::map_file(file, std::numeric_limits<std::uint64_t>::max());
  return is_container(text_of(bytes), program_container) ? std::optional(std::move(bytes)) : std::nullopt;
}

std::optional<Bytes> map_program_file(int descriptor, const std::string& name) {
  struct stat status {};
  if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size == 0) return std::nullopt;
  Bytes bytes = map_open_file(descriptor, std::size_t(status.st_size), name);
  return is_container(text_of(bytes), program_container) ? std::optional(std::move(bytes)) : std::nullopt;
}

std::optional<Program> read_program_for(const runtime::Device& device, const Bytes& file, const std::string& file_name,
                                        Diagnostics& diagnostics) {
  std::optional<Program> program = read_program(file, file_name, kernel_table(), &device.target(), diagnostics);
  if (!program) return std::nullopt;
  for (const Step& step : program->steps)
    if (!device.can_run(step.kernel, spec_of(*program, step))) {
      diagnostics
          .error(Code::program_gpu, {file_name, 0, 0, {}},
                 "kernel " + in_quotes(row(step.kernel).name) + " cannot run " + in_quotes(step.label) + " on " +
                     std::string(device.name()))
          .hints.emplace_back("compile the graph for this device");
      return std::nullopt;
    }
  return program;
}

}  // namespace webnn::api
