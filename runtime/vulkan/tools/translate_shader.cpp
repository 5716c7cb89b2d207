// The program translate-shader IN.spv OUT.spv, run by the build (khr_cooperative_matrix.hpp).
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

#include "runtime/vulkan/tools/khr_cooperative_matrix.hpp"

int main(int count, char** arguments) try {
  if (count != 3) {
    std::cerr << "usage: translate-shader IN.spv OUT.spv\n";
    return 2;
  }
  std::ifstream in(arguments[1], std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(in)), {});
  std::vector<std::uint32_t> words(bytes.size() / sizeof(std::uint32_t));
  std::memcpy(words.data(), bytes.data(), words.size() * sizeof words[0]);
  words = webnn::runtime::vulkan::with_khr_cooperative_matrices(words);
  std::ofstream out(arguments[2], std::ios::binary);
  out.write(reinterpret_cast<const char*>(words.data()), std::streamsize(words.size() * sizeof words[0]));
  out.close();
  if (!out) std::cerr << "translate-shader: cannot write " << arguments[2] << "\n";
  return out ? 0 : 1;
} catch (const std::exception& error) {
  std::cerr << "translate-shader: " << error.what() << "\n";
  return 1;
}
