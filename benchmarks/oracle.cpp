// benchmark-oracle MODEL INPUT_FILES OUTPUT_FILES: the graph's outputs in double precision, for the errors of runtimes.
// The last two are JSON, {NAME: FILE, ..}: files of the inputs' bytes, and files to be written with float64 values.
#include "api/oracle/oracle.hpp"

#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "compiler/frontend/load.hpp"
#include "compiler/frontend/mapped_file.hpp"

namespace {

using nlohmann::json;
using namespace webnn;

constexpr std::uint64_t max_input_bytes = schema::max_tensor_bytes;

void write_outputs(const std::string& model, const json& input_files, const json& output_files) {
  schema::Diagnostics diagnostics;
  const auto graph = compiler::load_graph(model, {}, diagnostics);
  if (!graph || diagnostics.has_errors())
    throw std::runtime_error(diagnostics.all().empty() ? "no graph" : diagnostics.all()[0].message);

  std::vector<schema::Bytes> contents;
  std::vector<std::span<const std::byte>> views;
  for (const compiler::ValueId id : graph->inputs()) {
    contents.push_back(compiler::map_file(input_files.at(graph->value(id).name).get<std::string>(), max_input_bytes));
    views.push_back(contents.back().view());
  }
  for (const api::OracleTensor& tensor : api::evaluate_in_float64(*graph, views)) {
    std::ofstream file(output_files.at(tensor.name).get<std::string>(), std::ios::binary);
    file.write(reinterpret_cast<const char*>(tensor.values.data()),
               std::streamsize(tensor.values.size() * sizeof(double)));
    if (!file.flush()) throw std::runtime_error("cannot write the output '" + tensor.name + "'");
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 4) {
    std::cerr << "usage: benchmark-oracle MODEL INPUT_FILES OUTPUT_FILES\n";
    return 2;
  }
  try {
    write_outputs(arguments[1], json::parse(arguments[2]), json::parse(arguments[3]));
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "error: " << error.what() << "\n";
    return 1;
  }
}
