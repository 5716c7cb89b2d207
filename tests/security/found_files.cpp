// A stranger's folder that a command looks through: links in it do not stand for files elsewhere, whose first lines would be
// in messages, and a pipe in it does not keep the command waiting.
#include <doctest/doctest.h>
#include <sys/stat.h>

#include "compiler/frontend/mapped_file.hpp"
#include "schema/error.hpp"
#include "tests/cli/command_line.hpp"
#include "tests/harness/machine/shell.hpp"
#include "tests/harness/paths.hpp"

namespace webnn::tests::found_files_test {
namespace {

namespace fs = std::filesystem;

constexpr const char* link_message = "is a symbolic link that cannot be followed within";

/// A copy of the model in a folder, next to which the user has files of his own.
struct Upload {
  Upload() {
    fs::create_directories(folder);
    for (const fs::directory_entry& entry : fs::directory_iterator(source_dir() / "models/digits"))
      fs::copy_file(entry.path(), folder / entry.path().filename());
    write_file(secret, "my secret\n");
    fs::copy_file(folder / input, own_array);
  }
  std::string model() const { return (folder / "digits.json").string(); }
  std::string name() const { return folder.string(); }

  ScratchFolder scratch;
  fs::path folder = scratch.path() / "upload", secret = scratch.path() / "secret",
           own_array = scratch.path() / "own.npy";
  std::string input = "digits.input.image.npy";
};

std::string all_of(const CommandResult& result) { return result.out + result.err; }

TEST_CASE("security: validate reads no file that a link in a folder leads to, outside of it") {
  const Upload upload;
  fs::create_symlink("../secret", upload.folder / "a.json");
  fs::create_symlink(upload.secret, upload.folder / "b.json");
  fs::copy_file(source_dir() / "tests/fuzz/corpus/json/small.json", upload.folder / "original.json");
  fs::create_symlink("original.json", upload.folder / "within.json");
  const CommandResult result = webnn_cli({"validate", upload.name()});
  CAPTURE(all_of(result));
  CHECK(result.code == 6);
  CHECK_FALSE(contains(all_of(result), "my secret"));
  for (const char* name : {"a.json", "b.json"}) CHECK(contains(result.err, std::string(name) + "' " + link_message));
  for (const char* name : {"digits.json", "within.json"})
    CHECK(contains(result.out, (upload.folder / name).string() + ": valid"));
  // What the user names is read, wherever it leads.
  CHECK(contains(webnn_cli({"validate", (upload.folder / "a.json").string()}).err, "my secret"));
}

TEST_CASE("security: test reads neither links that lead out of the suite nor pipes in it") {
  const Upload upload;
  fs::remove(upload.folder / upload.input);
  fs::create_symlink("../own.npy", upload.folder / upload.input);
  fs::create_symlink("../secret", upload.folder / "vectors.json");
  const CommandResult linked = webnn_cli({"test", upload.name()});
  CAPTURE(all_of(linked));
  CHECK(linked.code == 1);
  CHECK(contains(linked.out, "vectors.json' " + std::string(link_message)));
  CHECK(contains(linked.out, upload.input + "' " + link_message));
  CHECK(contains(linked.out, "0 passed, 2 failed"));

  fs::remove(upload.folder / upload.input);
  fs::remove(upload.folder / "vectors.json");
  REQUIRE(mkfifo((upload.folder / upload.input).c_str(), 0600) == 0);
  const CommandResult piped = webnn_cli({"test", upload.name()});
  CHECK(piped.code == 1);
  CHECK(contains(piped.out, upload.input + "' is not a regular file"));
}

TEST_CASE("security: inputs and results and batches in a folder are files of that folder") {
  const Upload upload;
  fs::create_symlink("../own.npy", upload.folder / "image.npy");
  fs::create_symlink("../own.npy", upload.folder / "probabilities.npy");
  const CommandResult run = webnn_cli({"run", upload.model(), "--inputs", upload.name()});
  CHECK(run.code == 6);
  CHECK(contains(run.err, "image.npy' " + std::string(link_message)));
  const CommandResult compare = webnn_cli({"compare", upload.model(), upload.name(), "--fill", "ones"});
  CHECK(compare.code == 6);
  CHECK(contains(compare.err, "probabilities.npy' " + std::string(link_message)));

  const fs::path batch = upload.scratch.path() / "batch";
  fs::create_directory(batch);
  fs::copy_file(upload.own_array, batch / "a.npy");
  fs::create_symlink("../own.npy", batch / "b.npy");
  const auto run_batch = [&](const std::string& source) {
    return webnn_cli({"run", upload.model(), "--batch", source, "--outputs",
                      (upload.scratch.path() / "results").string(), "--force", "--no-cache"});
  };
  const CommandResult found = run_batch(batch.string());
  CHECK(found.code == 1);
  CHECK(contains(found.err, "b.npy' " + std::string(link_message)));
  CHECK(contains(found.out, "1 computed, 1 failed"));
  const CommandResult matched = run_batch((batch / "*.npy").string());
  CHECK(contains(matched.out, "2 computed"));
}

TEST_CASE("security: ONNX tests are files of their suite") {
  const ScratchFolder scratch;
  const fs::path suite = scratch.path() / "suite", elsewhere = scratch.path() / "elsewhere";
  fs::create_directories(suite / "linked_data");
  fs::create_directories(elsewhere / "test_data_set_0");
  for (const fs::path& test : {suite / "linked_data", elsewhere})
    fs::copy_file(source_dir() / "models/onnx/digits.onnx", test / "model.onnx");
  for (const char* name : {"input_0.pb", "output_0.pb"}) write_file(elsewhere / "test_data_set_0" / name, "my secret");
  fs::create_symlink("../../elsewhere/test_data_set_0", suite / "linked_data/test_data_set_0");
  fs::create_symlink("../elsewhere", suite / "linked_test");
  const CommandResult result = webnn_cli({"test", "--onnx", suite.string()});
  CAPTURE(all_of(result));
  CHECK(result.code == 1);
  CHECK(contains(result.out, "input_0.pb' " + std::string(link_message)));
  CHECK(contains(result.out, "linked_test/model.onnx' " + std::string(link_message)));
  CHECK(contains(result.out, "0 passed, 2 failed"));
}

TEST_CASE("security: the inputs of a saved run are files of its folder") {
  const Upload upload;
  const fs::path saved = upload.scratch.path() / "saved", inputs = upload.scratch.path() / "inputs";
  REQUIRE(webnn_cli({"compare", upload.model(), "--save-run", saved.string(), "--fill", "ones"}).code == 0);
  CHECK(webnn_cli({"compare", upload.model(), "--ref", saved.string()}).code == 0);
  fs::rename(saved / "inputs", inputs);
  fs::create_symlink(inputs, saved / "inputs");
  const CommandResult linked = webnn_cli({"compare", upload.model(), "--ref", saved.string()});
  CAPTURE(all_of(linked));
  CHECK(linked.code == 6);
  CHECK(contains(linked.err, "image.npy' " + std::string(link_message)));
}

TEST_CASE("security: a link that leads nowhere does not hide the other cases of a suite") {
  const Upload upload;
  fs::create_symlink("loop.json", upload.folder / "loop.json");
  const CommandResult result = webnn_cli({"test", upload.name()});
  CAPTURE(all_of(result));
  CHECK(result.code == 1);
  CHECK(contains(result.out, "loop.json"));
  CHECK(contains(result.out, "1 passed, 1 failed"));
}

TEST_CASE("security: a file that was found is one below its folder, whatever the names") {
  const Upload upload;
  fs::create_directory(upload.folder / "below");
  write_file(upload.folder / "below/file", "content");
  const auto read = [&](const fs::path& folder, const fs::path& file) {
    return compiler::read_whole_file(compiler::FileName::found(folder, file), 1000);
  };
  CHECK(read(upload.folder, upload.folder / "below/file") == "content");
  CHECK(read(upload.name() + "/", upload.folder / "below/file") == "content");
  CHECK_THROWS_AS(read(upload.folder, upload.secret), schema::Error);
  CHECK_THROWS_AS(read(upload.folder / "below", upload.folder / "below/../../secret"), schema::Error);
  CHECK_THROWS_AS(read(upload.folder, upload.folder / "below"), schema::Error);
}

}  // namespace
}  // namespace webnn::tests::found_files_test
