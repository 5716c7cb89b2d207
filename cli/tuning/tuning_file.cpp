#include "cli/tuning/tuning_file.hpp"

#include <cmath>

#include "api/kernels.hpp"
#include "cli/json/json.hpp"
#include "cli/measure/machine.hpp"
#include "cli/output/messages.hpp"
#include "cli/programs/similar_files.hpp"
#include "compiler/frontend/json/json_access.hpp"
#include "compiler/frontend/json/json_document.hpp"
#include "compiler/frontend/mapped_file.hpp"
#include "schema/error.hpp"
#include "schema/file/checksum.hpp"
#include "schema/text.hpp"
#include "schema/version.hpp"

namespace webnn::cli {

using namespace schema;
using compiler::CallPreference;
using compiler::JsonValue;

namespace {

constexpr std::string_view form = "webnn-cli/tuning/1";
constexpr std::uint64_t most_bytes = std::uint64_t{1} << 28;

/// Over the available rows, in order.
std::string kernels_hash() {
  std::string names;
  for (const KernelRow& kernel : api::kernel_table()) (names += kernel.name) += "\n";
  return checksum_text(checksum_of(names));
}

double rounded(double value) { return std::round(value * 1000) / 1000; }

Json json_of(const MeasuredCall& call) {
  Json json{{"call", call.call}, {"steps", call.steps}};
  if (call.use) {
    Json use = Json::object();
    if (call.use->row_major) use["rowMajor"] = row(*call.use->row_major).name;
    if (call.use->channels_last) use["channelsLast"] = row(*call.use->channels_last).name;
    if (call.use->channels_last_bytes != 0) use["channelsLastBytes"] = call.use->channels_last_bytes;
    json["use"] = std::move(use);
  }
  json["reason"] = call.reason;
  for (const MeasuredKernel& candidate : call.candidates) {
    Json one{{"kernel", row(candidate.kernel).name},
             {"layout", name_of(candidate.layout)},
             {"microseconds", rounded(candidate.microseconds)}};
    if (candidate.is_default) one["default"] = true;
    json["candidates"].push_back(std::move(one));
  }
  return json;
}

/// Reads one file; every function reports errors and then gives nothing.
class Reader {
 public:
  Reader(const MachineClass& machine, Diagnostics& diagnostics) : machine_(machine), diagnostics_(diagnostics) {}

  std::optional<compiler::Tuning> read(JsonValue root) {
    if (!root.is(JsonValue::Kind::object)) {
      compiler::report_wrong_type(diagnostics_, root, "a tuning file", "an object");
      return std::nullopt;
    }
    const auto schema = text(root, "schema");
    if (!schema) return std::nullopt;
    if (*schema != form) {
      diagnostics_
          .error(schema->starts_with("webnn-cli/tuning/") ? Code::bad_version : Code::bad_format,
                 root.find("schema").location(),
                 "'schema' is " + in_quotes(*schema) + ", but a tuning file's is " + in_quotes(form))
          .hints.push_back("`webnn-cli compile --tune full --tuning FILE` writes one");
      return std::nullopt;
    }
    check_machine(root);
    const JsonValue calls = compiler::required_member(root, "calls", diagnostics_);
    if (calls && !calls.is(JsonValue::Kind::array))
      compiler::report_wrong_type(diagnostics_, calls, "'calls'", "an array");
    for (const JsonValue call : calls) read_call(call);
    if (diagnostics_.has_errors()) return std::nullopt;
    return std::move(tuning_);
  }

 private:
  std::optional<std::string> text(JsonValue object, std::string_view member) {
    const JsonValue value = compiler::required_member(object, member, diagnostics_);
    if (!value) return std::nullopt;
    if (value.is(JsonValue::Kind::text)) return std::string(value.text());
    compiler::report_wrong_type(diagnostics_, value, in_quotes(member), "a text");
    return std::nullopt;
  }

  void check_machine(JsonValue root) {
    const auto device = text(root, "device"), features = text(root, "features"), processor = text(root, "processor"),
               kernels = text(root, "kernels");
    const std::string again = "measure again with --tune, or leave --tuning out";
    const std::string here_device(name_of(machine_.target.device)), here = text_of(machine_.target.features);
    if (device && features && (*device != here_device || *features != here)) {
      diagnostics_
          .error(Code::tuning_machine, root.find(*device != here_device ? "device" : "features").location(),
                 "measured on " + *device + " (" + *features + "), but this is for " + here_device + " (" + here + ")")
          .hints.push_back(again);
      return;
    }
    if (processor && *processor != machine_.processor)
      diagnostics_
          .warning(
              Code::tuning_machine, root.find("processor").location(),
              "measured on the processor " + in_quotes(*processor) + ", but this is " + in_quotes(machine_.processor))
          .hints.push_back(again);
    if (kernels && *kernels != kernels_hash())
      diagnostics_
          .warning(Code::tuning_machine, root.find("kernels").location(),
                   "measured with other kernels than this version has")
          .hints.push_back(again);
  }

  void read_call(JsonValue call) {
    if (!call.is(JsonValue::Kind::object))
      return compiler::report_wrong_type(diagnostics_, call, "a call", "an object");
    const auto name = text(call, "call");
    const JsonValue use = compiler::optional_member(call, "use");
    if (!name || !use) return;
    if (!use.is(JsonValue::Kind::object)) return compiler::report_wrong_type(diagnostics_, use, "'use'", "an object");
    compiler::report_unknown_members(use, {"rowMajor", "channelsLast", "channelsLastBytes"}, diagnostics_);
    CallPreference preference;
    preference.row_major = kernel(use, "rowMajor");
    preference.channels_last = kernel(use, "channelsLast");
    if (const JsonValue bytes = compiler::optional_member(use, "channelsLastBytes")) {
      const auto value = compiler::integer_of(bytes);
      if (!value || *value < -compiler::most_layout_bytes || *value > compiler::most_layout_bytes)
        diagnostics_.error(Code::wrong_json_type, bytes.location(),
                           "'channelsLastBytes' must be an integer of at most 2^40 either way");
      else
        preference.channels_last_bytes = *value;
    }
    if (!tuning_.calls.emplace(*name, preference).second)
      diagnostics_.error(Code::duplicate_name, call.find("call").location(),
                         "the call " + in_quotes(*name) + " is there twice");
  }

  std::optional<KernelId> kernel(JsonValue use, std::string_view member) {
    const JsonValue value = compiler::optional_member(use, member);
    if (!value) return std::nullopt;
    if (!value.is(JsonValue::Kind::text)) {
      compiler::report_wrong_type(diagnostics_, value, in_quotes(member), "a text");
      return std::nullopt;
    }
    const auto found = api::find_kernel(value.text());
    if (!found)
      diagnostics_.note(Code::tuning_kernel, value.location(),
                        "no kernel is named " + in_quotes(value.text()) + ", costs decide instead");
    return found;
  }

  const MachineClass& machine_;
  Diagnostics& diagnostics_;
  compiler::Tuning tuning_;
};

}  // namespace

std::string tuning_json(const MeasuredTuning& tuning) {
  Json json{{"schema", form},
            {"tool", version},
            {"kernels", kernels_hash()},
            {"device", name_of(tuning.machine.target.device)},
            {"features", text_of(tuning.machine.target.features)},
            {"processor", tuning.machine.processor},
            {"threads", tuning.machine.threads},
            {"model", tuning.model},
            {"extent", tuning.extent}};
  json["wholeGraph"] = {{"defaultMilliseconds", rounded(tuning.default_milliseconds)}};
  if (tuning.tuned_milliseconds) json["wholeGraph"]["tunedMilliseconds"] = rounded(*tuning.tuned_milliseconds);
  json["wholeGraph"]["keeps"] = tuning.keeps_default ? "default" : "tuned";
  json["wholeGraph"]["reason"] = tuning.verdict;
  if (tuning.reorder_nanoseconds_per_byte > 0)
    json["reorderNanosecondsPerKibibyte"] = rounded(tuning.reorder_nanoseconds_per_byte * 1024);
  json["calls"] = Json::array();
  for (const MeasuredCall& call : tuning.calls) json["calls"].push_back(json_of(call));
  return json.dump(1) + "\n";
}

std::optional<compiler::Tuning> read_tuning(std::string_view text, const std::string& file_name,
                                            const MachineClass& machine, Diagnostics& diagnostics) {
  const auto document = compiler::JsonDocument::parse(text, file_name, {.max_depth = 8}, diagnostics);
  if (!document) return std::nullopt;
  auto tuning = Reader(machine, diagnostics).read(document->root());
  if (tuning) tuning->content = checksum_of(text);
  return tuning;
}

compiler::Tuning table_of(const MeasuredTuning& tuning) {
  compiler::Tuning table;
  for (const MeasuredCall& call : tuning.calls)
    if (call.use) table.calls.emplace(call.call, *call.use);
  table.content = checksum_of(tuning_json(tuning));
  return table;
}

void add_tuning_option(OptionList& list, CompileOptions& options) {
  list.add("--tuning", options.tuning, "choose kernels as this file says, which `compile` has measured");
  list.exclude("--tuning", "--kernels");
}

MachineClass machine_class(const runtime::Device& device, const Target& target, unsigned threads) {
  const std::string_view named = device.processor();
  return {target, named.empty() ? this_machine().processor : std::string(named), threads};
}

compiler::Tuning load_tuning(const CompileOptions& options, const MachineClass& machine, Console& console) {
  if (options.tuning.empty()) return {};
  refuse_provider(options, "--tuning");
  const std::string text =
      with_similar_file(options.tuning, [&] { return compiler::read_whole_file(options.tuning, most_bytes); });
  Diagnostics diagnostics;
  auto tuning = read_tuning(text, options.tuning, machine, diagnostics);
  report_diagnostics(console, diagnostics, [&](std::string_view) { return std::string_view(text); });
  if (tuning) return std::move(*tuning);
  const ExitCode code = exit_code_of(diagnostics);
  throw Error(code, in_quotes(options.tuning) +
                        (code == ExitCode::unsupported ? " was measured on another machine" : " is not a tuning file"));
}

}  // namespace webnn::cli
