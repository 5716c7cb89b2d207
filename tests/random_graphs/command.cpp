#include "tests/random_graphs/command.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "compiler/frontend/binary/binary_writer.hpp"
#include "tests/random_graphs/differences.hpp"

namespace webnn::tests {

namespace {

/// What follows an option; null: it is not given.
const char* value_of(int argc, char** argv, const char* option) {
  for (int i = 1; i < argc; ++i)
    if (std::strcmp(argv[i], option) == 0) return i + 1 < argc ? argv[i + 1] : "";
  return nullptr;
}

std::optional<std::uint32_t> number(const char* text) {
  std::uint32_t number = 0;
  const char* const end = text + std::strlen(text);
  const auto [stop, error] = std::from_chars(text, end, number);
  return error == std::errc{} && stop == end ? std::optional(number) : std::nullopt;
}

/// Writes the graphs as binary files, SEED.wnnb. The program's exit status.
int write_graphs(const std::filesystem::path& folder, std::uint32_t first, std::uint32_t count,
                 const NetworkOptions& options) {
  std::filesystem::create_directories(folder);
  for (std::uint32_t seed = first; seed - first < count; ++seed) {
    const std::filesystem::path path = folder / (std::to_string(seed) + ".wnnb");
    std::ofstream file(path, std::ios::binary);
    compiler::write_binary_graph(random_network(seed, options).graph, [&](std::span<const std::byte> piece) {
      file.write(reinterpret_cast<const char*>(piece.data()), std::streamsize(piece.size()));
    });
    if (!file.flush()) {
      std::cerr << "cannot write " << path << '\n';
      return 1;
    }
  }
  return 0;
}

}  // namespace

std::optional<int> random_graphs_command(int argc, char** argv) {
  const char* const count_text = value_of(argc, argv, "--random-graphs");
  if (!count_text) return std::nullopt;
  const char* const seed_text = value_of(argc, argv, "--seed");
  const char* const device_text = value_of(argc, argv, "--device");
  const char* const folder = value_of(argc, argv, "--write-graphs");
  const auto count = number(count_text), seed = number(seed_text ? seed_text : "0");
  const bool gpu = device_text && std::strcmp(device_text, "gpu") == 0;
  const bool print_only = std::any_of(argv, argv + argc, [](const char* a) { return std::strcmp(a, "--print") == 0; });
  if (!count || !seed || (device_text && !gpu && std::strcmp(device_text, "cpu") != 0) || (folder && !*folder)) {
    std::cerr
        << "usage: webnn-tests --random-graphs N [--seed S] [--device cpu|gpu] [--print | --write-graphs FOLDER]\n";
    return 2;
  }
  if (folder) return write_graphs(folder, *seed, *count, {.small = gpu});
  if (print_only) {  // of one that ends the process there is no other way to see it
    for (std::uint32_t i = 0; i < *count; ++i)
      std::cout << text_of({random_network(*seed + i, {.small = gpu}), "none", "", "not run"}) << '\n';
    return 0;
  }
  std::size_t done = 0, failed = 0;
  Coverage coverage;
  constexpr std::size_t portion = 1000, most_failures = 200;
  while (done < *count && failed < most_failures) {
    const RandomGraphsResult result =
        run_random_graphs(std::uint32_t(*seed + done), std::min(portion, *count - done),
                          gpu ? gpu_variants() : cpu_variants(), {.small = gpu}, std::cout, most_failures - failed);
    done += result.graphs;
    failed += result.failed;
    coverage.elements += result.coverage.elements;
    coverage.unknown += result.coverage.unknown;
    std::cerr << done << " graphs, " << failed << " differ\n";
  }
  std::cout << coverage.elements << " elements compared, " << coverage.unknown << " without a bound\n"
            << done - failed << " passed, " << failed << " failed\n";
  return failed != 0;
}

}  // namespace webnn::tests
