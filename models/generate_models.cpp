// generate-models [--out DIR] [--only NAME...] [--half] [--batch N] [--list]: writes the benchmark architectures as graph files with
// weights.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <stdexcept>
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
  bool list = false, half = false;
  unsigned batch = 1;
  app.add_option("--out", folder, "Folder to write to")->capture_default_str();
  app.add_option("--only", only, "Write these only; may be repeated")
      ->check(CLI::IsMember(names))
      ->expected(1)
      ->take_all();
  app.add_flag("--half", half, "Numbers are stored as float16 in every architecture");
  app.add_option("--batch", batch, "Images at a time, in those of --only")->check(CLI::Range(1u, 4096u));
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
      if (batch != 1 && !architecture.batches)
        throw std::runtime_error(name + " takes no images: --only names others, for example resnet50");
      GraphWriter graph(folder, name, half || architecture.half, batch);
      architecture.write(graph);
      graph.finish();
    }
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "generate-models: %s\n", error.what());
    return 1;
  }
}
