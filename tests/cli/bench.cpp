// `webnn-cli bench` as a user meets it. Times are short: what is tested is what is said, not how fast this machine is.
#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "tests/cli/command_line.hpp"
#include "tests/harness/machine/sanitizers.hpp"
#include "tests/harness/paths.hpp"

namespace webnn::tests::bench_test {
namespace {

using nlohmann::json;

std::string digits() { return (source_dir() / "models/digits/digits.json").string(); }

/// y = relu(x) for x of [batch, 16].
std::string with_batch(const ScratchFolder& scratch) {
  const auto file = scratch.path() / "batch.json";
  write_file(file, R"({"format": "webnn-graph-json", "version": 2,
    "inputs": {"x": {"dataType": "float32", "shape": [{"name": "batch", "maxSize": 8}, 16]}},
    "nodes": [{"id": "y", "op": "relu", "inputs": ["x"]}], "outputs": {"y": "y"}})");
  return file.string();
}

std::vector<std::string> quick(std::vector<std::string> arguments) {
  const std::vector<std::string> short_times{"--time", "30ms", "--warm-up", "30ms", "--rounds", "5"};
  arguments.insert(arguments.begin(), "bench");
  arguments.insert(arguments.end(), short_times.begin(), short_times.end());
  return arguments;
}

TEST_CASE("cli bench: text says percentiles, spread, phases and memory") {
  const CommandResult result = webnn_cli(quick({digits(), "--threads", "1", "--percentiles", "50,99.9"}));
  CAPTURE(result.out);
  CHECK(result.code == 0);
  for (const char* part : {"digits/threads:1  (cpu", "p50 ", "p99.9 ", "95 % within", "MAD", "outlier",
                           " rounds, after ", "throughput", "load ", "compile ", "first run ", "constants "})
    CHECK(contains(result.out, part));
  CHECK_FALSE(contains(result.out, "p90"));
}

TEST_CASE("cli bench: JSON is Google Benchmark's, with a row for each round and our own results beside") {
  const CommandResult result = webnn_cli(quick({digits(), "--threads", "1,2", "--output-format", "json"}));
  REQUIRE(result.code == 0);
  const json report = json::parse(result.out);
  CHECK(report["schema"] == "webnn-cli/bench/1");
  for (const char* key : {"date", "host_name", "executable", "num_cpus", "mhz_per_cpu", "cpu_scaling_enabled", "caches",
                          "load_avg", "library_build_type"})
    CHECK(report["context"].contains(key));
  std::size_t rounds = 0, aggregates = 0;
  for (const json& row : report["benchmarks"]) {
    for (const char* key : {"name", "run_name", "run_type", "repetitions", "threads", "iterations", "real_time",
                            "cpu_time", "time_unit", "family_index", "per_family_instance_index"})
      CHECK(row.contains(key));
    if (row["run_type"] == "iteration") {
      ++rounds;
      CHECK(row["p50"].get<double>() > 0);
      CHECK(row["items_per_second"].get<double>() > 0);
    } else {
      ++aggregates;
      CHECK(row["name"] == row["run_name"].get<std::string>() + "_" + row["aggregate_name"].get<std::string>());
    }
  }
  CHECK(rounds >= 10);
  CHECK(aggregates == 8);  // mean, median, stddev and cv of each
  REQUIRE(report["results"].size() == 2);
  const json& one = report["results"][1];
  CHECK(one["name"] == "digits/threads:2");
  CHECK(one["nanoseconds"]["percentiles"].size() == 5);
  CHECK(one["nanoseconds"]["meanInterval"][0] <= one["nanoseconds"]["mean"]);
  CHECK(one["phasesMilliseconds"]["compile"].get<double>() > 0);
  CHECK(one["memoryBytes"]["constants"].get<std::size_t>() > 20000);
}

TEST_CASE("cli bench: threads, batches and streams are crossed") {
  const ScratchFolder scratch;
  const CommandResult result = webnn_cli(quick(
      {with_batch(scratch), "--threads", "1,2", "--dim", "batch=1,8", "--streams", "1,2", "--output-format", "csv"}));
  REQUIRE(result.code == 0);
  std::istringstream lines(result.out);
  std::vector<std::string> names;
  for (std::string line; std::getline(lines, line);) names.push_back(line.substr(0, line.find(',')));
  CHECK(names == std::vector<std::string>{"name", "batch/threads:1/batch:1", "batch/threads:1/batch:1/streams:2",
                                          "batch/threads:2/batch:1", "batch/threads:2/batch:1/streams:2",
                                          "batch/threads:1/batch:8", "batch/threads:1/batch:8/streams:2",
                                          "batch/threads:2/batch:8", "batch/threads:2/batch:8/streams:2"});
}

TEST_CASE("cli bench: markdown is a table, and programs are measured like graphs") {
  const ScratchFolder scratch;
  const std::string program = (scratch.path() / "digits.wnnc").string();
  REQUIRE(webnn_cli({"compile", digits(), "-o", program}).code == 0);
  const CommandResult result = webnn_cli(quick({program, digits(), "--threads", "1", "--output-format", "md"}));
  REQUIRE(result.code == 0);
  CHECK(result.out.starts_with("| name | device | threads |"));
  CHECK(contains(result.out, "\n| --- | --- | ---: |"));
  CHECK(contains(result.out, "| " + program + "/threads:1 |"));  // two files of one name: by their whole paths
}

/// A report that says that each of ten rounds of the digits model took so many nanoseconds.
std::string report_of(const ScratchFolder& scratch, double nanoseconds) {
  json rows = json::array();
  for (int i = 0; i < 10; ++i)
    rows.push_back(
        {{"run_name", "digits/threads:1"}, {"real_time", nanoseconds}, {"time_unit", "ns"}, {"p50", nanoseconds}});
  const auto file = scratch.path() / "report.json";
  write_file(file, json{{"benchmarks", rows}}.dump());
  return file.string();
}

TEST_CASE("cli bench: the gate exits with 1 on a regression, and with 0 without one or without a rule") {
  const ScratchFolder scratch;
  const auto gate = [&](double before, std::vector<std::string> rules) {
    std::vector<std::string> arguments{digits(), "--threads", "1", "--baseline", report_of(scratch, before)};
    arguments.insert(arguments.end(), rules.begin(), rules.end());
    return webnn_cli(quick(arguments));
  };
  const CommandResult worse = gate(1, {"--fail-on", "p50>+5%"});
  CAPTURE(worse.out);
  CHECK(worse.code == 1);
  CHECK(contains(worse.out, "compared with the baseline:\n  digits/threads:1  p50  +"));
  CHECK(contains(worse.out, "p50>+5%: regression"));
  CHECK(gate(1e12, {"--fail-on", "p50>+5%", "--fail-on", "mean>+5%"}).code == 0);
  CHECK(gate(1, {}).code == 0);
}

TEST_CASE("cli bench: what the baseline lacks is inconclusive, which is a failure unless allowed") {
  const ScratchFolder scratch;
  const std::string report = (scratch.path() / "report.json").string();
  write_file(report, R"({"benchmarks": [{"run_name": "other", "real_time": 1, "time_unit": "ns"}]})");
  const std::vector<std::string> arguments{digits(), "--threads", "1", "--baseline", report, "--fail-on", "p50>5%"};
  const CommandResult refused = webnn_cli(quick(arguments));
  CHECK(refused.code == 1);
  CHECK(contains(refused.err, "the baseline has no 'digits/threads:1'"));
  std::vector<std::string> allowed = arguments;
  allowed.emplace_back("--allow-inconclusive");
  CHECK(webnn_cli(quick(allowed)).code == 0);
}

TEST_CASE("cli bench: a baseline of another processor, version, device or other kernels is compared with a warning") {
  const ScratchFolder scratch;
  json report = json::parse(read_file(report_of(scratch, 1e6)));
  report["context"] = {{"processor", "Another 9000"}, {"executable", "webnn-cli 0.0.9"}};
  report["results"] = {{{"name", "digits/threads:1"}, {"device", "gpu: Other"}}};
  const std::string file = (scratch.path() / "other.json").string();
  write_file(file, report.dump());
  const CommandResult result = webnn_cli(quick({digits(), "--threads", "1", "--baseline", file}));
  CHECK(result.code == 0);
  for (const char* part : {"the baseline was measured with 'Another 9000', this is '",
                           "the baseline was measured with 'webnn-cli 0.0.9', this is 'webnn-cli ",
                           "the baseline of 'digits/threads:1' was measured with 'gpu: Other', this is '"})
    CHECK(contains(result.err, part));
  const std::string own = (scratch.path() / "own.json").string();
  REQUIRE(webnn_cli(quick({digits(), "--threads", "1", "--output-format", "json", "-o", own})).code == 0);
  CHECK_FALSE(contains(webnn_cli(quick({digits(), "--threads", "1", "--baseline", own})).err, "the baseline"));
  CHECK(contains(
      webnn_cli(quick({digits(), "--threads", "1", "--baseline", own, "--kernels", "reference", "--only"})).err,
      "the baseline was measured with '--isa native', this is '--isa native --kernels reference --only'"));
  const CommandResult other =
      webnn_cli(quick({digits(), "--threads", "1", "--baseline", own, "--fail-on", "p60>900%"}));
  CHECK(other.code == 1);
  CHECK(contains(other.err, "the baseline does not say 'p60'"));
  CHECK(contains(other.err, "; measure a new baseline with --percentiles 60"));
}

TEST_CASE("cli bench: wrong words are refused before anything runs") {
  CHECK(webnn_cli({"bench"}).code == 2);
  CHECK(webnn_cli({"bench", digits(), "--fail-on", "p50>5%"}).code == 2);  // without a baseline
  CHECK(webnn_cli({"bench", digits(), "--threads", "one"}).code == 2);
  CHECK(webnn_cli({"bench", digits(), "--streams", "0"}).code == 2);
  CHECK(webnn_cli({"bench", digits(), "--time", "long"}).code == 2);
  CHECK(webnn_cli({"bench", digits(), "--baseline", digits()}).code == 3);
  CHECK(webnn_cli({"bench", digits(), "-o", digits()}).code == 2);  // exists
}

TEST_CASE("cli bench: progress is drawn when asked for, and gone at the end") {
  const CommandResult result =
      webnn_cli({"bench", digits(), "--threads", "1", "--time", "700ms", "--progress", "always"});
  CHECK(result.code == 0);
  CHECK(contains(result.err, "bench [#"));
  CHECK(result.err.rfind("\r\033[K") > result.err.rfind("bench ["));
  CHECK_FALSE(contains(webnn_cli(quick({digits(), "--threads", "1"})).err, "bench ["));
}

/// y = x * w for a constant of 2048 x 2048: 16 MiB.
std::string with_large_weights(const ScratchFolder& scratch) {
  const auto file = scratch.path() / "large.json";
  write_file(file, R"({"format": "webnn-graph-json", "version": 2,
    "inputs": {"x": {"dataType": "float32", "shape": [1, 2048]}},
    "consts": {"w": {"dataType": "float32", "shape": [2048, 2048], "init": {"kind": "scalar", "value": 0.5}}},
    "nodes": [{"id": "y", "op": "matmul", "inputs": ["x", "w"]}], "outputs": {"y": "y"}})");
  const std::string binary = (scratch.path() / "large.wnnb").string();
  REQUIRE(webnn_cli({"convert", file.string(), "-o", binary}).code == 0);
  return binary;
}

TEST_CASE("cli bench: the peak memory of a configuration is its own, wherever it stands in the list") {
  const ScratchFolder scratch;
  const std::string model = with_large_weights(scratch);
  const json report = json::parse(
      webnn_cli(quick({digits(), model, digits(), model, "--threads", "1", "--output-format", "json", "--runs", "1"}))
          .out);
  std::vector<double> peaks;
  for (const json& result : report["results"]) peaks.push_back(result["memoryBytes"]["peak"].get<double>());
  REQUIRE(peaks.size() == 4);
  if (peaks[0] == 0) return;  // the system does not tell
  CAPTURE(peaks[1]);
  CAPTURE(peaks[2]);
  CAPTURE(peaks[3]);
  constexpr double constants = 2048 * 2048 * 4;
  CHECK(peaks[1] > 0.9 * constants);
  CHECK(peaks[3] == doctest::Approx(peaks[1]).epsilon(0.25));
  CHECK(peaks[2] < 0.25 * constants);
  CHECK(peaks[0] < (under_sanitizer ? 0.5 : 0.25) * constants);  // the first one brings code into memory
  // What a configuration holds on to is in its peak, although the one before left room in the heap.
  const json& memory = report["results"][2]["memoryBytes"];
  const auto bytes = [&](const char* what) { return memory[what].get<double>(); };
  CHECK(peaks[2] >= bytes("constants") + bytes("arena") + bytes("tensors"));
}

TEST_CASE("cli bench and profile: inputs that nobody gives are random, and both say so") {
  const std::string note = "note: random numbers for 'image': --fill random(seed=1) by default";
  const CommandResult bench = webnn_cli(quick({digits(), "--threads", "1,2"}));
  CHECK(contains(bench.err, note));
  CHECK(bench.err.find(note) == bench.err.rfind(note));  // once, not for each configuration
  CHECK_FALSE(contains(webnn_cli(quick({digits(), "--threads", "1", "--fill", "ones"})).err, "random"));
  const std::vector<std::string> profile{"profile", digits(), "--time", "1ms", "--threads", "1"};
  const CommandResult profiled = webnn_cli(profile);
  CHECK(profiled.code == 0);
  CHECK(contains(profiled.err, note));
  std::vector<std::string> machine = profile;
  machine.insert(machine.end(), {"--output-format", "json"});
  const CommandResult as_json = webnn_cli(machine);
  CHECK(as_json.err.empty());
  CHECK(json::parse(as_json.out)["randomInputs"].at(0) == "image");
}

TEST_CASE("cli bench: its help names the GPU") { CHECK(contains(webnn_cli({"bench", "--help"}).out, "gpu:N")); }

}  // namespace
}  // namespace webnn::tests::bench_test
