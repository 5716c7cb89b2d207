// `webnn-cli devices` and `bench` say how many threads run by default, and why.
#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "cli/this_cpu.hpp"
#include "runtime/cpu/cpu_features.hpp"
#include "runtime/threads/processors.hpp"
#include "tests/cli/command_line.hpp"
#include "tests/harness/machine/shell.hpp"
#include "tests/harness/paths.hpp"

namespace webnn::tests::devices_test {
namespace {

using nlohmann::json;

TEST_CASE("cli devices: the default number of threads, and what decides it") {
  const runtime::ThreadLimit limit = runtime::thread_limit();
  const CommandResult text = webnn_cli({"devices"});
  CHECK(text.code == 0);
  CHECK(text.out.find(" by default: " + limit.reason + "\n") != std::string::npos);
  const json document = json::parse(webnn_cli({"devices", "--output-format", "json"}).out);
  CHECK(document.at("cpu").at("threads") == limit.threads);
  CHECK(document.at("cpu").at("threadsReason") == limit.reason);
}

TEST_CASE("cli devices: the processor's name, its cores and the memory, and the same behind the table of ops") {
  const cli::ThisCpu cpu = cli::this_cpu();
  CHECK(cpu.name == runtime::cpu_model_name());
  CHECK(cpu.cores >= 1);
  CHECK(cpu.processors >= cpu.cores);
  CHECK(cpu.memory_bytes > 1 << 20);
  CHECK(contains(webnn_cli({"devices"}).out, "cpu      " + cli::text_of(cpu) + "\n"));
  CHECK(contains(webnn_cli({"ops"}).out, cli::text_of(cpu) + "; " + cli::threads_text(cpu.threads) + "\n"));
  const json document = json::parse(webnn_cli({"devices", "--output-format", "json"}).out).at("cpu");
  CHECK(document.at("name") == cpu.name);
  CHECK(document.at("cores") == cpu.cores);
  CHECK(document.at("memoryBytes") == cpu.memory_bytes);
}

TEST_CASE("cli devices: cores are told from processors, and what is not known is left out") {
  const ScratchFolder root;
  for (const auto& [processor, siblings] :
       {std::pair{"cpu0", "0,2"}, {"cpu1", "1,3"}, {"cpu2", "0,2"}, {"cpu3", "1,3"}})
    write_file(root.path() / "sys/devices/system/cpu" / processor / "topology/thread_siblings_list", siblings);
  write_file(root.path() / "proc/meminfo", "MemTotal:        8192000 kB\nMemFree:  5 kB\n");
  cli::ThisCpu cpu = cli::this_cpu(root.path().string());
  CHECK(cpu.cores == 2);
  CHECK(cpu.processors == 4);
  cpu.name = "Example";
  CHECK(cli::text_of(cpu) == "Example, 2 cores with 4 processors, 7.81 GiB of memory");
  cpu.memory_bytes = 0, cpu.processors = 2;
  CHECK(cli::text_of(cpu) == "Example, 2 cores");
}

TEST_CASE("cli bench: a process that is held on one processor runs one thread, and says so") {
  const std::string command = "taskset -c \"$(taskset -cp $$ | grep -oE '[0-9]+' | tail -n 1)\" " +
                              program_words("webnn-cli") + " bench " +
                              shell_word(source_dir() / "models/digits/digits.json") +
                              " --time 1ms --warm-up 1ms --runs 2 --rounds 2 --output-format json";
  const ShellResult result = run_shell(command + " 2>/dev/null");
  REQUIRE(result.status == 0);
  const json document = json::parse(result.output);
  CHECK(document.at("context").at("default_threads") == 1);
  CHECK(document.at("benchmarks").at(0).at("threads") == 1);
}

}  // namespace
}  // namespace webnn::tests::devices_test
