#include "schema/file/own_folder.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace webnn::schema {
namespace {

constexpr mode_t rights_of_others = S_IRWXG | S_IRWXO;

/// False with errno.
bool make_folders(const std::filesystem::path& path) {
  if (mkdir(path.c_str(), S_IRWXU) == 0 || errno == EEXIST) return true;
  if (errno != ENOENT || !path.has_relative_path()) return false;
  return make_folders(path.parent_path()) && (mkdir(path.c_str(), S_IRWXU) == 0 || errno == EEXIST);
}

}  // namespace

std::optional<OwnFolder> OwnFolder::open(const std::filesystem::path& path, Missing missing, std::string& why) {
  const auto refuse = [&](std::string reason) {
    why = std::move(reason);
    return std::nullopt;
  };
  if (missing == Missing::is_made && !make_folders(path)) return refuse(std::strerror(errno));
  Descriptor folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  struct stat status {};
  if (!folder || fstat(folder.get(), &status) != 0) return refuse(std::strerror(errno));
  if (status.st_uid != geteuid()) return refuse("its folder belongs to another user");
  if ((status.st_mode & rights_of_others) != 0 && fchmod(folder.get(), S_IRWXU) != 0)
    return refuse("its folder is open to other users");
  return OwnFolder(path, std::move(folder));
}

Descriptor OwnFolder::file(const std::string& name, int flags) const {
  Descriptor file(
      openat(descriptor(), name.c_str(), flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, S_IRUSR | S_IWUSR));
  struct stat status {};
  const bool is_own = file && fstat(file.get(), &status) == 0 && S_ISREG(status.st_mode) &&
                      status.st_uid == geteuid() && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
  return is_own ? std::move(file) : Descriptor();
}

}  // namespace webnn::schema
