// The cache of programs: what is found in it computes the same, what has changed is not found, and nothing that happens
// to it stops a run.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <doctest/doctest.h>
#include <filesystem>
#include <functional>
#include <future>
#include <optional>
#include <thread>
#include <vector>

#include "api/devices.hpp"
#include "api/runner/compilation.hpp"
#include "api/runner/program_cache.hpp"
#include "tests/cli/command_line.hpp"
#include "tests/harness/machine/machine.hpp"
#include "tests/harness/machine/shell.hpp"
#include "tests/harness/paths.hpp"
#include "tests/harness/skip.hpp"

namespace webnn::tests::cache_test {
namespace {

namespace fs = std::filesystem;
using api::ProgramCache;

/// A cache of our own for as long as this lives; the tests' usual environment has none.
struct OwnCache {
  OwnCache() {
    setenv("XDG_CACHE_HOME", scratch.path().c_str(), 1);
    setenv("WEBNN_CLI_NO_CACHE", "false", 1);
  }
  ~OwnCache() {
    setenv("WEBNN_CLI_NO_CACHE", "true", 1);
    setenv("XDG_CACHE_HOME", "/nonexistent/cache-of-tests", 1);
  }
  OwnCache(const OwnCache&) = delete;
  OwnCache& operator=(const OwnCache&) = delete;

  std::vector<ProgramCache::Entry> entries() const { return ProgramCache(folder()).entries(); }
  fs::path folder() const { return scratch.path() / "webnn-cli"; }

  ScratchFolder scratch;
};

fs::path digits_folder() { return source_dir() / "models/digits"; }

std::string run(const fs::path& model, std::vector<std::string> options = {}) {
  std::vector<std::string> arguments{"run", model.string(), "--fill", "random(seed=3)", "--output-format", "json"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  const CommandResult result = webnn_cli(arguments);
  CAPTURE(result.err);
  CHECK(result.code == 0);
  return result.out;
}

/// The digits model in a folder where it may be changed.
fs::path copied_model(const fs::path& folder) {
  fs::create_directories(folder);
  for (const char* name : {"digits.json", "digits.weights", "digits.manifest.json"})
    fs::copy_file(digits_folder() / name, folder / name);
  return folder / "digits.json";
}

}  // namespace

TEST_CASE("cache: the second run takes the first one's program and gives the same bits") {
  const OwnCache cache;
  const std::string first = run(digits_folder() / "digits.json");
  REQUIRE(cache.entries().size() == 1);
  const auto written = fs::last_write_time(cache.entries()[0].file);
  CHECK(run(digits_folder() / "digits.json") == first);
  CHECK(run(digits_folder() / "digits.json", {"--threads", "1"}) == first);
  CHECK(cache.entries().size() == 1);
  CHECK(fs::last_write_time(cache.entries()[0].file) >= written);  // used
  CHECK(run(digits_folder() / "digits.json", {"--no-cache"}) == first);
}

TEST_CASE("cache: whatever changes a program has a program of its own") {
  const OwnCache cache;
  const ScratchFolder scratch;
  const fs::path model = copied_model(scratch.path() / "m");
  const auto adds = [&](const fs::path& file, const std::vector<std::string>& options = {}) {
    const std::size_t before = cache.entries().size();
    run(file, options);
    return cache.entries().size() - before;
  };
  CHECK(adds(model) == 1);
  CHECK(adds(model) == 0);
  CHECK(adds(model, {"-O0"}) == 1);
  if (machine_has(schema::Feature::avx2))
    CHECK(adds(model, {"--isa", "baseline"}) == 1);
  else
    skip_part("--isa baseline", machine_lacks(schema::Feature::avx2));
  CHECK(adds(model, {"--kernels", "reference"}) == 1);
  CHECK(adds(model, {"--max-nodes", "1000"}) == 1);
  // What the user says that the file is counts with the cache as without it.
  CHECK(webnn_cli({"run", model.string(), "--fill", "ones", "--format", "text"}).code == 3);
  write_file(model, read_file(model) + "\n");
  CHECK(adds(model) == 1);
  // The same bytes, written anew.
  write_file(scratch.path() / "m/digits.weights", read_file(digits_folder() / "digits.weights"));
  CHECK(adds(model) == 1);
  // A binary graph is known by its file: another one could have the same checksums.
  REQUIRE(webnn_cli({"convert", model.string(), "-o", (scratch.path() / "a.wnnb").string()}).code == 0);
  CHECK(adds(scratch.path() / "a.wnnb") == 1);
  fs::copy_file(scratch.path() / "a.wnnb", scratch.path() / "b.wnnb");
  CHECK(adds(scratch.path() / "b.wnnb") == 1);
  CHECK(adds(scratch.path() / "b.wnnb") == 0);
  // Who looks at the compiler at work wants to see it.
  CHECK(adds(model, {"--stats"}) == 0);
}

TEST_CASE("cache: changed weights give changed results, and damaged programs are made again") {
  const OwnCache cache;
  const ScratchFolder scratch;
  const fs::path model = copied_model(scratch.path() / "m");
  const std::string before = run(model);
  std::string weights = read_file(scratch.path() / "m/digits.weights");
  weights[10] ^= 0x40;
  write_file(scratch.path() / "m/digits.weights", weights);
  CHECK(run(model) != before);

  REQUIRE(cache.entries().size() == 2);
  for (const std::size_t from_end : {std::size_t{1}, std::size_t{20000}}) {
    for (const ProgramCache::Entry& entry : cache.entries()) {
      std::string program = read_file(entry.file);
      program[program.size() - from_end] ^= 1;
      write_file(entry.file, program);
    }
    const std::string again = run(model);
    CHECK(again != before);
    CHECK(run(model, {"--no-cache"}) == again);
  }
  for (const ProgramCache::Entry& entry : cache.entries()) write_file(entry.file, "");
  CHECK(run(model) != before);
}

TEST_CASE("cache: a folder that cannot be used makes runs slower, not wrong") {
  const OwnCache cache;
  write_file(cache.folder(), "a file where the folder should be");
  CHECK(run(digits_folder() / "digits.json") == run(digits_folder() / "digits.json", {"--no-cache"}));
  setenv("XDG_CACHE_HOME", "relative/path", 1);
  CHECK(ProgramCache::user_folder() != fs::path("relative/path/webnn-cli"));
}

TEST_CASE("cache: several processes that want one program make it once, and all get the same") {
  const OwnCache cache;
  const std::string command = program_words("webnn-cli") + " run " + shell_word(digits_folder() / "digits.json") +
                              " --fill ones --output-format json";
  std::vector<std::string> outputs(4);
  std::vector<std::thread> threads;
  for (std::string& output : outputs) threads.emplace_back([&] { output = run_shell(command).output; });
  for (std::thread& thread : threads) thread.join();
  for (const std::string& output : outputs) CHECK(output == outputs[0]);
  CHECK(contains(outputs[0], "webnn-cli/run/1"));
  std::size_t files = 0;
  for (const auto& entry : fs::directory_iterator(cache.folder())) files += entry.is_regular_file();
  CHECK(files == 3);  // the program, the lock and the secret
}

TEST_CASE("cache: a process that found a program after waiting for it holds up nobody") {
  using namespace std::chrono_literals;
  const ScratchFolder scratch;
  const ProgramCache cache(scratch.path());
  const api::CacheKey key{"the only program", std::string(32, '7')};
  const auto device = api::open_device({});
  schema::Diagnostics diagnostics;
  api::Model digits(api::open_source(digits_folder() / "digits.json", {}), {});
  const auto program = api::Compilation::start(std::move(digits), *device, {}, diagnostics)->finish(diagnostics);
  REQUIRE(program);

  api::CachePlace maker(cache, key);
  CHECK_FALSE(maker.find(*device, true));
  std::optional<api::CachePlace> waiter(std::in_place, cache, key);
  auto found = std::async(std::launch::async, [&] { return waiter->find(*device, true).has_value(); });
  CHECK(maker.keep(*program).empty());
  CHECK(found.get());
  auto next = std::async(std::launch::async, [&] { const ProgramCache::Lock lock = cache.lock(key); });
  CHECK(next.wait_for(20s) == std::future_status::ready);
  waiter.reset();
}

TEST_CASE("cache: list, info and clean; what was not used for longest goes first") {
  const OwnCache cache;
  CHECK(webnn_cli({"cache", "list"}).out.empty());
  run(digits_folder() / "digits.json");
  run(digits_folder() / "digits.json", {"-O0"});
  const std::string list = webnn_cli({"cache", "list"}).out;
  CHECK(std::count(list.begin(), list.end(), '\n') == 2);
  CHECK(contains(list, "digits, "));
  CHECK(contains(webnn_cli({"cache", "list", "--output-format", "json"}).out, "webnn-cli/cache-list/1"));
  const std::string info = webnn_cli({"cache", "info"}).out;
  CHECK(contains(info, cache.folder().string()));
  CHECK(contains(info, "programs 2, "));

  const auto entries = cache.entries();
  const auto hour_ago = fs::file_time_type::clock::now() - std::chrono::hours(1);
  fs::last_write_time(entries[0].file, hour_ago);
  CHECK(webnn_cli({"cache", "clean", "--keep", std::to_string(entries[1].bytes)}).code == 0);
  REQUIRE(cache.entries().size() == 1);
  CHECK(cache.entries()[0].file == entries[1].file);
  // What does not fit takes with it all that was used before it, small or not.
  CHECK(webnn_cli({"cache", "clean", "--keep", "10"}).code == 0);
  CHECK(cache.entries().empty());
  for (const char* const level : {"-O0", "-O1", "-O2"}) run(digits_folder() / "digits.json", {level});
  auto three = cache.entries();
  REQUIRE(three.size() == 3);
  std::ranges::sort(three, std::greater(), &ProgramCache::Entry::bytes);
  for (std::size_t i = 0; i < three.size(); ++i)  // the largest was used between the others
    fs::last_write_time(three[i].file, hour_ago - std::chrono::hours(i == 0 ? 1 : i == 1 ? 0 : 2));
  CHECK(webnn_cli({"cache", "clean", "--keep", std::to_string(three[1].bytes + three[2].bytes)}).code == 0);
  REQUIRE(cache.entries().size() == 1);
  CHECK(cache.entries()[0].file == three[1].file);
  CHECK(webnn_cli({"cache", "clean"}).code == 0);
  CHECK(cache.entries().empty());
  CHECK(webnn_cli({"cache", "empty"}).code == 2);

  const ProgramCache small(cache.folder(), 10);
  std::string why;
  schema::Program program;
  program.constants.emplace_back(std::vector<std::byte>(100));
  CHECK_FALSE(small.keep({"", "00"}, program, why));
  CHECK(why == "it is larger than half of what the cache holds");
}

}  // namespace webnn::tests::cache_test
