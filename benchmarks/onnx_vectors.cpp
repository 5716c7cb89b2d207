// onnx-vectors: conformance vectors as ONNX files, so that another runtime can say whether they mean the same.
//
//   onnx-vectors write FOLDER VECTOR_FILE..    FOLDER/NNNN.onnx and the bytes of inputs, one JSON line each on standard
//                                              output: {"file", "vector", "model", "inputs": {NAME: FILE}, "outputs"}
//   onnx-vectors compare FOLDER VECTOR_FILE..  FOLDER/NNNN.output.N, those that are there, with what vectors expect
//
// A graph that ONNX cannot express is counted and left out.
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "compiler/frontend/mapped_file.hpp"
#include "compiler/onnx/export/onnx_export.hpp"
#include "compiler/onnx/export/onnx_file.hpp"
#include "compiler/vectors/vector_reader.hpp"
#include "schema/elements/elements.hpp"
#include "schema/error.hpp"

namespace {

namespace fs = std::filesystem;
using namespace webnn;
using compiler::ConformanceVector;
using nlohmann::json;

constexpr std::uint64_t max_file_bytes = std::uint64_t{1} << 30;

/// A vector of a file and the beginning of its files' names, FOLDER/NNNN.
struct Numbered {
  std::string file, stem;
  ConformanceVector vector;
};

void for_each_vector(const fs::path& folder, const std::vector<std::string>& files,
                     const std::function<void(const Numbered&)>& use) {
  std::size_t number = 0;
  for (const std::string& file : files)
    for (ConformanceVector& vector :
         compiler::read_conformance_vectors(compiler::read_whole_file(file, max_file_bytes), file)) {
      std::ostringstream stem;
      stem << std::string(4 - std::min<std::size_t>(4, std::to_string(number).size()), '0') << number;
      ++number;
      if (vector.errors.empty()) use({file, (folder / stem.str()).string(), std::move(vector)});
    }
}

void write_file(const std::string& name, const std::function<void(std::ostream&)>& write) {
  std::ofstream file(name, std::ios::binary);
  write(file);
  if (!file.flush()) throw std::runtime_error("cannot write " + name);
}

void write_vectors(const fs::path& folder, const std::vector<std::string>& files) {
  fs::create_directories(folder);
  std::size_t written = 0, refused = 0;
  for_each_vector(folder, files, [&](const Numbered& numbered) {
    compiler::OnnxModel onnx;
    try {
      onnx = compiler::export_onnx(numbered.vector.graph);
    } catch (const schema::Error& error) {
      ++refused;
      std::cerr << fs::path(numbered.file).filename().string() << ": " << numbered.vector.name << ": " << error.what()
                << "\n";
      return;
    }
    ++written;
    json line{{"file", fs::path(numbered.file).filename().string()},
              {"vector", numbered.vector.name},
              {"model", numbered.stem + ".onnx"},
              {"inputs", json::object()},
              {"outputs", json::object()}};
    write_file(numbered.stem + ".onnx",
               [&](std::ostream& to) { compiler::write_onnx(onnx, {}, [&](std::string_view piece) { to << piece; }); });
    for (std::size_t i = 0; i < numbered.vector.inputs.size(); ++i) {
      const auto& [name, tensor] = numbered.vector.inputs[i];
      const std::string file = numbered.stem + ".input." + std::to_string(i);
      write_file(file, [&](std::ostream& to) {
        to.write(reinterpret_cast<const char*>(tensor.data.data()), std::streamsize(tensor.data.size()));
      });
      line["inputs"][name] = file;
    }
    for (std::size_t i = 0; i < numbered.vector.expected.size(); ++i)
      line["outputs"][numbered.vector.expected[i].name] = numbered.stem + ".output." + std::to_string(i);
    std::cout << line.dump() << "\n";
  });
  std::cerr << written << " written, " << refused << " that ONNX cannot express\n";
}

/// Empty when the output is as expected.
std::string difference(const ConformanceVector& vector, std::size_t output, const std::string& file) {
  const compiler::Tensor& expected = vector.expected[output].tensor;
  const std::string actual = compiler::read_whole_file(file, max_file_bytes);
  if (actual.size() != expected.data.size()) return "has " + std::to_string(actual.size()) + " bytes";
  const auto bytes = std::as_bytes(std::span(actual));
  const auto comparison = schema::compare_tensors(expected.descriptor, bytes, expected.data.view(), vector.tolerance);
  if (comparison.passed()) return {};
  const std::size_t at = *comparison.first_mismatch;
  const auto element = [&](const std::byte* data) {
    return schema::load_element(expected.descriptor.type, data, at).text();
  };
  return std::to_string(comparison.mismatches) + " of " + std::to_string(comparison.count) + " differ, element " +
         std::to_string(at) + " is " + element(bytes.data()) + ", expected " + element(expected.data.data()) +
         ", at most " + std::to_string(comparison.max_ulp) + " ULP";
}

bool compare_vectors(const fs::path& folder, const std::vector<std::string>& files) {
  std::size_t equal = 0, different = 0, absent = 0;
  for_each_vector(folder, files, [&](const Numbered& numbered) {
    for (std::size_t i = 0; i < numbered.vector.expected.size(); ++i) {
      const std::string file = numbered.stem + ".output." + std::to_string(i);
      if (!fs::exists(file)) {
        ++absent;
        continue;
      }
      const std::string text = difference(numbered.vector, i, file);
      ++(text.empty() ? equal : different);
      if (!text.empty())
        std::cout << fs::path(numbered.file).filename().string() << ": " << numbered.vector.name << ": " << text
                  << "\n";
    }
  });
  std::cout << equal << " outputs as expected, " << different << " different, " << absent << " absent\n";
  return different == 0;
}

}  // namespace

int main(int count, char** arguments) {
  const std::vector<std::string> words(arguments + 1, arguments + count);
  if (words.size() < 3 || (words[0] != "write" && words[0] != "compare")) {
    std::cerr << "usage: onnx-vectors write|compare FOLDER VECTOR_FILE..\n";
    return 2;
  }
  try {
    const std::vector<std::string> files(words.begin() + 2, words.end());
    if (words[0] == "compare") return compare_vectors(words[1], files) ? 0 : 1;
    write_vectors(words[1], files);
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "error: " << error.what() << "\n";
    return 1;
  }
}
