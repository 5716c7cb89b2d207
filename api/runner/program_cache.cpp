#include "api/runner/program_cache.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>
#include <utility>

#include "api/runner/read_program.hpp"
#include "runtime/vulkan/gpu.hpp"
#include "schema/error.hpp"
#include "schema/file/attributes.hpp"
#include "schema/file/checksum.hpp"
#include "schema/file/file_mapping.hpp"
#include "schema/file/output_file.hpp"
#include "schema/file/program_file.hpp"
#include "schema/version.hpp"

namespace webnn::api {

using namespace schema;
namespace fs = std::filesystem;

namespace {

constexpr std::string_view secret_name = "secret";

/// Exactly `bytes` of an open file; empty: it is of another length, or cannot be read.
std::vector<std::byte> content_of(const Descriptor& file, std::size_t bytes) {
  std::vector<std::byte> content(bytes + 1);
  const ssize_t got = pread(file.get(), content.data(), content.size(), 0);
  content.resize(got == ssize_t(bytes) ? bytes : 0);
  return content;
}

/// Held while something is made that is called `what`. One file for all: each has a byte of it, so that no files are
/// left over. Empty, too, where the folder takes no such file.
Descriptor lock_of(const OwnFolder& folder, std::string_view what) {
  Descriptor file = folder.file("lock", O_RDWR | O_CREAT);
  if (!file) return file;
  struct flock range {};
  range.l_type = F_WRLCK;
  range.l_whence = SEEK_SET;
  range.l_start = off_t(checksum_of(what) >> 2);
  range.l_len = 1;
  while (fcntl(file.get(), F_OFD_SETLKW, &range) != 0)
    if (errno != EINTR) break;  // a file system without locks: two may make the same, and one of them stays
  return file;
}

/// Makes the secret, unless another process does so first. The file appears with its whole content.
void make_secret(const OwnFolder& folder) {
  std::array<std::byte, HashKey::bytes> secret{};
  for (std::size_t got = 0; got < secret.size();) {  // 256 bytes at a time are given whole
    const ssize_t more = getrandom(secret.data() + got, std::min<std::size_t>(256, secret.size() - got), 0);
    if (more < 0) return;
    got += std::size_t(more);
  }
  // Without a name until it is whole, so that nothing stays behind when the process is killed.
  const Descriptor file(openat(folder.descriptor(), ".", O_WRONLY | O_TMPFILE | O_CLOEXEC, S_IRUSR | S_IWUSR));
  if (file && write(file.get(), secret.data(), secret.size()) == ssize_t(secret.size())) {
    const std::string place = "/proc/self/fd/" + std::to_string(file.get());
    if (linkat(AT_FDCWD, place.c_str(), folder.descriptor(), secret_name.data(), AT_SYMLINK_FOLLOW) == 0) return;
    if (errno == EEXIST) return;
  }
  // Not every file system has nameless files, and not every process has /proc. One process at a time writes to one
  // name, so that the next one takes away what a killed one leaves.
  const Descriptor lock = lock_of(folder, secret_name);
  struct stat status {};
  if (fstatat(folder.descriptor(), secret_name.data(), &status, AT_SYMLINK_NOFOLLOW) == 0) return;
  constexpr const char* unfinished = "secret.tmp";
  unlinkat(folder.descriptor(), unfinished, 0);
  const Descriptor named = folder.file(unfinished, O_WRONLY | O_CREAT | O_EXCL);
  if (!named) return;
  if (write(named.get(), secret.data(), secret.size()) != ssize_t(secret.size()) ||
      renameat(folder.descriptor(), unfinished, folder.descriptor(), secret_name.data()) != 0)
    unlinkat(folder.descriptor(), unfinished, 0);
}

}  // namespace

std::optional<CacheKey> cache_key(const Bytes& graph_file, const compiler::LoadOptions& reading,
                                  const compiler::Options& options, const runtime::Device& device,
                                  std::string_view provider, const HashKey& secret) {
  const bool looks_on = !options.print_before.empty() || !options.print_after.empty() || !options.stop_after.empty() ||
                        options.time_passes || options.stats || options.pass_times || options.last_unit;
  if (looks_on || options.available) return std::nullopt;
  CacheKey key;
  const auto add = [&](std::string_view what, const std::string& value) {
    ((key.text += what) += ": ") += value + "\n";
  };
  add("tool", std::string(version) + " with tables " + checksum_text(hash_of_tables()) + ", program " +
                  identity_of_file("/proc/self/exe"));
  add("device", std::string(name_of(device.target().device)) + " " + text_of(device.target().features) + ", " +
                    std::to_string(device.target().compute_units) + " compute units");
  for (const runtime::KernelChoice& choice : device.choices())
    add("choice", std::string(choice.call_class) + ": " + std::string(choice.kernel));
  add("provider", std::string(options.kernels.empty() ? provider : std::string_view(options.kernels)));
  if (!options.tuning.calls.empty()) add("tuning", checksum_text(options.tuning.content));
  add("level", std::to_string(options.level) + ", folds " + std::to_string(options.fold_limit_bytes));
  add("layouts", options.keep_layouts ? "kept" : "row-major");
  for (const compiler::ConstantInput& constant : reading.constant_inputs) {
    if (constant.text.find('@') != std::string::npos) return std::nullopt;  // a file that may change
    add("constant", constant.text + " for " + constant.name);
  }
  if (!reading.weights_file.empty()) add("named weights", reading.weights_file.string());  // which may be refused
  if (reading.double_as_float32) add("allows", "double-as-float32");
  for (const auto& [name, size] : options.dimensions) add("dimension", std::to_string(size) + " " + name);
  add("limits", std::to_string(reading.max_file_bytes) + " " + std::to_string(reading.max_nodes) + " " +
                    std::to_string(reading.max_tensor_bytes) + " " + std::to_string(reading.max_filled_bytes));
  const compiler::Format* format = compiler::chosen_format(text_of(graph_file), reading);
  add("format", std::string(format ? format->name : "unknown"));
  const std::string identity = mapped_identity(graph_file);
  const bool tells_in_part = format && format->telling_part && !identity.empty();
  const Bytes telling = tells_in_part ? format->telling_part(graph_file) : graph_file;
  add("graph", std::to_string(telling.size()) + " bytes " + secret.hash_of(telling.view()));
  if (tells_in_part) add("file", identity);
  if (format && format->weights_files) {
    std::error_code error;
    for (const fs::path& file : format->weights_files(graph_file, reading))
      add("weights", identity_of_file(file.c_str()) + " " + fs::weakly_canonical(file, error).string());
  }
  key.hash = secret.hash_of(key.text);
  return key;
}

ProgramCache::ProgramCache(fs::path folder, std::uint64_t limit_bytes)
    : folder_(std::move(folder)), limit_bytes_(limit_bytes) {}

std::optional<fs::path> ProgramCache::user_folder() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return fs::path(value ? value : "");
  };
  // The specification of the XDG folders wants relative paths to be ignored.
  if (const fs::path cache = variable("XDG_CACHE_HOME"); cache.is_absolute()) return cache / "webnn-cli";
  if (const fs::path home = variable("HOME"); home.is_absolute()) return home / ".cache" / "webnn-cli";
  return std::nullopt;
}

std::optional<HashKey> ProgramCache::secret(std::string& why) const {
  const std::optional<OwnFolder> folder = OwnFolder::open(folder_, OwnFolder::Missing::is_made, why);
  if (!folder) return std::nullopt;
  for (const bool again : {true, false}) {
    if (const Descriptor file = folder->file(std::string(secret_name), O_RDONLY))
      if (const std::vector<std::byte> secret = content_of(file, HashKey::bytes); !secret.empty())
        return HashKey(std::span<const std::byte, HashKey::bytes>(secret));
    if (again) make_secret(*folder);
  }
  why = "the file " + std::string(secret_name) + " in its folder cannot be made or is not what belongs there";
  return std::nullopt;
}

std::string ProgramCache::name_of(const CacheKey& key) { return key.hash + ".wnnc"; }

ProgramCache::Lock ProgramCache::lock(const CacheKey& key) const {
  std::string why;
  const std::optional<OwnFolder> folder = OwnFolder::open(folder_, OwnFolder::Missing::is_made, why);
  return folder ? Lock(lock_of(*folder, key.hash)) : Lock();
}

std::optional<Program> ProgramCache::find(const CacheKey& key, const runtime::Device& device, bool verify) const {
  const std::string name = name_of(key);
  std::string why;
  const std::optional<OwnFolder> folder = OwnFolder::open(folder_, OwnFolder::Missing::stays, why);
  const Descriptor file = folder ? folder->file(name, O_RDONLY) : Descriptor();
  if (!file) return std::nullopt;
  try {
    const std::string path = (folder_ / name).string();
    const auto bytes = map_program_file(file.get(), path);
    Diagnostics ignored;
    std::optional<Program> program = bytes ? read_program_for(device, *bytes, path, ignored) : std::nullopt;
    bool sound = program.has_value();
    for (std::size_t i = 0; sound && verify && i < program->constants.size(); ++i)
      sound = checksum_of(program->constants[i].view()) == program->constant_checksums[i];
    if (!sound) {
      unlinkat(folder->descriptor(), name.c_str(), 0);
      return std::nullopt;
    }
    program->constant_checksums.clear();
    futimens(file.get(), nullptr);  // last used now
    return program;
  } catch (const Error&) {
    return std::nullopt;  // it cannot be read
  }
}

bool ProgramCache::keep(const CacheKey& key, const Program& program, std::string& why) const {
  const auto refuse = [&](std::string reason) {
    why = std::move(reason);
    return false;
  };
  std::uint64_t bytes = 0;
  for (const Bytes& constant : program.constants) bytes += constant.size();
  if (bytes > limit_bytes_ / 2) return refuse("it is larger than half of what the cache holds");
  const std::optional<OwnFolder> folder = OwnFolder::open(folder_, OwnFolder::Missing::is_made, why);
  if (!folder) return false;
  struct statvfs disk {};
  if (fstatvfs(folder->descriptor(), &disk) != 0) return refuse(std::strerror(errno));
  if (bytes > std::uint64_t{disk.f_bavail} * disk.f_frsize / 4) return refuse("the disk is nearly full");
  clean(limit_bytes_ - bytes);
  try {
    const fs::path path = folder_ / name_of(key);
    std::error_code error;
    if (fs::is_symlink(fs::symlink_status(path, error))) fs::remove(path, error);  // or it would be followed
    OutputFile file(path, OutputFile::Readers::user);
    write_program(program, [&](std::span<const std::byte> piece) { file.append(text_of(piece)); });
    file.commit(OutputFile::Sync::no);  // what a power cut leaves is found damaged and made again
  } catch (const Error& failure) {
    return refuse(failure.what());
  }
  return true;
}

std::optional<ProgramCache::Entry::Kind> ProgramCache::kind_of(std::string_view file) {
  using Kind = Entry::Kind;
  if (file.ends_with(".wnnc")) return Kind::program;
  if (file.ends_with(runtime::shader_file_extension)) return Kind::shaders;
  return is_temporary_name(file) ? std::optional(Kind::unfinished) : std::nullopt;
}

std::vector<ProgramCache::Entry> ProgramCache::entries() const {
  std::vector<Entry> list;
  std::error_code error;
  for (const fs::directory_entry& found : fs::directory_iterator(folder_, error)) {
    const std::optional<Entry::Kind> kind = kind_of(found.path().filename().string());
    struct stat status {};
    if (!kind || lstat(found.path().c_str(), &status) != 0 || !S_ISREG(status.st_mode)) continue;
    list.push_back({found.path(), *kind, std::uint64_t(status.st_size), status.st_mtim.tv_sec});
  }
  std::ranges::sort(list, [](const Entry& a, const Entry& b) {
    return std::pair(b.last_use, a.file) < std::pair(a.last_use, b.file);
  });
  return list;
}

std::uint64_t ProgramCache::clean(std::uint64_t keep_bytes) const {
  std::uint64_t kept = 0, removed = 0;
  bool full = false;
  std::error_code error;
  for (const Entry& entry : entries()) {  // what was used last comes first
    full = full || entry.bytes > keep_bytes - kept;
    if (!full)
      kept += entry.bytes;
    else if (fs::remove(entry.file, error))
      removed += entry.bytes;
  }
  return removed;
}

std::optional<Program> CachePlace::find(const runtime::Device& device, bool verify) {
  if (auto program = cache_.find(key_, device, verify)) return program;
  lock_ = cache_.lock(key_);
  auto program = cache_.find(key_, device, verify);  // somebody may have made it while this one waited
  if (program) lock_ = {};
  return program;
}

std::string CachePlace::keep(const Program& program) {
  std::string why;
  cache_.keep(key_, program, why);
  lock_ = {};
  return why;
}

}  // namespace webnn::api
