// `compile --tune` and tuning files: what is measured is written and read back, and files that do not fit are refused
// with their place.
#include <algorithm>
#include <doctest/doctest.h>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "api/devices.hpp"
#include "api/kernels.hpp"
#include "api/runner/program_cache.hpp"
#include "api/runner/session.hpp"
#include "cli/measure/machine.hpp"
#include "cli/tuning/proposal.hpp"
#include "cli/tuning/trial.hpp"
#include "cli/tuning/tune.hpp"
#include "compiler/frontend/load.hpp"
#include "runtime/cpu/cpu_device.hpp"
#include "runtime/cpu/cpu_features.hpp"
#include "tests/cli/command_line.hpp"
#include "tests/harness/compiler_options.hpp"
#include "tests/harness/machine/gpu.hpp"
#include "tests/harness/machine/machine.hpp"
#include "tests/harness/paths.hpp"
#include "tests/harness/skip.hpp"

namespace webnn::tests::tuning_test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using namespace webnn::schema;

std::string digits() { return (source_dir() / "models/digits/digits.json").string(); }

compiler::Graph digits_graph() {
  Diagnostics diagnostics;
  auto graph = compiler::load_graph(digits(), {}, diagnostics);
  REQUIRE(graph);
  return std::move(*graph);
}

cli::MachineClass here() {
  return {{DeviceKind::cpu, runtime::detect_cpu_features()}, cli::this_machine().processor, 1};
}

/// A tuning of two calls as `compile --tune` would have found it.
cli::MeasuredTuning made_up() {
  cli::MeasuredTuning tuning;
  tuning.machine = here();
  tuning.model = "made up";
  tuning.extent = "full";
  tuning.calls.push_back({"relu(float32[4]) : float32[4]",
                          2,
                          {{*api::find_kernel("reference.unary"), Layout::row_major, 1.5, true}},
                          compiler::CallPreference{api::find_kernel("reference.unary"), {}, -4096},
                          "for the test"});
  tuning.calls.push_back({"tanh(float32[4]) : float32[4]", 1, {}, std::nullopt, "the only candidate"});
  return tuning;
}

/// The text with one member replaced; `pointer` is a JSON pointer.
std::string changed(const std::string& text, const std::string& pointer, const json& value) {
  json all = json::parse(text);
  all[json::json_pointer(pointer)] = value;
  return all.dump(1);
}

struct Reading {
  std::optional<compiler::Tuning> tuning;
  std::string messages;  // "error 3:5 message", a line for each
};

Reading read(const std::string& text) {
  Diagnostics diagnostics;
  Reading reading{cli::read_tuning(text, "t.json", here(), diagnostics), {}};
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    CHECK(diagnostic.location.file == "t.json");
    CHECK(diagnostic.location.line != 0);
    reading.messages +=
        std::string(name_of(diagnostic.severity)) + " " + diagnostic.location.path + " " + diagnostic.message + "\n";
  }
  return reading;
}

TEST_CASE("tuning files: what is written is read back") {
  const cli::MeasuredTuning tuning = made_up();
  const auto [read_back, messages] = read(tuning_json(tuning));
  CHECK(messages.empty());
  REQUIRE(read_back);
  CHECK(read_back->content == table_of(tuning).content);
  REQUIRE(read_back->calls.size() == 1);
  const auto& [call, preference] = *read_back->calls.begin();
  CHECK(call == "relu(float32[4]) : float32[4]");
  CHECK(preference.row_major == api::find_kernel("reference.unary"));
  CHECK(!preference.channels_last);
  CHECK(preference.channels_last_bytes == -4096);
}

TEST_CASE("tuning files: what cannot be used is refused with its place") {
  const std::string good = tuning_json(made_up());
  const auto refused = [](const std::string& text, const std::string& message) {
    const auto [tuning, messages] = read(text);
    CAPTURE(messages);
    CHECK(!tuning);
    CHECK(contains(messages, "error"));
    CHECK(contains(messages, message));
  };
  refused("", "");
  refused("[]", "must be an object");
  refused("{}", "'schema'");
  refused(good.substr(0, good.size() / 2), "");
  refused(changed(good, "/schema", "webnn-cli/bench/1"), "/schema 'schema' is 'webnn-cli/bench/1'");
  refused(changed(good, "/schema", "webnn-cli/tuning/2"), "/schema 'schema' is 'webnn-cli/tuning/2'");
  refused(changed(good, "/device", "vulkan"), "/device measured on vulkan");
  refused(changed(good, "/features", "avx2 and more"), "/features measured on cpu (avx2 and more)");
  refused(changed(good, "/features", 1), "/features 'features' must be a text");
  refused(changed(good, "/calls", "none"), "/calls 'calls' must be an array");
  refused(changed(good, "/calls/0", 7), "/calls/0 a call must be an object");
  refused(changed(good, "/calls/0/call", 7), "/calls/0/call 'call' must be a text");
  refused(changed(good, "/calls/0/use", 7), "/calls/0/use 'use' must be an object");
  refused(changed(good, "/calls/0/use/rowMajor", 7), "/calls/0/use/rowMajor 'rowMajor' must be a text");
  refused(changed(good, "/calls/0/use/channelsLastBytes", 0.5), "must be an integer");
  refused(changed(good, "/calls/0/use/channelsLastBytes", 1ll << 50), "at most 2^40");
  refused(changed(good, "/calls/1", json::parse(good)["calls"][0]), "/calls/1/call the call 'relu(");
}

TEST_CASE("tuning files: another processor or version is a warning, an unknown kernel a note, other calls nothing") {
  const std::string good = tuning_json(made_up());
  const auto accepted = [](const std::string& text, const std::string& message) {
    auto [tuning, messages] = read(text);
    CAPTURE(messages);
    CHECK(tuning);
    CHECK(contains(messages, message));
    return std::move(*tuning);
  };
  accepted(changed(good, "/processor", "abacus"), "warning /processor measured on the processor 'abacus'");
  accepted(changed(good, "/kernels", "0123"), "warning /kernels measured with other kernels");
  const compiler::Tuning tuning = accepted(changed(good, "/calls/0/use/rowMajor", "simd.tomorrow"),
                                           "note /calls/0/use/rowMajor no kernel is named 'simd.tomorrow'");
  CHECK(!tuning.calls.begin()->second.row_major);
}

TEST_CASE("tune: each call's candidates are timed in its graph, and the choice is the default's unless it is faster") {
  api::Session session({"cpu", "native", 1});
  cli::TuneOptions options;
  options.extent = cli::TuneExtent::full;
  options.trial_seconds = options.check_seconds = 0.005;
  double done = 0;
  options.progress = [&](double share) {
    CHECK(share >= done);  // it never goes back
    done = share;
  };
  Diagnostics diagnostics;
  const auto tuning = cli::tune(digits_graph(), {}, session, "digits", options, diagnostics);
  REQUIRE(tuning);
  CHECK(done == 1);
  CHECK(tuning->default_milliseconds > 0);
  bool chosen = false, defaults = true;
  std::size_t most = 0;
  for (const cli::MeasuredCall& call : tuning->calls) {
    CAPTURE(call.call);
    CHECK(call.steps > 0);
    CHECK(!call.reason.empty());
    chosen = chosen || call.use;
    most = std::max(most, call.candidates.size());
    defaults = defaults && std::ranges::count(call.candidates, true, &cli::MeasuredKernel::is_default) == 1;
    for (const cli::MeasuredKernel& candidate : call.candidates) CHECK(candidate.microseconds > 0);
  }
  CHECK(defaults);
  if (machine_has(Feature::avx2))
    CHECK(most > 1);
  else
    skip_part("more than one candidate", machine_lacks(Feature::avx2));
  CHECK(chosen == !tuning->keeps_default);
}

TEST_CASE("tune: a graph that cannot be compiled says why") {
  Diagnostics diagnostics;
  compiler::Options options = options_of_tests();
  options.available = [](const KernelRow&, const KernelSpec&) { return false; };
  api::Session session({"cpu", "native", 1});
  CHECK(!cli::tune(digits_graph(), options, session, "digits", {}, diagnostics));
  CHECK(diagnostics.has_errors());
}

TEST_CASE("tuning: compile --tune writes a file that compile, run and bench take") {
  const ScratchFolder scratch;
  const auto at = [&](const char* name) { return (scratch.path() / name).string(); };
  const CommandResult tuned =
      webnn_cli({"compile", digits(), "--tune", "fast", "--tuning", at("t.json"), "-o", at("tuned.wnnc")});
  CAPTURE(tuned.err);
  REQUIRE(tuned.code == 0);
  CHECK(tuned.out.empty());
  CHECK(contains(tuned.err, "whole graph: "));
  CHECK(json::parse(read_file(at("t.json")))["extent"] == "fast");

  REQUIRE(webnn_cli({"compile", digits(), "--tuning", at("t.json"), "-o", at("later.wnnc")}).code == 0);
  CHECK(read_file(at("later.wnnc")) == read_file(at("tuned.wnnc")));
  CHECK(webnn_cli({"run", digits(), "--tuning", at("t.json"), "--fill", "ones"}).code == 0);

  // Neither is overwritten, and nothing is measured before that is known.
  const CommandResult again = webnn_cli({"compile", digits(), "--tune", "full", "--tuning", at("t.json")});
  CHECK(again.code == 2);
  CHECK(contains(again.err, "exists"));
}

TEST_CASE("tuning: compile --tune measures a GPU's kernels, and the file says which GPU that was") {
  if (!open_test_gpu()) return;
  const ScratchFolder scratch;
  const std::string file = (scratch.path() / "t.json").string();
  const CommandResult tuned = webnn_cli({"compile", digits(), "--device", "gpu", "--tune", "fast", "--tuning", file});
  CAPTURE(tuned.err);
  REQUIRE(tuned.code == 0);
  const json measured = json::parse(read_file(file));
  CHECK(measured["device"] == "vulkan");
  CHECK(measured["processor"] == api::list_devices().gpus.at(0).name);
  CHECK(std::ranges::any_of(measured["calls"], [](const json& call) { return call["candidates"].size() > 1; }));
  CHECK(webnn_cli({"run", digits(), "--device", "gpu", "--tuning", file, "--fill", "ones"}).code == 0);
  const CommandResult elsewhere = webnn_cli({"run", digits(), "--tuning", file, "--fill", "ones"});
  CHECK(elsewhere.code == 4);
  CHECK(contains(elsewhere.err, "measured on vulkan"));
}

TEST_CASE("tuning: a row from the file is what runs, and a file of another machine ends the command") {
  if (!machine_has(Feature::avx2)) return skip(machine_lacks(Feature::avx2));
  const ScratchFolder scratch;
  const auto at = [&](const char* name) { return (scratch.path() / name).string(); };
  api::Session session({"cpu", "native", 1});
  Diagnostics diagnostics;
  REQUIRE(session.compile(digits_graph(), {}, diagnostics));
  cli::MeasuredTuning tuning = made_up();
  tuning.calls.clear();
  for (const cli::Way& way : cli::ways_of(session.program()))
    if (way.call.starts_with("softmax("))
      tuning.calls.push_back(
          {way.call, 1, {}, compiler::CallPreference{api::find_kernel("reference.softmax"), {}, 0}, ""});
  REQUIRE(tuning.calls.size() == 1);
  write_file(at("t.json"), tuning_json(tuning));
  const auto compiled = [&](std::vector<std::string> options) {
    options.insert(options.begin(), {"compile", digits(), "--emit", "ir"});
    return webnn_cli(options);
  };
  CHECK(contains(compiled({"--tuning", at("t.json")}).out, "reference.softmax"));
  CHECK(!contains(compiled({}).out, "reference.softmax"));

  tuning.machine.target.features = Feature::none;
  write_file(at("other.json"), tuning_json(tuning));
  const CommandResult other = webnn_cli({"run", digits(), "--fill", "ones", "--tuning", at("other.json")});
  CHECK(other.code == 4);
  CHECK(contains(other.err, "other.json:"));
  CHECK(contains(other.err, "measured on cpu (none)"));
  CHECK(contains(other.err, "measure again with --tune"));
  CHECK(compiled({"--tuning", at("absent.json")}).code == 6);
}

TEST_CASE("tuning: a call is proposed another kernel or layout by what it gains") {
  const KernelId usual = *api::find_kernel("reference.unary"), other = *api::find_kernel("reference.binary");
  cli::TimedCall call{"relu", usual, Layout::row_major, 1};
  call.time_of(usual, Layout::row_major).nanoseconds = {100, 90, 110};
  call.time_of(other, Layout::row_major).nanoseconds = {90, 90, 200};
  call.time_of(other, Layout::channels_last).nanoseconds = {50};

  const auto proposed = cli::propose({call}, 0.05, 0).at("relu");
  CHECK(proposed.row_major == other);
  CHECK(proposed.channels_last == other);
  CHECK(proposed.channels_last_bytes == 0);
  CHECK(cli::propose({call}, 0.05, 0.5).at("relu").channels_last_bytes == 80);  // (90 - 50) / 0.5
  // 10 % are not enough here, but 44 % are.
  CHECK(cli::propose({call}, 0.2, 0.5).at("relu").row_major == usual);
  CHECK(cli::propose({call}, 0.2, 0.5).at("relu").channels_last_bytes == 80);
  CHECK(cli::propose({call}, 0.6, 0).at("relu").channels_last == other);  // the only row that ran so

  call.times.pop_back();
  CHECK(cli::propose({call}, 0.2, 0.5).empty());
}

TEST_CASE("tuning: options that contradict each other are refused") {
  const auto refused = [](std::vector<std::string> options, const std::string& message) {
    options.insert(options.begin(), {"compile", digits(), "-o", "/nonexistent/p.wnnc"});
    const CommandResult result = webnn_cli(options);
    CAPTURE(result.err);
    CHECK(result.code == 2);
    CHECK(contains(result.err, message));
  };
  refused({"--tune", "fast"}, "--tuning FILE");
  refused({"--tune", "some", "--tuning", "t.json"}, "--tune");
  refused({"--tune", "fast", "--tuning", "t.json", "--device", "cpu:simd"}, "--tune chooses kernels, and so does");
  refused({"--tune", "fast", "--tuning", "t.json", "--target", "baseline"}, "measures on this machine");
  refused({"--tuning", "t.json", "--kernels", "reference"}, "--kernels");
  refused({"--tuning", "t.json", "--device", "cpu:reference"}, "leave one of them out");
}

TEST_CASE("tuning: the key of a cached program tells tuning files apart by their content") {
  const runtime::CpuDevice device(runtime::detect_cpu_features());
  const Bytes graph = compiler::open_graph_file(digits(), 1 << 20);
  std::array<std::byte, HashKey::bytes> random{};
  random.fill(std::byte{0x5a});
  const HashKey secret(random);
  const auto key_of = [&](const cli::MeasuredTuning& tuning) {
    compiler::Options options = options_of_tests();
    options.tuning = table_of(tuning);
    return api::cache_key(graph, {}, options, device, "", secret)->hash;
  };
  cli::MeasuredTuning other = made_up();
  CHECK(key_of(other) == key_of(made_up()));
  other.calls[0].use->channels_last_bytes = 1;
  CHECK(key_of(other) != key_of(made_up()));
  CHECK(key_of(made_up()) != api::cache_key(graph, {}, {}, device, "", secret)->hash);
}

}  // namespace
}  // namespace webnn::tests::tuning_test
