#include "cli/batch/facts.hpp"

#include <filesystem>

#include "cli/inspect/graph_hash.hpp"
#include "compiler/frontend/mapped_file.hpp"
#include "schema/file/checksum.hpp"
#include "schema/version.hpp"

namespace webnn::cli {

using namespace schema;
namespace fs = std::filesystem;

namespace {

/// The model is read a second time, and silently: whoever compiles it has told what there is to tell.
std::string hash_of(const api::Model& model, const CompileOptions& compile) {
  if (model.is_program()) return checksum_text(checksum_of(model.source().text()));
  api::Model again(model.source(), model.reading());
  return whole_hash(again.take_graph_with(dimension_sizes(compile.dimensions)));
}

std::string hash_of_file(const std::string& file) {
  constexpr std::uint64_t most_bytes = std::uint64_t{1} << 30;
  return file.empty() ? std::string() : checksum_text(checksum_of(compiler::read_whole_file(file, most_bytes)));
}

}  // namespace

Json batch_facts(const api::Model& model, const CompileOptions& compile, const BatchOptions& batch,
                 const std::vector<std::string>& images) {
  std::vector<std::string> sources;
  for (const std::string& source : batch.sources) sources.push_back(fs::absolute(source).lexically_normal().string());
  return {{"schema", "webnn-cli/batch-record/1"},
          {"version", version},
          {"model", hash_of(model, compile)},
          {"batch", sources},
          {"image", images},
          {"device", compile.device},
          {"isa", compile.isa},
          {"kernels", compile.kernels},
          {"level", compile.level},
          {"fallback", compile.fallback},
          {"tuning", hash_of_file(compile.tuning)}};
}

}  // namespace webnn::cli
