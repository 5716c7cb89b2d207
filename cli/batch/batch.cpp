#include "cli/batch/batch.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "api/runner/session.hpp"
#include "cli/batch/input_list.hpp"
#include "cli/batch/record.hpp"
#include "cli/batch/workers.hpp"
#include "cli/inputs/bound_inputs.hpp"
#include "cli/output/messages.hpp"
#include "cli/output/output_files.hpp"
#include "cli/output/progress.hpp"
#include "schema/file/file_mapping.hpp"
#include "schema/text.hpp"

namespace webnn::cli {

using namespace schema;
namespace fs = std::filesystem;

namespace {

/// What `read` throws about an input's file; nullopt: nothing.
template <typename Read>
std::optional<InputOutcome> refusal_of(Read read) {
  try {
    read();
    return std::nullopt;
  } catch (const Error& error) {
    return InputOutcome{InputOutcome::Kind::refused, error.what(), error.hint()};
  } catch (const fs::filesystem_error& error) {
    return InputOutcome{InputOutcome::Kind::refused, error.code().message()};
  }
}

/// Errors of files mostly begin with their names.
std::string named(const fs::path& file, const std::string& message) {
  const std::string name = in_quotes(file.string());
  return message.find(name) == std::string::npos ? name + ": " + message : message;
}

std::vector<std::string> hints_of(const RefusedInput& one) {
  return one.hint.empty() ? std::vector<std::string>() : std::vector{one.hint};
}

std::string closing_line(const BatchTally& tally, double seconds) {
  std::string line = counted(tally.finished(), "input") + ": " + std::to_string(tally.computed) + " computed";
  if (tally.were_there != 0) line += ", " + std::to_string(tally.were_there) + " there already";
  if (!tally.refused.empty()) line += ", " + std::to_string(tally.refused.size()) + " failed";
  if (tally.computed == 0) return line;
  char speed[64];
  std::snprintf(speed, sizeof speed, " (%.3g s, %.3g a second)", seconds, double(tally.computed) / seconds);
  return line + speed;
}

/// {"schema": "webnn-cli/batch/1", "inputs", "computed", "thereAlready", "failed": [{"input", "message", "hints"}],
///  "seconds"}
Json closing_json(const BatchTally& tally, const std::vector<compiler::FileName>& files, double seconds) {
  Json failed = Json::array();
  for (const RefusedInput& one : tally.refused)
    failed.push_back({{"input", files[one.index].string()}, {"message", one.message}, {"hints", hints_of(one)}});
  return {{"schema", "webnn-cli/batch/1"},    {"inputs", tally.finished()},  {"computed", tally.computed},
          {"thereAlready", tally.were_there}, {"failed", std::move(failed)}, {"seconds", seconds}};
}

}  // namespace

BatchRun::BatchRun(BatchOptions options, fs::path folder, const std::vector<std::string>& images,
                   const std::vector<api::Slot>& inputs, const std::vector<api::Slot>& outputs,
                   std::uint64_t max_tensor_bytes)
    : options_(std::move(options)),
      folder_(std::move(folder)),
      files_(find_inputs(options_.sources)),
      reader_(inputs, images, max_tensor_bytes, files_),
      results_(folder_, outputs) {
  results_.check(files_);
  keep_shard(files_, shard_of(options_));
  check_writable_folder(folder_);
}

ExitCode BatchRun::run(const BatchWork& work, Console& console, bool json, bool quiet) const {
  const auto start = std::chrono::steady_clock::now();
  const std::optional<fs::file_time_type> since = open_record(folder_, work.facts, options_.force);
  Progress bar(console, quiet ? "never" : options_.progress, "inputs");

  const auto make_worker = [&]() -> Worker {
    auto session = std::make_shared<api::Session>(work.context);
    session->load(work.program);  // its constants are shared
    return [this, since, session = std::move(session)](std::size_t index) -> InputOutcome {
      const compiler::FileName& file = files_[index];
      if (since && results_.has(file.path, *since)) return {InputOutcome::Kind::was_there};
      std::vector<compiler::Tensor> data;
      if (auto refusal = refusal_of([&] { data = reader_.read(file); })) return *refusal;
      session->write(views_of(data));
      if (auto refusal = refusal_of([&] { std::ranges::for_each(data, check_not_cut, &compiler::Tensor::data); }))
        return *refusal;
      data.clear();
      session->compute();
      results_.write(file.path, session->read());
      return {};
    };
  };
  const BatchListener listener{
      [&](const RefusedInput& one) {
        bar.hide();
        report_error(console, {named(files_[one.index].path, one.message), hints_of(one)});
      },
      [&](std::size_t finished) { bar.show(double(finished) / double(std::max<std::size_t>(files_.size(), 1))); }};

  const auto workers = unsigned(std::min<std::size_t>(work.workers, std::max<std::size_t>(files_.size(), 1)));
  const BatchTally tally = run_workers(files_.size(), workers, make_worker, listener);
  if (tally.computed != 0) results_.sync();
  bar.hide();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (!quiet && json) console.out << closing_json(tally, files_, seconds).dump() << "\n";
  if (!quiet && !json) console.out << closing_line(tally, seconds) << "\n";
  return tally.refused.empty() ? ExitCode::success : ExitCode::negative;
}

}  // namespace webnn::cli
