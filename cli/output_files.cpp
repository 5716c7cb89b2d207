#include "cli/output_files.hpp"

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

#include "schema/error.hpp"
#include "schema/text.hpp"

namespace webnn::cli {

namespace fs = std::filesystem;
using namespace schema;

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

namespace {

/// A file under construction; removed unless `commit` was reached.
class PendingFile {
 public:
  explicit PendingFile(const fs::path& target) : target_(target) {
    for (int attempt = 0; descriptor_ < 0 && attempt < 100; ++attempt) {
      name_ = target.string() + ".tmp" + std::to_string(getpid()) + "-" + std::to_string(attempt);
      descriptor_ = open(name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      if (descriptor_ < 0 && errno != EEXIST) break;
    }
    if (descriptor_ < 0) fail("create");
  }
  ~PendingFile() {
    if (descriptor_ >= 0) close(descriptor_);
    if (!name_.empty()) unlink(name_.c_str());
  }
  PendingFile(const PendingFile&) = delete;
  PendingFile& operator=(const PendingFile&) = delete;

  void append(std::string_view content) {
    while (!content.empty()) {
      const ssize_t written = ::write(descriptor_, content.data(), content.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail("write");
      content.remove_prefix(std::size_t(written));
    }
  }
  void commit() {
    if (fsync(descriptor_) != 0) fail("write");
    const int descriptor = std::exchange(descriptor_, -1);
    if (close(descriptor) != 0) fail("write");
    if (rename(name_.c_str(), target_.c_str()) != 0) fail("write");
    name_.clear();
  }

 private:
  [[noreturn]] void fail(const char* verb) const {
    throw Error(ExitCode::io,
                std::string("cannot ") + verb + " " + in_quotes(target_.string()) + ": " + std::strerror(errno));
  }

  fs::path target_;
  std::string name_;
  int descriptor_ = -1;
};

}  // namespace

void write_whole_file(const fs::path& file, std::string_view content) {
  if (file.has_parent_path()) {
    std::error_code error;
    fs::create_directories(file.parent_path(), error);
    if (error)
      throw Error(ExitCode::io,
                  "cannot create the folder " + in_quotes(file.parent_path().string()) + ": " + error.message());
  }
  PendingFile pending(file);
  pending.append(content);
  pending.commit();
}

}  // namespace webnn::cli
