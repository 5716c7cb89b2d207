// The user's folder of programs that were compiled from graph files, so that the next run of the same graph starts
// without compiling. GPUs keep their compiled shaders beside them, under the same limit. It holds nothing that cannot
// be made again, and every failure to use it is only a slower start.
#pragma once

#include <cstdint>
#include <ctime>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compiler/frontend/load.hpp"
#include "compiler/options.hpp"
#include "runtime/device.hpp"

namespace webnn::api {

/// What a program depends on, as text: one line for each thing, and its 128-bit hash, which names the program's file.
struct CacheKey {
  std::string text;
  std::string hash;  // 32 hexadecimal digits
};

/// The key of the program that `compile_program` makes of a graph file, told without reading the graph:
///   - the tool's version, the hash of its tables, the device and its features
///   - options that change programs: level, dimensions, provider, layouts, and the tuning file by its content
///   - the graph file by its content; of a binary one that is everything, because its metadata hold the checksums
///     of its constants, which are not read
///   - weights files that could belong to it by path, size, inode and times of change: one that is written anew
///     counts as another even if its content is the same, and one that is changed with all of these kept is not
///     noticed
/// Nullopt when programs are not to be kept: the options ask to look at the compiler at work.
std::optional<CacheKey> cache_key(const schema::Bytes& graph_file, const compiler::LoadOptions& reading,
                                  const compiler::Options& options, const runtime::Device& device,
                                  std::string_view provider);

class ProgramCache {
 public:
  /// At most `limit_bytes` are kept; the programs that were not used for longest go first.
  explicit ProgramCache(std::filesystem::path folder, std::uint64_t limit_bytes = std::uint64_t{8} << 30);

  /// $XDG_CACHE_HOME/webnn-cli, or ~/.cache/webnn-cli; nullopt when neither variable names a folder.
  static std::optional<std::filesystem::path> user_folder();

  const std::filesystem::path& folder() const { return folder_; }
  std::uint64_t limit_bytes() const { return limit_bytes_; }

  /// Held while a program is made, so that others who want the same one wait and then find it.
  class Lock {
   public:
    Lock() = default;
    explicit Lock(int descriptor) : descriptor_(descriptor) {}
    Lock(Lock&& other) noexcept;
    Lock& operator=(Lock&& other) noexcept;
    ~Lock();

   private:
    int descriptor_ = -1;
  };
  Lock lock(const CacheKey& key) const;

  /// The program, mapped, and proved safe; its constants are compared with their checksums if `verify`. What is damaged
  /// is removed and counts as absent.
  std::optional<schema::Program> find(const CacheKey& key, const runtime::Device& device, bool verify) const;

  /// Keeps a program: written beside its place and renamed, so that nobody finds half of it. False, and why, when it is
  /// not kept.
  bool keep(const CacheKey& key, const schema::Program& program, std::string& why) const;

  struct Entry {
    std::filesystem::path file;
    bool is_program = true;  // or compiled shaders
    std::uint64_t bytes = 0;
    std::time_t last_use = 0;
  };
  /// Most recently used first.
  std::vector<Entry> entries() const;

  /// Removes files until at most `keep_bytes` are left, those first that were not used for longest; gives how many
  /// bytes went.
  std::uint64_t clean(std::uint64_t keep_bytes) const;

 private:
  std::filesystem::path file_of(const CacheKey& key) const;

  std::filesystem::path folder_;
  std::uint64_t limit_bytes_;
};

/// One program's place in a cache. Nothing here fails: what is not found is compiled.
class CachePlace {
 public:
  CachePlace(ProgramCache cache, CacheKey key) : cache_(std::move(cache)), key_(std::move(key)) {}

  /// The program, if it is there; its constants are compared with their checksums if `verify`. If it is not, others who
  /// want the same one wait from now on until `keep`, or until this object dies.
  std::optional<schema::Program> find(const runtime::Device& device, bool verify);
  /// Keeps a program and lets others find it. Why it is not kept; empty: it is.
  std::string keep(const schema::Program& program);

 private:
  ProgramCache cache_;
  CacheKey key_;
  ProgramCache::Lock lock_;
};

}  // namespace webnn::api
