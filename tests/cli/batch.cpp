// `run --batch`: the results are those of single runs; bad inputs, what is there already, shards, and what is refused.
#include <algorithm>
#include <doctest/doctest.h>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "api/devices.hpp"
#include "cli/inputs/input_spec.hpp"
#include "compiler/frontend/npy.hpp"
#include "schema/elements/elements.hpp"
#include "tests/cli/command_line.hpp"
#include "tests/harness/paths.hpp"

namespace webnn::tests::batch_test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using schema::DataType;
using schema::OperandDescriptor;
using Words = std::vector<std::string>;

const std::string digits = (source_dir() / "models/digits/digits.json").string();

/// An array of floats that differ by `seed`.
std::string array_bytes(const OperandDescriptor& descriptor, unsigned seed) {
  std::vector<std::byte> data(schema::byte_length(descriptor));
  for (std::size_t i = 0; i < schema::element_count(descriptor.shape); ++i)
    schema::store_element(double((i * 7 + seed * 13) % 101) / 100, descriptor.type, data.data(), i);
  return compiler::npy_bytes(descriptor, data);
}

std::string name_of_input(unsigned index) { return std::to_string(1000 + index); }

/// Digits 1000.npy, 1001.npy, ... in a folder.
void write_digits(const fs::path& folder, unsigned count) {
  fs::create_directories(folder);
  for (unsigned i = 0; i < count; ++i)
    write_file(folder / (name_of_input(i) + ".npy"), array_bytes({DataType::float32, {1, 1, 20, 20}}, i));
}

CommandResult run_batch(const std::string& model, const fs::path& inputs, const fs::path& outputs,
                        const Words& more = {}) {
  Words words{"run", model, "--batch", inputs.string(), "--outputs", outputs.string()};
  words.insert(words.end(), more.begin(), more.end());
  return webnn_cli(words);
}

/// The members of the closing object; the command must end with `code`.
json batch_report(const std::string& model, const fs::path& inputs, const fs::path& outputs, const Words& more = {},
                  int code = 0) {
  Words words = more;
  words.insert(words.end(), {"--output-format", "json"});
  const CommandResult result = run_batch(model, inputs, outputs, words);
  CAPTURE(result.err);
  REQUIRE(result.code == code);
  return json::parse(result.out);
}

std::set<std::string> names_in(const fs::path& folder) {
  std::set<std::string> names;
  if (fs::exists(folder))
    for (const auto& entry : fs::directory_iterator(folder)) names.insert(entry.path().filename().string());
  return names;
}

/// y = x * factor for `count` numbers.
std::string scaled_graph(const fs::path& file, double factor) {
  write_file(file, R"({"format": "webnn-graph-json", "version": 2,
    "inputs": {"x": {"dataType": "float32", "shape": [3]}},
    "consts": {"c": {"dataType": "float32", "shape": [], "init": {"kind": "scalar", "value": )" +
                       std::to_string(factor) + R"(}}},
    "nodes": [{"id": "y", "op": "mul", "inputs": ["x", "c"]}], "outputs": {"y": "y"}})");
  return file.string();
}

/// sum = a + b, copy = b.
std::string graph_of_two(const fs::path& file) {
  write_file(file, R"({"format": "webnn-graph-json", "version": 2,
    "inputs": {"a": {"dataType": "float32", "shape": [2]}, "b": {"dataType": "float32", "shape": [2]}},
    "nodes": [{"id": "s", "op": "add", "inputs": ["a", "b"]}, {"id": "i", "op": "identity", "inputs": ["b"]}],
    "outputs": {"sum": "s", "copy": "i"}})");
  return file.string();
}

/// A safetensors file with a = {first, 2} and, unless it is left out, b = {3, 4}.
std::string pair_of_tensors(float first, bool has_b = true) {
  const float data[] = {first, 2, 3, 4};
  const std::string header = std::string(R"({"a": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}, ")") +
                             (has_b ? "b" : "other") + R"(": {"dtype": "F32", "shape": [2], "data_offsets": [8, 16]}})";
  const std::uint64_t length = header.size();
  return std::string(reinterpret_cast<const char*>(&length), 8) + header +
         std::string(reinterpret_cast<const char*>(data), sizeof data);
}

TEST_CASE("cli batch: many inputs have the results of single runs, byte for byte") {
  const ScratchFolder scratch;
  const fs::path in = scratch.path() / "in", out = scratch.path() / "out", single = scratch.path() / "single";
  constexpr unsigned count = 200;
  write_digits(in, count);
  write_file(in / "notes.txt", "no input");
  write_file(in / ".hidden.npy", "no input");
  const CommandResult result = run_batch(digits, in, out);
  CAPTURE(result.err);
  CHECK(result.code == 0);
  CHECK(result.err.empty());
  CHECK(result.out.starts_with("200 inputs: 200 computed ("));
  CHECK(std::ranges::count(result.out, '\n') == 1);
  CHECK(names_in(out).size() == count + 1);
  std::set<std::string> different;
  for (unsigned i = 0; i < count; i += 37) {
    const std::string name = name_of_input(i) + ".npy";
    REQUIRE(
        webnn_cli({"run", digits, "--input", "image=@" + (in / name).string(), "--outputs", single.string()}).code ==
        0);
    const std::string alone = read_file(single / "probabilities.npy");
    CHECK(read_file(out / name) == alone);
    different.insert(alone);
  }
  CHECK(different.size() == 6);
}

TEST_CASE("cli batch: a compiled program, workers of any number, and no summary with --quiet") {
  const ScratchFolder scratch;
  const fs::path in = scratch.path() / "in", program = scratch.path() / "digits.wnnc";
  write_digits(in, 9);
  REQUIRE(webnn_cli({"compile", digits, "-o", program.string()}).code == 0);
  REQUIRE(run_batch(digits, in, scratch.path() / "graph").code == 0);
  for (const std::string threads : {"1", "2", "16"}) {
    const fs::path out = scratch.path() / threads;
    const CommandResult result = run_batch(program.string(), in, out, {"--threads", threads, "-q"});
    CHECK(result.code == 0);
    CHECK(result.out.empty());
    for (unsigned i = 0; i < 9; ++i) {
      const std::string name = name_of_input(i) + ".npy";
      CHECK(read_file(out / name) == read_file(scratch.path() / "graph" / name));
    }
  }
}

TEST_CASE("cli batch: a bad input is named, does not stop the others, and makes the exit code 1") {
  const ScratchFolder scratch;
  const fs::path in = scratch.path() / "in", out = scratch.path() / "out";
  write_digits(in, 20);
  write_file(in / "1005x.npy", "no array");
  write_file(in / "1010x.npy", array_bytes({DataType::float32, {2}}, 0));
  write_file(in / "1015x.npy", array_bytes({DataType::float32, {1, 1, 20, 20}}, 0).substr(0, 300));
  const CommandResult text = run_batch(digits, in, out);
  CHECK(text.code == 1);
  CHECK(contains(text.out, "23 inputs: 20 computed, 3 failed ("));
  CHECK(contains(text.err, "webnn-cli: '" + (in / "1005x.npy").string() + "': this is not a .npy file\nhint: "));
  CHECK(contains(text.err, "'" + (in / "1010x.npy").string() + "' is float32[2], but input 'image' is"));
  CHECK(contains(text.err, (in / "1015x.npy").string()));
  CHECK(names_in(out).size() == 21);

  const CommandResult machine = run_batch(digits, in, out, {"--output-format", "json"});
  CHECK(machine.code == 1);
  const json report = json::parse(machine.out);
  CHECK(report["schema"] == "webnn-cli/batch/1");
  CHECK(report["inputs"] == 23);
  CHECK(report["computed"] == 0);
  CHECK(report["thereAlready"] == 20);
  REQUIRE(report["failed"].size() == 3);
  CHECK(report["failed"][0]["input"] == (in / "1005x.npy").string());
  CHECK(report["failed"][0]["hints"].size() == 1);
  CHECK(report["failed"][1]["input"] == (in / "1010x.npy").string());
  CHECK(json::parse(machine.err)["errors"].size() == 3);
}

TEST_CASE("cli batch: results are made again when they are cut, older than their input, or absent") {
  const ScratchFolder scratch;
  const fs::path in = scratch.path() / "in", out = scratch.path() / "out";
  write_digits(in, 30);
  CHECK(batch_report(digits, in, out)["computed"] == 30);
  CHECK(run_batch(digits, in, out).out == "30 inputs: 0 computed, 30 there already\n");
  const std::string good = read_file(out / "1004.npy");
  write_file(out / "1004.npy", good.substr(0, good.size() - 1));
  fs::remove(out / "1007.npy");
  fs::last_write_time(in / "1009.npy", fs::file_time_type::clock::now() + std::chrono::hours(1));
  write_digits(scratch.path() / "more", 31);
  fs::copy_file(scratch.path() / "more/1030.npy", in / "1030.npy");
  const json report = batch_report(digits, in, out);
  CHECK(report["computed"] == 4);
  CHECK(report["thereAlready"] == 27);
  CHECK(read_file(out / "1004.npy") == good);
}

TEST_CASE("cli batch: results of another model or other options are refused, and --force starts over") {
  const ScratchFolder scratch;
  const fs::path in = scratch.path() / "in", out = scratch.path() / "out", model = scratch.path() / "model.json";
  fs::create_directories(in);
  for (const char* name : {"p.npy", "q.npy", "r.npy"}) write_file(in / name, array_bytes({DataType::float32, {3}}, 1));
  scaled_graph(model, 2);
  REQUIRE(run_batch(model.string(), in, out).code == 0);
  const std::string before = read_file(out / "p.npy");
  const auto refuses = [&](const CommandResult& result, const std::string& what) {
    CAPTURE(result.err);
    CHECK(result.code == 2);
    CHECK(contains(result.err, "'" + out.string() + "' holds the results of another batch: " + what + " was "));
    CHECK(contains(result.err, "hint: --force starts over; or name another folder with --outputs\n"));
  };
  refuses(run_batch(model.string(), in, out, {"-O", "0"}), "level");
  refuses(run_batch(model.string(), in, out, {"--device", "cpu:reference"}), "device");
  refuses(run_batch(model.string(), in / "*.npy", out), "batch");
  scaled_graph(model, 3);
  refuses(run_batch(model.string(), in, out), "model");
  CHECK(read_file(out / "p.npy") == before);

  // What was there before the batch began anew is nobody's result any more, in other shards, too.
  for (const auto& entry : fs::directory_iterator(out))
    fs::last_write_time(entry.path(), fs::file_time_type::clock::now() - std::chrono::hours(1));
  for (const char* name : {"p.npy", "q.npy", "r.npy"})
    fs::last_write_time(in / name, fs::file_time_type::clock::now() - std::chrono::hours(2));
  CHECK(batch_report(model.string(), in, out, {"--force", "--shards", "2", "--shard", "0"})["computed"] == 2);
  CHECK(batch_report(model.string(), in, out, {"--shards", "2", "--shard", "1"})["computed"] == 1);
  CHECK(batch_report(model.string(), in, out)["thereAlready"] == 3);
  CHECK(read_file(out / "p.npy") != before);

  write_file(out / "batch.json", "[]");
  const CommandResult strange = run_batch(model.string(), in, out);
  CHECK(strange.code == 2);
  CHECK(contains(strange.err, "has a batch.json that is no record of a batch"));
}

TEST_CASE("cli batch: a folder with arrays of another origin is none with results") {
  const ScratchFolder scratch;
  const fs::path in = scratch.path() / "in", out = scratch.path() / "out";
  write_digits(in, 2);
  REQUIRE(run_batch(digits, in, scratch.path() / "other").code == 0);
  fs::create_directories(out);
  fs::copy_file(scratch.path() / "other/1000.npy", out / "1001.npy");
  CHECK(batch_report(digits, in, out)["computed"] == 2);
  CHECK(read_file(out / "1001.npy") == read_file(scratch.path() / "other/1001.npy"));
}

TEST_CASE("cli batch: shards divide the sorted inputs, each to one") {
  const ScratchFolder scratch;
  const fs::path in = scratch.path() / "in", out = scratch.path() / "out";
  write_digits(in, 23);
  std::set<std::string> seen;
  for (unsigned shard = 0; shard < 5; ++shard) {
    const json report = batch_report(digits, in, out, {"--shards", "5", "--shard", std::to_string(shard)});
    CHECK(report["computed"] == (shard < 3 ? 5 : 4));
    CHECK(report["thereAlready"] == 0);
    std::set<std::string> expected = seen;
    for (unsigned i = shard; i < 23; i += 5) expected.insert(name_of_input(i) + ".npy");
    expected.insert("batch.json");
    seen = names_in(out);
    CHECK(seen == expected);
  }
  CHECK(batch_report(digits, in, out)["thereAlready"] == 23);
  CHECK(batch_report(digits, in, out, {"--shards", "100", "--shard", "99"})["inputs"] == 0);
}

TEST_CASE("cli batch: several inputs and outputs are tensors by name") {
  const ScratchFolder scratch;
  const fs::path in = scratch.path() / "in", out = scratch.path() / "out";
  const std::string model = graph_of_two(scratch.path() / "two.json");
  fs::create_directories(in);
  write_file(in / "one.safetensors", pair_of_tensors(1));
  write_file(in / "ten.safetensors", pair_of_tensors(10));
  write_file(in / "bad.safetensors", pair_of_tensors(10, false));
  const CommandResult result = run_batch(model, in, out);
  CHECK(result.code == 1);
  CHECK(contains(result.err, "'" + (in / "bad.safetensors").string() + "' has no tensor 'b'"));
  CHECK(names_in(out) == std::set<std::string>{"batch.json", "one.safetensors", "ten.safetensors"});
  const api::Slot sum{"sum", {DataType::float32, {2}}};
  const auto first_of = [&](const std::string& file, const std::string& tensor) {
    const compiler::Tensor found = cli::read_input("@" + (out / file).string() + "#" + tensor, sum);
    return schema::load_element(DataType::float32, found.data.data(), 0).as_double();
  };
  CHECK(first_of("one.safetensors", "sum") == 4);
  CHECK(first_of("ten.safetensors", "sum") == 13);
  CHECK(first_of("ten.safetensors", "copy") == 3);
  CHECK(batch_report(model, in / "*e*.safetensors", scratch.path() / "again")["computed"] == 2);

  write_file(in / "x.npy", array_bytes({DataType::float32, {2}}, 0));
  const CommandResult array = run_batch(model, in, scratch.path() / "array");
  CHECK(array.code == 2);
  CHECK(contains(array.err, "x.npy' is for one input, but the graph has 2 inputs: 'a', 'b'"));
  CHECK_FALSE(fs::exists(scratch.path() / "array"));
}

TEST_CASE("cli batch: pictures, with the options of --image") {
  // 2x2 pixels: 10 20 30, 40 50 60; 70 80 90, 100 110 120
  const std::string picture(
      "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\2\0\0\0\2\x08\2\0\0\0\xfd\xd4\x9a\x73\0\0\0\x16IDAT\x78\x9c\x63\xe0\x12\x91"
      "\xd3\x30\xb2\x61\x70\x0b\x88\x4a\xc9\xab\0\0\x0f\x18\x03\x0d\xbb\x65\xa0\x53\0\0\0\0IEND\xae\x42\x60\x82",
      79);
  const ScratchFolder scratch;
  const fs::path in = scratch.path() / "a,b", out = scratch.path() / "out", single = scratch.path() / "single";
  const fs::path model = scratch.path() / "picture.json";
  const auto write_model = [](const fs::path& file, const std::string& channels) {
    write_file(file, R"({"format": "webnn-graph-json", "version": 2,
      "inputs": {"x": {"dataType": "float32", "shape": [1, )" +
                         channels + R"(, 2, 2]}},
      "nodes": [{"id": "y", "op": "identity", "inputs": ["x"]}], "outputs": {"y": "y"}})");
  };
  write_model(model, "3");
  fs::create_directories(in);
  write_file(in / "one.PNG", picture);
  write_file(in / "two.png", picture.substr(0, 60));
  write_file(scratch.path() / "plain.png", picture);
  const std::string form = "order:bgr,mean:1:2:3,scale:1/10";
  const CommandResult result = run_batch(model.string(), in, out, {"--image", "x=" + form});
  CHECK(result.code == 1);
  CHECK(contains(result.err, "two.png' is a damaged picture"));
  CHECK(names_in(out) == std::set<std::string>{"batch.json", "one.npy"});
  REQUIRE(webnn_cli({"run", model.string(), "--image", "x=@" + (scratch.path() / "plain.png").string() + "," + form,
                     "--outputs", single.string()})
              .code == 0);
  CHECK(read_file(out / "one.npy") == read_file(single / "y.npy"));
  CHECK(contains(run_batch(model.string(), in, out).err, "another batch: image was "));
  REQUIRE(run_batch(model.string(), in / "*.PNG", scratch.path() / "plain").code == 0);
  CHECK(read_file(scratch.path() / "plain/one.npy") != read_file(out / "one.npy"));

  const auto refuses = [&](const std::string& image, const std::string& why) {
    const CommandResult refused = run_batch(model.string(), in, scratch.path() / "refused", {"--image", image});
    CHECK(refused.code == 2);
    CHECK_MESSAGE(contains(refused.err, why), refused.err);
  };
  refuses("x=colour:bgr", "'colour:bgr' is no part of an image specification");
  refuses("x=order:bgr,", "'' is no part of an image specification");
  refuses("x=@one.png", "names a file, but --batch names them all");
  refuses("z=order:bgr", "the graph has no input 'z'");
  refuses("x=size:3x3", "size:3x3 does not fit input 'x'");
  CHECK_FALSE(fs::exists(scratch.path() / "refused"));
  const fs::path four = scratch.path() / "four.json";
  write_model(four, "4");
  CHECK(contains(run_batch(four.string(), in, scratch.path() / "refused").err, "which has no dimension of 3 channels"));
}

TEST_CASE("cli batch: what cannot be a batch is refused before it starts") {
  const ScratchFolder scratch;
  const fs::path in = scratch.path() / "in", out = scratch.path() / "out", empty = scratch.path() / "empty";
  write_digits(in / "a", 3);
  write_digits(in / "b", 3);
  fs::create_directories(empty);
  const auto refuses = [&](const CommandResult& result, const std::string& why, int code = 2) {
    CAPTURE(why);
    CHECK(result.code == code);
    CHECK_MESSAGE(contains(result.err, why), result.err);
    CHECK_FALSE(fs::exists(out));
  };
  const fs::path one = in / "a/1000.npy", other = in / "b/1000.npy";
  refuses(run_batch(digits, in / "*/*.npy", out), "'" + one.string() + "' and '" + other.string() +
                                                      "' would both have the result '" + (out / "1000.npy").string());
  refuses(run_batch(digits, empty, out), "there are no inputs in '" + empty.string() + "'");
  refuses(run_batch(digits, in, out), "there are no inputs in");
  refuses(run_batch(digits, in / "*.png", out), "no file matches");
  refuses(run_batch(digits, in / "c", out), "cannot read '" + (in / "c").string() + "': No such file", 6);
  refuses(run_batch(digits, in / "a/1000.npz", out), "did you mean '", 6);
  refuses(run_batch(digits, "/dev/null", out), "is neither a file nor a folder");
  refuses(webnn_cli({"run", digits, "--batch", in / "a"}), "--batch needs a folder for its results");
  const auto refuses_option = [&](const Words& words, const std::string& why) {
    refuses(run_batch(digits, in / "a", out, words), why);
  };
  refuses_option({"--shards", "3"}, "--shards needs --shard I, the part to run, from 0 to 2");
  refuses_option({"--shard", "0"}, "--shard needs --shards N");
  refuses_option({"--shards", "3", "--shard", "3"}, "there is no part 3 of 3\nhint: parts are counted from 0");
  refuses_option({"--shards", "0", "--shard", "0"}, "--shards");
  refuses_option({"--shards", "3", "--shard", "-1"}, "--shard");
  refuses_option({"--image", "image=order:bgr"}, "the batch has none");
  for (const Words& words : std::vector<Words>{{"--input", "image=ones"},
                                               {"--inputs", in},
                                               {"--fill", "ones"},
                                               {"--top", "1"},
                                               {"--labels", digits},
                                               {"--values"},
                                               {"--repeat", "2"}})
    refuses_option(words, words[0] + " and --batch cannot be used together");
  for (const Words& words : std::vector<Words>{{"--shards", "2", "--shard", "0"}, {"--shard", "0"}}) {
    Words alone{"run", digits, "--fill", "ones"};
    alone.insert(alone.end(), words.begin(), words.end());
    refuses(webnn_cli(alone), words[0] + " means nothing without --batch");
  }

  const std::string before = read_file(one);
  for (const fs::path& folder : {in / "a", in / "b/../a/", fs::path("/proc/self/root") / (in / "a").relative_path()}) {
    const CommandResult result = run_batch(digits, in / "a", folder);
    CHECK(result.code == 2);
    CHECK(contains(result.err, "the results would go to '"));
  }
  CHECK(read_file(one) == before);
  CHECK(names_in(in / "a").size() == 3);
}

TEST_CASE("cli batch: a file that several sources name is one input") {
  const ScratchFolder scratch;
  const fs::path in = scratch.path() / "in[1]", out = scratch.path() / "out";
  write_digits(in, 4);
  CHECK(batch_report(
            digits, in, out,
            {"--batch", (in / "1001.npy").string(), "--batch", (in / "../in[1]/1002.npy").string()})["computed"] == 4);
}

TEST_CASE("cli batch: outputs that safetensors cannot hold, graphs without inputs") {
  const ScratchFolder scratch;
  const fs::path in = scratch.path() / "in", model = scratch.path() / "m.json";
  fs::create_directories(in);
  write_file(in / "x.npy", array_bytes({DataType::float32, {2}}, 0));
  write_file(model, R"({"format": "webnn-graph-json", "version": 2,
    "inputs": {"x": {"dataType": "float32", "shape": [2]}},
    "consts": {"c": {"dataType": "int4", "shape": [2], "init": {"kind": "inlineBytes", "bytes": [18]}}},
    "nodes": [{"id": "y", "op": "identity", "inputs": ["x"]}, {"id": "z", "op": "identity", "inputs": ["c"]}],
    "outputs": {"y": "y", "z": "z"}})");
  const CommandResult small = run_batch(model.string(), in, scratch.path() / "out");
  CHECK(small.code == 2);
  CHECK(contains(small.err, "output 'z' is int4[2], but the results of several outputs are safetensors"));
  write_file(model, R"({"format": "webnn-graph-json", "version": 2, "inputs": {},
    "consts": {"c": {"dataType": "int8", "shape": [1], "init": {"kind": "inlineBytes", "bytes": [18]}}},
    "nodes": [{"id": "z", "op": "identity", "inputs": ["c"]}], "outputs": {"z": "z"}})");
  CHECK(contains(run_batch(model.string(), in, scratch.path() / "out").err, "the graph has no inputs"));
}

TEST_CASE("cli batch: on a GPU") {
  const api::DeviceList list = api::list_devices();
  const auto gpu = std::ranges::find_if(list.gpus, [](const runtime::GpuInfo& one) { return one.missing.empty(); });
  if (gpu == list.gpus.end()) return skip("no Vulkan device can be used");
  const ScratchFolder scratch;
  const fs::path in = scratch.path() / "in", out = scratch.path() / "out", single = scratch.path() / "single";
  write_digits(in, 6);
  const Words device{"--device", "gpu:" + std::to_string(gpu->number)};
  CHECK(batch_report(digits, in, out, device)["computed"] == 6);
  REQUIRE(webnn_cli({"run", digits, "--input", "image=@" + (in / "1005.npy").string(), "--outputs", single.string(),
                     device[0], device[1]})
              .code == 0);
  CHECK(read_file(out / "1005.npy") == read_file(single / "probabilities.npy"));
}

}  // namespace
}  // namespace webnn::tests::batch_test
