// The user's cache: a folder of programs that were compiled from graph files, so that the next run of the same graph
// starts without compiling. The compiled shaders of GPUs are kept next to them, under the same limit. Everything in it
// can be made again; a failure to use it only makes the start slower. The folder is the user's alone
// (schema/file/own_folder.hpp).
#pragma once

#include <cstdint>
#include <ctime>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/frontend/load.hpp"
#include "compiler/options.hpp"
#include "runtime/device.hpp"
#include "schema/file/keyed_hash.hpp"
#include "schema/file/own_folder.hpp"

namespace webnn::api {

/// Everything that a program depends on: as text, a line each, and as its 128-bit hash, which names the program's file.
struct CacheKey {
  std::string text;
  std::string hash;  // 32 hexadecimal digits
};

/// The key of the program that `compile_program` makes from a graph file. It is computed without reading the graph,
/// from
///   - the tool's version, the hash of its tables, the device and its features
///   - options that change programs: level, dimensions, provider, layouts, and the tuning file by its content
///   - the content of the graph file; for a binary graph its metadata, and for its constants the file, by size, inode
///     and times of change, as it was when it was mapped
///   - weights files that could belong to it, by path, size, inode and times of change: a file that was written again
///     counts as changed even if its content is the same, and a change that preserves all of these is not noticed
/// Hashes are made with the user's secret: nobody else can make a file that gets the program of another one. Nullopt
/// when the program must not be cached, because the options show the compiler at work.
std::optional<CacheKey> cache_key(const schema::Bytes& graph_file, const compiler::LoadOptions& reading,
                                  const compiler::Options& options, const runtime::Device& device,
                                  std::string_view provider, const schema::HashKey& secret);

class ProgramCache {
 public:
  /// Keeps at most `limit_bytes`; the least recently used programs are removed first.
  explicit ProgramCache(std::filesystem::path folder, std::uint64_t limit_bytes = std::uint64_t{8} << 30);

  /// $XDG_CACHE_HOME/webnn-cli, or ~/.cache/webnn-cli; nullopt when neither variable names a folder.
  static std::optional<std::filesystem::path> user_folder();

  const std::filesystem::path& folder() const { return folder_; }
  std::uint64_t limit_bytes() const { return limit_bytes_; }

  /// The key of the hashes that name programs, random and the user's alone; made when it is missing. Nullopt, with the
  /// reason in `why`, when the folder cannot be used.
  std::optional<schema::HashKey> secret(std::string& why) const;

  /// Held while a program is made, so that everyone else who needs the same one waits for it.
  class Lock {
   public:
    Lock() = default;
    explicit Lock(schema::Descriptor file) : file_(std::move(file)) {}

   private:
    schema::Descriptor file_;  // closing it unlocks
  };
  Lock lock(const CacheKey& key) const;

  /// The program, mapped and proved safe; if `verify`, its constants are also compared with their checksums. A damaged
  /// file is removed and counts as absent.
  std::optional<schema::Program> find(const CacheKey& key, const runtime::Device& device, bool verify) const;

  /// Stores a program. It is written under another name and renamed, so that an incomplete file is never found. False,
  /// with the reason in `why`, when it could not be stored.
  bool keep(const CacheKey& key, const schema::Program& program, std::string& why) const;

  struct Entry {
    enum class Kind : std::uint8_t {
      program,
      shaders,
      unfinished,  // somebody is writing it, or was killed doing so where files cannot be nameless
    };
    std::filesystem::path file;
    Kind kind = Kind::program;
    std::uint64_t bytes = 0;
    std::time_t last_use = 0;
  };
  /// Most recently used first.
  std::vector<Entry> entries() const;

  /// Removes the least recently used files until at most `keep_bytes` are left. Returns the number of bytes removed.
  std::uint64_t clean(std::uint64_t keep_bytes) const;

 private:
  static std::string name_of(const CacheKey& key);
  /// Nullopt: a file that is no entry.
  static std::optional<Entry::Kind> kind_of(std::string_view file);

  std::filesystem::path folder_;
  std::uint64_t limit_bytes_;
};

/// One program's place in a cache. Nothing here fails: a program that is not found is compiled.
class CachePlace {
 public:
  CachePlace(ProgramCache cache, CacheKey key) : cache_(std::move(cache)), key_(std::move(key)) {}

  /// The program, if it is there; if `verify`, its constants are compared with their checksums. If it is not there,
  /// everyone else who needs it waits until `keep` or the end of this object.
  std::optional<schema::Program> find(const runtime::Device& device, bool verify);
  /// Stores the program and releases those who wait for it. Returns the reason for a failure, or empty.
  std::string keep(const schema::Program& program);

 private:
  ProgramCache cache_;
  CacheKey key_;
  ProgramCache::Lock lock_;
};

}  // namespace webnn::api
