// generate-models [--out DIR] [--only NAME...] [--list]: writes the benchmark architectures as graph files with
// weights.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "models/generate/architectures.hpp"

int main(int argc, char** argv) {
  using namespace webnn::models;
  std::vector<std::string> names;
  for (const Architecture& architecture : architectures()) names.emplace_back(architecture.name);

  CLI::App app("Writes the benchmark architectures with seeded random weights.", "generate-models");
  std::string folder = "build/models";
  std::vector<std::string> only;
  bool list = false;
  app.add_option("--out", folder, "Folder to write to")->capture_default_str();
  app.add_option("--only", only, "Write these only; may be repeated")
      ->check(CLI::IsMember(names))
      ->expected(1)
      ->take_all();
  app.add_flag("--list", list, "Name the architectures and write nothing");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }

  try {
    for (const Architecture& architecture : architectures()) {
      const std::string name(architecture.name);
      if (!only.empty() && std::ranges::find(only, name) == only.end()) continue;
      std::printf("%-16s %s\n", name.c_str(), std::string(architecture.description).c_str());
      if (list) continue;
      GraphWriter graph(folder, name, architecture.half);
      architecture.write(graph);
      graph.finish();
    }
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "generate-models: %s\n", error.what());
    return 1;
  }
}
