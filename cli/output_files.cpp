#include "cli/output_files.hpp"

#include <cstdint>

namespace webnn::cli {

namespace fs = std::filesystem;

std::string file_name_of(std::string_view tensor_name) {
  constexpr char digits[] = "0123456789ABCDEF";
  std::string result;
  for (const char c : tensor_name) {
    const bool plain =
        (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
    if (plain) {
      result += c;
    } else {
      const auto byte = std::uint8_t(c);
      ((result += '%') += digits[byte >> 4]) += digits[byte & 15u];
    }
  }
  return result;
}

void check_writable_folder(const fs::path& folder) { const OutputFile probe(folder / "probe"); }

void write_whole_file(const fs::path& file, std::string_view content) {
  OutputFile output(file);
  output.append(content);
  output.commit();
}

}  // namespace webnn::cli
