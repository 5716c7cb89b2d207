#include "schema/file/output_file.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

#include "schema/error.hpp"
#include "schema/file/file_mapping.hpp"
#include "schema/text.hpp"

namespace webnn::schema {

namespace fs = std::filesystem;

OutputFile::OutputFile(const fs::path& target, Readers readers) : target_(target) {
  const mode_t rights = readers == Readers::all ? 0666 : 0600;
  const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    throw Error(ExitCode::io, "cannot create the folder " + in_quotes(folder.string()) + ": " + error.message());
  if (fs::is_symlink(fs::symlink_status(target, error))) target_ = fs::weakly_canonical(target, error);
  const fs::file_status status = fs::status(target_, error);
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    direct_ = true;
    descriptor_ = open(target_.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) fail("write");
    return;
  }
  descriptor_ = open(target_.parent_path().empty() ? "." : target_.parent_path().c_str(),
                     O_WRONLY | O_TMPFILE | O_CLOEXEC, rights);
  if (descriptor_ >= 0) return;
  name_ = temporary_name();
  descriptor_ = open(name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, rights);
  if (descriptor_ < 0) {
    name_.clear();
    fail("create");
  }
}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) close(descriptor_);
  if (!name_.empty()) unlink(name_.c_str());
}

void OutputFile::append(std::string_view content) {
  constexpr std::size_t block = std::size_t{1} << 16;
  if (content.size() < block) {  // a program has one constant for each call of some graphs
    if (waiting_.size() + content.size() > block) flush();
    waiting_ += content;
    return;
  }
  flush();
  const auto is_zero = [](std::string_view bytes) {
    return bytes[0] == 0 && std::memcmp(bytes.data(), bytes.data() + 1, bytes.size() - 1) == 0;
  };
  while (!direct_ && content.size() >= block) {
    std::size_t zeros = 0, data = 0;
    while (content.size() - zeros >= block && is_zero(content.substr(zeros, block))) zeros += block;
    if (zeros != 0 && lseek(descriptor_, off_t(zeros), SEEK_CUR) < 0) fail("write");
    content.remove_prefix(zeros);
    size_ += zeros;
    while (content.size() - data >= block && !is_zero(content.substr(data, block))) data += block;
    write_all(content.substr(0, data));
    content.remove_prefix(data);
  }
  write_all(content);
}

void OutputFile::flush() {
  write_all(waiting_);
  waiting_.clear();
}

void OutputFile::write_all(std::string_view content) {
  size_ += content.size();
  while (!content.empty()) {
    const ssize_t written = ::write(descriptor_, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("write");
    content.remove_prefix(std::size_t(written));
  }
}

void OutputFile::finish(Sync sync) {
  if (std::exchange(is_finished_, true)) return;
  flush();
  if (direct_) return;
  // A hole at the end belongs to the file too. Its last zero is written: a sandbox leaves no way to set lengths.
  const off_t end = lseek(descriptor_, 0, SEEK_END);
  if (end < 0 || (end < off_t(size_) && pwrite(descriptor_, "", 1, off_t(size_) - 1) != 1)) fail("write");
  if (sync == Sync::yes && fsync(descriptor_) != 0) fail("write");
}

void OutputFile::commit(Sync sync) {
  check_no_file_cut();  // what was read from it is zeros
  finish(sync);
  if (direct_) {
    if (close(std::exchange(descriptor_, -1)) != 0) fail("write");
    return;
  }
  const std::string open_file = "/proc/self/fd/" + std::to_string(descriptor_);
  const auto take_name = [&](const fs::path& name) {
    return linkat(AT_FDCWD, open_file.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
  };
  // A new file has its name at once; one that replaces another has a temporary one before, as links replace nothing.
  bool is_named = false;
  if (name_.empty()) {
    is_named = take_name(target_);
    if (!is_named && errno != EEXIST) fail("create");
    if (const std::string name = is_named ? "" : temporary_name(); !is_named) {
      if (!take_name(name)) fail("create");
      name_ = name;
    }
  }
  const int descriptor = std::exchange(descriptor_, -1);
  if (close(descriptor) != 0) fail("write");
  if (!is_named && rename(name_.c_str(), target_.c_str()) != 0) fail("write");
  name_.clear();
}

/// Next to the target, so that a rename replaces it atomically.
std::string OutputFile::temporary_name() const {
  std::string name;
  for (int attempt = 0; attempt < 100; ++attempt) {
    name = target_.string() + ".tmp" + std::to_string(getpid()) + "-" + std::to_string(attempt);
    if (access(name.c_str(), F_OK) != 0) break;
  }
  return name;
}

bool is_temporary_name(std::string_view file) { return fs::path(file).extension().string().starts_with(".tmp"); }

void OutputFile::fail(const char* verb) const {
  throw Error(ExitCode::io,
              std::string("cannot ") + verb + " " + in_quotes(target_.string()) + ": " + std::strerror(errno));
}

}  // namespace webnn::schema
