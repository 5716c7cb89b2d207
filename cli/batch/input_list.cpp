#include "cli/batch/input_list.hpp"

#include <algorithm>
#include <glob.h>
#include <memory>

#include "cli/programs/similar_files.hpp"
#include "schema/error.hpp"
#include "schema/text.hpp"

namespace webnn::cli {

using namespace schema;
namespace fs = std::filesystem;

namespace {

/// The endings that make a file of a folder an input.
struct Ending {
  std::string_view text;
  InputKind kind;
};
constexpr Ending endings[] = {
    {".npy", InputKind::array},   {".safetensors", InputKind::tensors}, {".png", InputKind::picture},
    {".jpg", InputKind::picture}, {".jpeg", InputKind::picture},
};

const Ending* ending_of(const fs::path& file) {
  std::string text = file.extension().string();
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = char(c - 'A' + 'a');
  const auto* row = std::ranges::find(endings, text, &Ending::text);
  return row == std::end(endings) ? nullptr : row;
}

using Files = std::vector<compiler::FileName>;

/// Also a link to what is not there, which is reported with the other inputs that cannot be read.
bool may_be_input(const fs::path& file) {
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  return fs::is_regular_file(status) || status.type() == fs::file_type::not_found;
}

void add_folder(const fs::path& folder, Files& files) {
  const std::size_t before = files.size();
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    if (ending_of(entry.path()) && !entry.path().filename().string().starts_with('.') && may_be_input(entry.path()))
      files.push_back(compiler::FileName::found(folder.lexically_normal(), entry.path().lexically_normal()));
  if (files.size() == before)
    throw Error(ExitCode::usage, "there are no inputs in " + in_quotes(folder.string()),
                "inputs of a batch end with .npy, .safetensors, .png, .jpg or .jpeg; other names need a pattern");
}

void add_pattern(const std::string& pattern, Files& files) {
  glob_t found{};
  const std::unique_ptr<glob_t, void (*)(glob_t*)> guard(&found, globfree);
  const int result = glob(pattern.c_str(), GLOB_NOSORT, nullptr, &found);
  if (result == GLOB_NOSPACE) throw std::bad_alloc();
  const std::size_t before = files.size();
  for (std::size_t i = 0; result == 0 && i < found.gl_pathc; ++i)
    if (may_be_input(found.gl_pathv[i])) files.emplace_back(fs::path(found.gl_pathv[i]).lexically_normal());
  if (files.size() == before) throw Error(ExitCode::usage, "no file matches " + in_quotes(pattern));
}

void add_source(const std::string& source, Files& files) {
  std::error_code error;
  const fs::file_status status = fs::status(source, error);
  if (fs::is_directory(status)) return add_folder(source, files);
  if (fs::is_regular_file(status)) return files.emplace_back(fs::path(source).lexically_normal()), void();
  if (fs::exists(status)) throw Error(ExitCode::usage, in_quotes(source) + " is neither a file nor a folder");
  if (source.find_first_of("*?[") != std::string::npos) return add_pattern(source, files);
  throw Error(ExitCode::io, "cannot read " + in_quotes(source) + ": " + error.message(), similar_file_hint(source));
}

}  // namespace

InputKind kind_of_input(const fs::path& file) {
  const Ending* ending = ending_of(file);
  return ending ? ending->kind : InputKind::picture;
}

Files find_inputs(std::span<const std::string> sources) {
  Files files;
  for (const std::string& source : sources) add_source(source, files);
  std::ranges::sort(files, [](const compiler::FileName& a, const compiler::FileName& b) {
    if (a.path != b.path) return a.path.native() < b.path.native();
    return a.folder.empty() && !b.folder.empty();  // one that was named, and found too, counts as named
  });
  const auto doubles = std::ranges::unique(files, {}, &compiler::FileName::path);
  files.erase(doubles.begin(), doubles.end());
  return files;
}

void keep_shard(Files& files, const Shard& shard) {
  std::size_t kept = 0;
  for (std::size_t i = shard.index; i < files.size(); i += shard.count) std::swap(files[kept++], files[i]);
  files.erase(files.begin() + std::ptrdiff_t(std::min(kept, files.size())), files.end());
}

}  // namespace webnn::cli
