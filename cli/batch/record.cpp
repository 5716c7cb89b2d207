#include "cli/batch/record.hpp"

#include "cli/options/file_use.hpp"
#include "cli/output/output_files.hpp"
#include "compiler/frontend/mapped_file.hpp"
#include "schema/error.hpp"
#include "schema/text.hpp"

namespace webnn::cli {

using namespace schema;
namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t most_record_bytes = std::uint64_t{1} << 24;

[[noreturn]] void refuse_folder(const fs::path& folder, const std::string& why) {
  throw Error(ExitCode::usage, in_quotes(folder.string()) + " " + why,
              "--force starts over; or name another folder with --outputs");
}

/// The text of a fact, on one line.
std::string fact_text(const Json* fact) { return fact ? fact->dump(-1) : "nothing"; }

/// Throws Error (usage) when the text of a record has other facts.
void check_facts(const fs::path& folder, const std::string& text, const Json& facts) {
  const std::optional<Json> recorded = Json::parse(text);
  if (!recorded || !recorded->members()) refuse_folder(folder, "has a batch.json that is no record of a batch");
  for (const auto& [name, value] : *facts.members())
    if (const std::string old = fact_text(recorded->find(name)), now = fact_text(&value); old != now)
      refuse_folder(folder, "holds the results of another batch: " + name + " was " + old + " and is " + now);
}

}  // namespace

std::optional<fs::file_time_type> open_record(const fs::path& folder, const Json& facts, bool force) {
  const fs::path file = folder / record_of_results;
  const auto is_there = [&] {
    std::error_code error;
    return fs::exists(file, error);
  };
  const auto check = [&] { check_facts(folder, compiler::read_whole_file(file, most_record_bytes), facts); };
  if (!force && is_there()) {
    const fs::file_time_type since = fs::last_write_time(file);
    check();
    return since;
  }
  try {
    write_whole_file(file, facts.dump() + "\n");
  } catch (const Error&) {
    if (force || !is_there()) throw;
    check();  // another shard has begun the same batch at the same time
  }
  return std::nullopt;
}

}  // namespace webnn::cli
