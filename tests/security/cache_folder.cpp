// The user's cache is the user's alone: its rights, links planted in it, and entries that somebody else could have
// written.
#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "api/runner/program_cache.hpp"
#include "schema/file/own_folder.hpp"
#include "tests/cli/command_line.hpp"
#include "tests/harness/paths.hpp"

namespace webnn::tests::cache_folder_test {
namespace {

namespace fs = std::filesystem;

mode_t rights_of(const fs::path& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 ? status.st_mode & 07777 : 0;
}

std::string run_with_cache() {
  const CommandResult result = webnn_cli({"run", (source_dir() / "models/digits/digits.json").string(), "--fill",
                                          "ones", "--output-format", "json", "--no-cache=false"});
  CAPTURE(result.err);
  CHECK(result.code == 0);
  return result.out;
}

/// A user's cache for as long as this lives.
struct Cache {
  Cache() { setenv("XDG_CACHE_HOME", (scratch.path() / "new/cache").c_str(), 1); }
  ~Cache() { setenv("XDG_CACHE_HOME", "/nonexistent/cache-of-tests", 1); }
  Cache(const Cache&) = delete;
  Cache& operator=(const Cache&) = delete;
  fs::path folder() const { return scratch.path() / "new/cache/webnn-cli"; }
  std::vector<api::ProgramCache::Entry> entries() const { return api::ProgramCache(folder()).entries(); }

  ScratchFolder scratch;
};

}  // namespace

TEST_CASE("security: folders and files of the cache are the user's alone, whatever the mask of rights") {
  const Cache cache;
  const mode_t before = umask(0);
  run_with_cache();
  umask(before);
  CHECK(rights_of(cache.scratch.path() / "new") == 0700);
  CHECK(rights_of(cache.scratch.path() / "new/cache") == 0700);
  CHECK(rights_of(cache.folder()) == 0700);
  REQUIRE(cache.entries().size() == 1);
  for (const auto& file : fs::directory_iterator(cache.folder())) {
    CAPTURE(file.path());
    CHECK(rights_of(file.path()) == 0600);
  }
}

TEST_CASE("security: a folder of the cache that others could write to is closed to them") {
  const Cache cache;
  fs::create_directories(cache.folder());
  fs::permissions(cache.folder(), fs::perms::all);
  run_with_cache();
  CHECK(rights_of(cache.folder()) == 0700);
}

TEST_CASE("security: an entry that others could have written is not used, nor is one behind a link") {
  const Cache cache;
  const std::string right = run_with_cache();
  REQUIRE(cache.entries().size() == 1);
  const fs::path entry = cache.entries()[0].file, elsewhere = cache.scratch.path() / "elsewhere.wnnc";
  fs::permissions(entry, fs::perms::all);
  const auto status_before = fs::last_write_time(entry);
  CHECK(run_with_cache() == right);
  CHECK(rights_of(entry) == 0600);  // made again
  CHECK(fs::last_write_time(entry) >= status_before);

  fs::rename(entry, elsewhere);
  fs::create_symlink(elsewhere, entry);
  const std::string content = read_file(elsewhere);
  CHECK(run_with_cache() == right);
  CHECK_FALSE(fs::is_symlink(entry));
  CHECK(read_file(elsewhere) == content);
}

TEST_CASE("security: a link named `lock` or `secret` in the cache makes no file elsewhere") {
  const Cache cache;
  fs::create_directories(cache.folder());
  for (const char* name : {"lock", "secret"}) {
    fs::remove(cache.folder() / name);
    fs::create_symlink(cache.scratch.path() / "made_elsewhere", cache.folder() / name);
    run_with_cache();
    CHECK_FALSE(fs::exists(cache.scratch.path() / "made_elsewhere"));
  }
}

TEST_CASE("security: a folder of another user is not used") {
  const ScratchFolder scratch;
  std::string why;
  using schema::OwnFolder;
  CHECK(OwnFolder::open(scratch.path(), OwnFolder::Missing::stays, why));
  CHECK_FALSE(OwnFolder::open(scratch.path() / "absent", OwnFolder::Missing::stays, why));
  if (geteuid() == 0) {
    REQUIRE(chown(scratch.path().c_str(), 12345, 12345) == 0);
    CHECK_FALSE(OwnFolder::open(scratch.path(), OwnFolder::Missing::is_made, why));
    CHECK(contains(why, "another user"));
  } else {
    CHECK_FALSE(OwnFolder::open("/usr", OwnFolder::Missing::is_made, why));
    CHECK(contains(why, "another user"));
  }
}

}  // namespace webnn::tests::cache_folder_test
