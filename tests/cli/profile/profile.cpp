// Profiles: steps and the operators behind them, sums, traces that others read, and the page in a browser.
#include "cli/profile/profile.hpp"

#include <doctest/doctest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>

#include "api/runner/session.hpp"
#include "cli/profile/profile_report.hpp"
#include "cli/profile/protobuf_writer.hpp"
#include "tests/cli/command_line.hpp"
#include "tests/harness/graph_text.hpp"
#include "tests/harness/machine/browser.hpp"
#include "tests/harness/paths.hpp"
#include "tests/harness/providers.hpp"
#include "tests/harness/skip.hpp"

namespace webnn::tests::profile_test {
namespace {

using namespace webnn::cli;
using nlohmann::json;

constexpr std::string_view folded = R"(graph "folded" {
  %x = input float32[1, 8, 16, 16]
  %w = constant float32[8, 8, 3, 3] {0.5...}
  %mean = constant float32[8] {0.1...}
  %variance = constant float32[8] {2...}
  %c = conv2d(%x, %w) {padding=[1, 1, 1, 1]} label "conv"
  %n = batchNormalization(%c, %mean, %variance) label "norm"
  %r = relu(%n) label "act"
  %s = softmax(%r) {axis=1} label "soft"
  output "s" = %s
}
)";

/// A profile of three steps with round numbers.
Profile made_up() {
  Profile profile;
  profile.model = "made <up>";
  profile.device = "cpu";
  profile.run_nanoseconds = 1010;
  profile.plain_nanoseconds = 1000;
  profile.steps_nanoseconds = 1000;
  profile.runs = 10;
  const double times[] = {600, 300, 100};
  for (int i = 0; i < 3; ++i) {
    StepProfile step;
    step.label = "node " + std::to_string(i);
    step.op = i == 1 ? "@reorder" : "conv2d";
    step.kernel = "onednn.conv2d";
    step.layout = "channels_last";
    step.is_reorder = i == 1;
    if (i == 0) step.post_ops = {"add", "relu"};
    step.sources = {{"conv", "conv2d"}, {"act", "relu"}};
    step.nanoseconds = times[i];
    step.share = times[i] / 1000;
    step.cumulative = i == 0 ? 0.6 : i == 1 ? 0.9 : 1;
    step.cost = {12000, 4000};
    step.limit_nanoseconds = 60;
    profile.steps.push_back(step);
    profile.by_time.push_back(std::size_t(i));
  }
  profile.followers = {{1}, {2}, {}};
  profile.arena = {{"a", 0, 64, 0, 1}, {"b", 64, 128, 1, 2}};
  profile.arena_bytes = 192;
  profile.phases = {{"load", 1, false}, {"compile", 2, false}, {"simplify", 0.5, true}, {"prepare", 3, false}};
  profile.limits = {2e11, 3e11, {{65536, 5e10}, {1 << 26, 1e10}}};
  profile.limit_nanoseconds = 180;
  profile.traced = {{0, 1010, {{10, 610}, {610, 910}, {910, 1010}}}};
  return profile;
}

TEST_CASE("profile: operators that were folded and fused are found behind their step") {
  if (!has_convolution_library()) return skip(no_convolution_library());
  const compiler::Graph graph = parsed(folded);
  api::Session session({.threads = 1});
  schema::Diagnostics diagnostics;
  REQUIRE(session.compile(graph, {}, diagnostics));
  const schema::Program& program = session.program();
  const auto sources = sources_of(program, graph);
  std::map<std::string, std::string> behind;  // labels by the step's operator
  for (std::size_t i = 0; i < program.steps.size(); ++i)
    for (const SourceOperator& source : sources[i])
      behind[std::string(row(program.steps[i].op).name)] += source.label + " ";
  CHECK(behind["conv2d"] == "conv norm act ");
  CHECK(behind["softmax"] == "soft ");
  CHECK(behind.size() == 2);  // reorders compute no operator
}

TEST_CASE("profile: the steps' times add up, and shares end at one") {
  const compiler::Graph graph = parsed(folded);
  api::Session session({.threads = 1});
  schema::Diagnostics diagnostics;
  REQUIRE(session.compile(graph, {}, diagnostics));
  const Profile profile = profile_session(session, &graph, made_up().limits, {.seconds = 0.02, .runs = 20});
  REQUIRE(!profile.steps.empty());
  CHECK(profile.runs >= 20);
  double sum = 0;
  for (const StepProfile& step : profile.steps) sum += step.nanoseconds;
  CHECK(sum == doctest::Approx(profile.steps_nanoseconds));
  CHECK(profile.steps_nanoseconds <= profile.run_nanoseconds);
  double limit = 0;
  for (const StepProfile& step : profile.steps) limit += step.limit_nanoseconds;
  CHECK(limit == doctest::Approx(profile.limit_nanoseconds));
  CHECK(profile.share_of_limits() == doctest::Approx(limit / profile.plain_nanoseconds));
  CHECK(profile.steps[profile.by_time.back()].cumulative == doctest::Approx(1));
  for (std::size_t i = 1; i < profile.by_time.size(); ++i)
    CHECK(profile.steps[profile.by_time[i - 1]].nanoseconds >= profile.steps[profile.by_time[i]].nanoseconds);
  for (const TracedRun& run : profile.traced)
    for (const runtime::StepTime& step : run.steps) {
      CHECK(double(step.begin) >= run.begin);
      CHECK(double(step.end) <= run.end);
    }
}

TEST_CASE("profile: limits are measured on the device and speak of the size that is nearest") {
  const Limits limits{1e9, 4e9, {{1e4, 4e9}, {1e6, 2e9}}};
  CHECK(limits.bytes_per_second(100) == 4e9);
  CHECK(limits.bytes_per_second(9e5) == 2e9);
  CHECK(limits.nanoseconds_of_memory(1000000, 1000000) == doctest::Approx(5e5));
  CHECK(limits.nanoseconds_of_memory(10000, 1000000) == doctest::Approx(5e3));  // not in the small cache any more
  CHECK(limits.nanoseconds_of_arithmetic({2000, 0}) == doctest::Approx(2000));
  CHECK(limits.nanoseconds_of_arithmetic({2000, 0}, true) == doctest::Approx(500));
  CHECK(Limits{1e9, 5e8, {}}.nanoseconds_of_arithmetic({2000, 0}, true) == doctest::Approx(2000));
  CompileOptions options;
  options.device = "cpu:reference";  // the limits are those of the fastest kernels all the same
  options.threads = 1;
  const Limits measured = measure_limits(options);
  CHECK(measured.flops_per_second > 1e8);
  CHECK(measured.byte_flops_per_second > 1e8);
  for (const auto& [bytes, speed] : measured.bandwidth) CHECK(speed > 1e7);
}

TEST_CASE("profile: the table marks reorders and names what was fused") {
  std::ostringstream text;
  print_profile_text(text, made_up(), 0);
  for (const char* part :
       {"conv2d + add + relu", "REORDER", "conv, act", "overhead   +1.00 %", "99.01 %", "200.0 GFLOP/s, 300.0 of bytes",
        "of limits  18 %: at its limit each step would take 180 ns in all", "reorders   1, 300 ns",
        "by operator:", "load 1.000 ms"})
    CHECK_MESSAGE(contains(text.str(), part), part << " is missing in\n" << text.str());
  std::ostringstream top;
  print_profile_text(top, made_up(), 1);
  CHECK(contains(top.str(), "... and 2 more"));
}

TEST_CASE("profile: Chrome's trace has complete events on three threads, passes within their phase") {
  const json trace = json::parse(chrome_trace(made_up()));
  CHECK(trace["schema"] == "webnn-cli/trace/1");
  std::map<std::string, json> events;
  for (const json& event : trace["traceEvents"])
    if (event["ph"] == "X") events[event["name"]] = event;
  CHECK(events.size() == 4 + 1 + 3);
  const json &compile = events["compile"], &pass = events["simplify"];
  CHECK(pass["ts"] == compile["ts"]);
  CHECK(pass["dur"].get<double>() < compile["dur"].get<double>());
  const json& step = events["conv2d + add + relu node 0"];
  CHECK(step["dur"].get<double>() == doctest::Approx(0.6));
  CHECK(step["args"]["kernel"] == "onednn.conv2d");
  CHECK(step["args"]["from"] == "conv, act");
}

/// A protobuf message read back: values by field, in order.
struct Message {
  std::multimap<std::uint64_t, std::uint64_t> numbers;
  std::multimap<std::uint64_t, std::string> texts;
};

Message decoded(const std::string& bytes) {
  Message message;
  std::size_t at = 0;
  const auto varint = [&] {
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      REQUIRE(at < bytes.size());
      const auto byte = std::uint64_t(std::uint8_t(bytes[at++]));
      value |= (byte & 0x7fu) << shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < bytes.size()) {
    const std::uint64_t key = varint();
    if ((key & 7u) == 0) {
      message.numbers.emplace(key >> 3u, varint());
    } else {
      REQUIRE((key & 7u) == 2);
      const std::uint64_t size = varint();
      REQUIRE(size <= bytes.size() - at);
      message.texts.emplace(key >> 3u, bytes.substr(at, size));
      at += size;
    }
  }
  return message;
}

TEST_CASE("profile: Perfetto's trace has tracks, and every slice that begins also ends, in order") {
  CHECK(ProtobufMessage().number(1, 300).bytes() == "\x08\xac\x02");
  CHECK(ProtobufMessage().real(2, 1.0).bytes() == std::string("\x11\0\0\0\0\0\0\xf0\x3f", 9));
  const Message trace = decoded(perfetto_trace(made_up()));
  std::size_t tracks = 0;
  std::map<std::uint64_t, int> open;                 // by track
  std::map<std::uint64_t, std::uint64_t> last_time;  // by track
  std::vector<std::string> names;
  for (const auto& [field, bytes] : trace.texts) {
    CHECK(field == 1);
    const Message packet = decoded(bytes);
    CHECK(packet.numbers.find(10)->second == 1);
    tracks += packet.texts.count(60);
    const auto event_bytes = packet.texts.find(11);
    if (event_bytes == packet.texts.end()) continue;
    const Message event = decoded(event_bytes->second);
    const std::uint64_t track = event.numbers.find(11)->second, time = packet.numbers.find(8)->second;
    CHECK(time >= last_time[track]);
    last_time[track] = time;
    open[track] += event.numbers.find(9)->second == 1 ? 1 : -1;
    CHECK(open[track] >= 0);
    if (const auto name = event.texts.find(23); name != event.texts.end()) names.push_back(name->second);
  }
  CHECK(tracks == 4);  // the process and three threads
  for (const auto& [track, count] : open) CHECK(count == 0);
  CHECK(names.size() == 4 + 1 + 3);
}

TEST_CASE("profile: the page needs nothing else, and a browser shows graph, table, roofline and memory") {
  const std::string text = profile_page(made_up());
  for (const char* word : {"src=", "href=", "@import", "url(http", "fetch("}) CHECK_FALSE(contains(text, word));
  CHECK(contains(text, "made &lt;up&gt;"));
  const ScratchFolder scratch;
  const auto page = scratch.path() / "page.html";
  // Sorting by the first column and marking a step are part of what has to work.
  write_file(page, text +
                       "<script>document.querySelectorAll('#steps th')[0].click();"
                       "document.querySelector('#steps tbody tr').click();</script>");
  const auto document = page_without_errors(page);
  if (!document) return;
  CHECK(contains(*document, "<tr data-key=\"s2\" class=\"marked\">"));  // step 2 came first, and was marked
  CHECK(contains(*document, "class=\"line marked\""));
  for (const char* id : {"id=\"steps\"", "id=\"roofline\"", "id=\"memory\""}) CHECK(contains(*document, id));
}

TEST_CASE("cli profile: everything at once for the digits model") {
  const ScratchFolder scratch;
  const std::string model = (source_dir() / "models/digits/digits.json").string();
  const std::string html = (scratch.path() / "p.html").string(), trace = (scratch.path() / "t.json").string();
  const CommandResult result = webnn_cli({"profile", model, "--fill", "random", "--threads", "1", "--time", "50ms",
                                          "--html", html, "--trace", trace, "--output-format", "json"});
  REQUIRE(result.code == 0);
  const json report = json::parse(result.out);
  CHECK(report["schema"] == "webnn-cli/profile/1");
  CHECK(report["passes"].size() >= 10);
  double share = 0;
  std::string sources;
  for (const json& step : report["steps"]) {
    share += step["share"].get<double>();
    for (const json& source : step["sources"]) sources += source["operator"].get<std::string>() + " ";
  }
  CHECK(share == doctest::Approx(1));
  for (const char* op : {"conv2d", "relu", "maxPool2d", "gemm", "softmax"}) CHECK(contains(sources, op));
  CHECK(json::parse(read_file(trace)).contains("traceEvents"));
  CHECK(contains(read_file(html), "<svg"));
  CHECK(webnn_cli({"profile", model, "--fill", "random", "--html", html}).code == 2);  // exists
  CHECK(webnn_cli({"profile", model, "--fill", "random", "--trace", "t.txt"}).code == 2);
  CHECK(webnn_cli({"profile", model, "--input", "nobody=ones"}).code == 2);  // there is no such input
}

TEST_CASE("cli profile: a program is profiled without its graph") {
  if (!has_convolution_library()) return skip(no_convolution_library());
  const ScratchFolder scratch;
  const std::string program = (scratch.path() / "digits.wnnc").string();
  REQUIRE(webnn_cli({"compile", (source_dir() / "models/digits/digits.json").string(), "-o", program}).code == 0);
  const std::string trace = (scratch.path() / "t.pftrace").string();
  const CommandResult result =
      webnn_cli({"profile", program, "--fill", "ones", "--threads", "1", "--time", "20ms", "--trace", trace});
  CHECK(result.code == 0);
  CHECK(contains(result.out, "conv2d + relu"));
  CHECK(read_file(trace).size() > 100);
}

}  // namespace
}  // namespace webnn::tests::profile_test
