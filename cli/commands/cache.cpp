// `webnn-cli cache list|info|clean`: the programs and compiled shaders in the user's cache.
#include <ctime>
#include <memory>

#include "api/kernels.hpp"
#include "api/runner/program_cache.hpp"
#include "api/runner/read_program.hpp"
#include "cli/command.hpp"
#include "cli/json/json.hpp"
#include "cli/output/summary.hpp"
#include "schema/file/program_file.hpp"
#include "schema/text.hpp"

namespace webnn::cli {
namespace {

using namespace schema;

struct CacheOptions {
  std::string what, format = "text";
  std::uint64_t keep_bytes = 0;
};

using Entry = api::ProgramCache::Entry;

/// The name and requirements of a cached program; empty when this version cannot read it.
std::string described(const Entry& entry) {
  if (entry.kind == Entry::Kind::shaders) return "shaders of a GPU";
  if (entry.kind == Entry::Kind::unfinished) return "not finished, or left over from a process that was killed";
  try {
    Diagnostics ignored;
    const auto bytes = api::map_program_file(entry.file);
    const auto program = bytes ? read_program(*bytes, {}, api::kernel_table(), nullptr, ignored) : std::nullopt;
    if (program)
      return (program->name.empty() ? "(no name)" : escaped(program->name)) + ", " +
             counted(program->steps.size(), "step") + ", " + text_of(program->target.features);
  } catch (const Error&) {  // removed by another process just now
  }
  return {};
}

std::string time_text(std::time_t time) {
  std::tm parts{};
  gmtime_r(&time, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

void list(const api::ProgramCache& cache, bool json, Console& console) {
  Json programs = Json::array();
  for (const Entry& entry : cache.entries()) {
    const std::string what = described(entry);
    if (json)
      programs.push_back({{"file", entry.file.string()},
                          {"bytes", entry.bytes},
                          {"lastUse", time_text(entry.last_use)},
                          {"program", what}});
    else
      console.out << time_text(entry.last_use) << "  " << size_text(entry.bytes) << "  "
                  << escaped(entry.file.filename().string()) << "  " << (what.empty() ? "of another version" : what)
                  << "\n";
  }
  if (json) console.out << Json{{"schema", "webnn-cli/cache-list/1"}, {"programs", std::move(programs)}}.dump() << "\n";
}

void info(const api::ProgramCache& cache, bool json, Console& console) {
  struct Sum {
    std::uint64_t count = 0, bytes = 0;
  };
  Sum sums[3];
  for (const Entry& entry : cache.entries()) {
    Sum& sum = sums[std::size_t(entry.kind)];
    sum.bytes += entry.bytes;
    ++sum.count;
  }
  const auto& [programs, shaders, unfinished] = sums;
  if (json)
    console.out << Json{{"schema", "webnn-cli/cache-info/1"}, {"folder", cache.folder().string()},
                        {"programs", programs.count},         {"bytes", programs.bytes},
                        {"shaderBytes", shaders.bytes},       {"unfinishedBytes", unfinished.bytes},
                        {"limitBytes", cache.limit_bytes()}}
                       .dump()
                << "\n";
  else
    console.out << "folder   " << escaped(cache.folder().string()) << "\n"
                << "programs " << programs.count << ", " << size_text(programs.bytes) << "\n"
                << "shaders  " << size_text(shaders.bytes) << " of " << counted(shaders.count, "GPU") << "\n"
                << "others   " << size_text(unfinished.bytes) << " of " << counted(unfinished.count, "unfinished file")
                << "\n"
                << "limit    " << size_text(cache.limit_bytes()) << "; those not used for longest go first\n";
}

ExitCode cache(const CacheOptions& options, Console& console) {
  const auto folder = api::ProgramCache::user_folder();
  if (!folder)
    throw Error(ExitCode::io, "there is no folder for a cache", "set XDG_CACHE_HOME or HOME to an absolute path");
  const api::ProgramCache cache(*folder);
  const bool json = options.format == "json";
  if (options.what == "list") list(cache, json, console);
  if (options.what == "info") info(cache, json, console);
  if (options.what == "clean") {
    const std::uint64_t removed = cache.clean(options.keep_bytes);
    if (json)
      console.out << Json{{"schema", "webnn-cli/cache-clean/1"}, {"removedBytes", removed}}.dump() << "\n";
    else
      console.out << "removed " << size_text(removed) << "\n";
  }
  return ExitCode::success;
}

}  // namespace

Action declare_cache(OptionList& list) {
  auto options = std::make_shared<CacheOptions>();
  list.add("action", options->what, "list: what there is; info: where, how many, how large; clean: remove it")
      .required()
      .one_of({"list", "info", "clean"});
  list.add("--keep", options->keep_bytes, "clean: leave this much of what was used last").size().shows_default("0");
  list.add("--output-format", options->format, "text or json").one_of({"text", "json"});
  return [options](Console& console) { return cache(*options, console); };
}

}  // namespace webnn::cli
