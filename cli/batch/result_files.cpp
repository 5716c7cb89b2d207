#include "cli/batch/result_files.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

#include "cli/output/output_files.hpp"
#include "compiler/frontend/npy.hpp"
#include "compiler/frontend/weights_writer.hpp"
#include "schema/error.hpp"
#include "schema/file/descriptor.hpp"
#include "schema/name_hash.hpp"
#include "schema/text.hpp"

namespace webnn::cli {

using namespace schema;
namespace fs = std::filesystem;

namespace {

/// Writes the file: an array of one output, tensors by name of several.
void write_outputs(std::span<const api::Slot> outputs, std::vector<std::vector<std::byte>> data,
                   const compiler::ByteSink& sink) {
  if (outputs.size() == 1) return sink(compiler::npy_bytes(outputs[0].descriptor, data[0]));
  compiler::Graph graph;  // the writer takes the constants of a graph
  for (std::size_t i = 0; i < outputs.size(); ++i)
    graph.add_constant(outputs[i].name, outputs[i].descriptor, Bytes(std::move(data[i])));
  compiler::write_safetensors(graph, sink);
}

/// What all files have in length, because it depends on types, shapes and names alone.
std::uint64_t length_of_file(std::span<const api::Slot> outputs) {
  std::vector<std::vector<std::byte>> zeros;
  for (const api::Slot& output : outputs) zeros.emplace_back(byte_length(output.descriptor));
  std::uint64_t length = 0;
  write_outputs(outputs, std::move(zeros), [&](std::string_view piece) { length += piece.size(); });
  return length;
}

bool is_same_folder(const fs::path& a, const fs::path& b) {
  std::error_code error;  // one that cannot be examined is judged by its name
  return fs::absolute(a).lexically_normal() == fs::absolute(b).lexically_normal() || fs::equivalent(a, b, error);
}

}  // namespace

ResultFiles::ResultFiles(fs::path folder, std::vector<api::Slot> outputs)
    : folder_(std::move(folder)), outputs_(std::move(outputs)) {
  if (!folder_.has_filename()) folder_ = folder_.parent_path();  // "out/"
  for (const api::Slot& output : outputs_)
    if (outputs_.size() > 1 && bits_of(output.descriptor.type) == 4)
      throw Error(ExitCode::usage,
                  "output " + in_quotes(output.name) + " is " + output.descriptor.text() +
                      ", but the results of several outputs are safetensors, which have no such type",
                  "let the graph cast it to int8 or uint8");
  file_bytes_ = length_of_file(outputs_);
}

void ResultFiles::check(std::span<const compiler::FileName> inputs) const {
  ByName<const fs::path*> stems;
  NameSet folders;
  for (const compiler::FileName& name : inputs) {
    const fs::path& input = name.path;
    if (const auto [at, is_new] = stems.emplace(input.stem().string(), &input); !is_new)
      throw Error(ExitCode::usage,
                  in_quotes(at->second->string()) + " and " + in_quotes(input.string()) +
                      " would both have the result " + in_quotes(file_for(input).string()),
                  "rename one, or give them batches with --outputs of their own");
    const fs::path folder = input.has_parent_path() ? input.parent_path() : fs::path(".");
    if (folders.insert(folder.string()).second && is_same_folder(folder, folder_))
      throw Error(ExitCode::usage,
                  "the results would go to " + in_quotes(folder_.string()) + ", where input " +
                      in_quotes(input.string()) + " lies",
                  "name another folder with --outputs");
  }
}

fs::path ResultFiles::file_for(const fs::path& input) const {
  return folder_ / (input.stem().string() + (outputs_.size() == 1 ? ".npy" : ".safetensors"));
}

bool ResultFiles::has(const fs::path& input, fs::file_time_type since) const {
  const fs::path file = file_for(input);
  std::error_code error;
  if (fs::file_size(file, error) != file_bytes_ || error) return false;
  const fs::file_time_type written = fs::last_write_time(file, error);
  if (error || written < since) return false;
  const fs::file_time_type changed = fs::last_write_time(input, error);
  return !error && written >= changed;
}

void ResultFiles::write(const fs::path& input, std::vector<std::vector<std::byte>> data) const {
  OutputFile file(file_for(input));
  write_outputs(outputs_, std::move(data), [&](std::string_view piece) { file.append(piece); });
  file.commit(OutputFile::Sync::no);
}

void ResultFiles::sync() const {
  const Descriptor folder(::open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder.valid()) return;  // a sandbox
  if (syncfs(folder.get()) != 0 && errno != EPERM && errno != ENOSYS)
    throw Error(ExitCode::io, "cannot write " + in_quotes(folder_.string()) + ": " + std::strerror(errno));
}

}  // namespace webnn::cli
