#include "cli/options/option_values.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "api/device_table.hpp"
#include "api/kernels.hpp"
#include "cli/command.hpp"
#include "compiler/passes/pipeline.hpp"
#include "runtime/cpu/cpu_features.hpp"
#include "schema/diagnostics.hpp"
#include "schema/operators/operator_table.hpp"
#include "schema/text.hpp"

namespace webnn::cli {
namespace {

using Words = std::vector<std::string>;

Words copies_of(const std::vector<std::string_view>& views) { return {views.begin(), views.end()}; }

Words devices() {
  Words words;
  for (const api::DeviceRow& device : api::device_table()) words.emplace_back(device.word());
  words.emplace_back("auto");
  for (const std::string_view provider : api::cpu_providers()) words.push_back("cpu:" + std::string(provider));
  return words;
}

Words providers() { return copies_of(api::cpu_providers()); }
Words instruction_sets() { return copies_of(runtime::isa_names()); }
Words processors() { return copies_of(runtime::cpu_target_names()); }

Words passes() {
  Words words;
  for (const compiler::Pass& pass : compiler::pass_table()) words.emplace_back(pass.name);
  return words;
}

Words passes_or_all() {
  Words words = passes();
  words.insert(words.begin(), "all");
  return words;
}

Words operators() {
  Words words;
  for (const schema::Operator& op : schema::operator_table()) words.emplace_back(op.name);
  return words;
}

Words codes() {
  Words words;
  for (const schema::DiagnosticCode& code : schema::diagnostic_table()) words.push_back(code.text());
  return words;
}

Words command_names() {
  Words words;
  for (const Command& command : commands()) words.emplace_back(command.name);
  return words;
}

Words generators() { return {"zeros", "ones", "iota", "random"}; }

constexpr OptionValue table[] = {
    // ---- positional arguments
    {"model", "MODEL", Completion::files, nullptr, FileUse::reads_model},
    {"models", "MODEL", Completion::files, nullptr, FileUse::reads_model},
    {"file", "FILE", Completion::files},
    {"files", "FILE", Completion::files},
    {"suites", "SUITE", Completion::files, nullptr, FileUse::reads_model},
    {"sides", "SIDE", Completion::files},
    {"operator", "OPERATOR", Completion::words, operators},
    {"code", "CODE", Completion::words, codes},
    {"command", "COMMAND", Completion::words, command_names},
    // ---- files and folders
    {"--batch", "FOLDER|PATTERN|FILE", Completion::files, nullptr, FileUse::reads_pattern},
    {"--baseline", "FILE", Completion::files, nullptr, FileUse::reads},
    {"--depfile", "FILE", Completion::files, nullptr, FileUse::writes},
    {"--diff", "FILE", Completion::files},
    {"--expected-failures", "FILE", Completion::files, nullptr, FileUse::reads},
    {"--header", "FILE", Completion::files, nullptr, FileUse::writes},
    {"--html", "FILE", Completion::files, nullptr, FileUse::writes},
    {"--junit", "FILE", Completion::files, nullptr, FileUse::writes},
    {"--labels", "FILE", Completion::files, nullptr, FileUse::reads},
    {"--output", "FILE", Completion::files, nullptr, FileUse::writes},
    {"--reduce", "FILE", Completion::files},
    {"--trace", "FILE", Completion::files, nullptr, FileUse::writes},
    {"--tuning", "FILE", Completion::files, nullptr, FileUse::reads},
    {"--weights-file", "FILE", Completion::files, nullptr, FileUse::reads_model},
    {"--base-dir", "FOLDER", Completion::folders, nullptr, FileUse::reads_folder},
    {"--folder", "FOLDER", Completion::folders},
    {"--inputs", "FOLDER", Completion::folders, nullptr, FileUse::reads_folder},
    {"--outputs", "FOLDER", Completion::folders, nullptr, FileUse::writes_results},
    {"--ref", "FOLDER", Completion::folders},
    {"--save-run", "FOLDER", Completion::folders},
    // ---- names from tables
    {"--device", "DEVICE", Completion::words, devices},
    {"--devices", "DEVICE[,DEVICE]", Completion::word_lists, devices},
    {"--isa", "ISA", Completion::words, instruction_sets},
    {"--kernels", "PROVIDER", Completion::words, providers},
    {"--print-after", "PASS", Completion::words, passes_or_all},
    {"--print-before", "PASS", Completion::words, passes_or_all},
    {"--stop-after", "PASS", Completion::words, passes},
    {"--target", "PROCESSOR", Completion::words, processors},
    // ---- tensors
    {"--constant-input", "NAME=SPEC", Completion::nothing, nullptr, FileUse::reads_in_spec},
    {"--dim", "NAME=SIZE"},
    {"--fill", "SPEC", Completion::words, generators},
    {"--image", "NAME=SPEC", Completion::nothing, nullptr, FileUse::reads_in_spec},
    {"--input", "NAME=SPEC", Completion::nothing, nullptr, FileUse::reads_in_spec},
    // ---- numbers
    {"--alpha", "X"},
    {"--atol", "X"},
    {"--confidence", "PERCENT"},
    {"--fail-on", "METRIC>LIMIT%"},
    {"--filter", "GLOB"},
    {"--jobs", "N"},
    {"--keep", "SIZE"},
    {"--max-memory", "SIZE"},
    {"--max-model-size", "SIZE"},
    {"--max-nodes", "N"},
    {"--max-tensor-bytes", "SIZE"},
    {"--max-work", "COUNT"},
    {"--percentiles", "P[,P]"},
    {"--repeat", "N"},
    {"--rounds", "N"},
    {"--runs", "N"},
    {"--sandbox-memory", "SIZE"},
    {"--sandbox-time", "TIME"},
    {"--shard", "I"},
    {"--shards", "N"},
    {"--streams", "N[,N]"},
    {"--threads", "N"},
    {"--time", "TIME"},
    {"--timeout", "TIME"},
    {"--tol", "TOLERANCE"},
    {"--top", "N"},
    {"--warm-up", "TIME"},
    {"--weights", "N"},
    {"-O", "LEVEL"},
};

/// "WEBNN_CLI_MAX_MEMORY" for "--max-memory".
std::string variable_of(std::string_view name) {
  std::string variable = "WEBNN_CLI_";
  for (const char c : name) variable += c == '-' ? '_' : char(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  return variable;
}

}  // namespace

const OptionValue* value_of(const CLI::Option& option) {
  const bool takes_words = option.get_type_name().find('{') != std::string::npos;
  if (option.get_items_expected_max() == 0 || takes_words) return nullptr;
  const auto row = std::ranges::find(table, option.get_name(), &OptionValue::option);
  return row == std::end(table) ? nullptr : row;
}

std::vector<UsedFile> files_for_sandbox(const CLI::App& command) {
  std::vector<UsedFile> files;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& value : option->results())
      if (option->get_name() == "--device" && value.starts_with("gpu"))
        throw Error(ExitCode::usage, "--sandbox is for the CPU, but --device is " + schema::in_quotes(value),
                    "drivers of GPUs need more of the system than a sandbox gives");
    if (const OptionValue* row = value_of(*option); row && row->use != FileUse::none)
      for (const std::string& value : option->results()) files.push_back({row->use, value});
  }
  return files;
}

void refuse_same_outputs(const CLI::App& command) {
  std::vector<std::pair<std::filesystem::path, std::string>> written;
  for (const CLI::Option* option : command.get_options()) {
    const OptionValue* const row = value_of(*option);
    if (!row || row->use != FileUse::writes) continue;
    for (const std::string& value : option->results()) {
      if (value == "-" || value.empty()) continue;
      std::error_code error;
      const std::filesystem::path file = std::filesystem::weakly_canonical(value, error);
      for (const auto& [other, name] : written)
        if (!error && file == other)
          throw Error(ExitCode::usage, name + " and " + option->get_name() + " both write " + schema::in_quotes(value));
      written.emplace_back(file, option->get_name());
    }
  }
}

void label_options(CLI::App& command) {
  for (CLI::Option* option : command.get_options([](CLI::Option*) { return true; })) {
    if (const OptionValue* value = value_of(*option)) option->type_name(std::string(value->label));
    const bool acts_at_once = option == command.get_help_ptr() || option == command.get_version_ptr();
    if (!option->nonpositional() || acts_at_once) continue;
    const auto& names = option->get_lnames().empty() ? option->get_snames() : option->get_lnames();
    option->envname(variable_of(names.front()));
  }
}

}  // namespace webnn::cli
