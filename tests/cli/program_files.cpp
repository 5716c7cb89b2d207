// Program files through the commands: what `compile` writes, `run` executes and `inspect` shows.
#include <algorithm>
#include <doctest/doctest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "api/load.hpp"
#include "runtime/cpu/cpu_features.hpp"
#include "schema/version.hpp"
#include "tests/cli/command_line.hpp"
#include "tests/harness/golden.hpp"
#include "tests/harness/machine/machine.hpp"
#include "tests/harness/machine/shell.hpp"
#include "tests/harness/paths.hpp"
#include "tests/harness/providers.hpp"
#include "tests/harness/skip.hpp"

namespace webnn::tests::program_files_test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

fs::path digits() { return source_dir() / "models/digits/digits.json"; }

/// y = (xw + b)^T xw beside z, the tanh of xw under another shape; one input is not used.
fs::path small_graph(const ScratchFolder& scratch) {
  const fs::path file = scratch.path() / "small.webnn";
  write_file(file, R"(webnn_graph "small" v1 {
  inputs {
    x: f32[2, 2];
    spare: f32[1];
  }
  consts {
    w: f32[2, 2] @scalar(3);
    b: f32[2] @scalar(1);
  }
  nodes {
    product = matmul(x, w);
    sum = add(product, b);
    turned = transpose(sum);
    y = matmul(turned, product);
    flat = reshape(product, newShape=[4]);
    z = tanh(flat);
  }
  outputs { y; z; }
}
)");
  return file;
}

/// Compiles into the folder and gives the program's path.
std::string compiled(const ScratchFolder& scratch, const fs::path& model, std::vector<std::string> options = {},
                     const std::string& name = "p.wnnc") {
  const std::string file = (scratch.path() / name).string();
  std::vector<std::string> arguments{"compile", model.string(), "-o", file};
  arguments.insert(arguments.end(), options.begin(), options.end());
  const CommandResult result = webnn_cli(arguments);
  CAPTURE(result.err);
  REQUIRE(result.code == 0);
  return file;
}

/// Every output file of a run on chance inputs, by name.
std::map<std::string, std::string> outputs_of(const ScratchFolder& scratch, const std::string& model,
                                              const std::string& threads) {
  const fs::path folder = scratch.path() / "outputs";
  fs::remove_all(folder);
  const CommandResult result = webnn_cli(
      {"run", model, "--fill", "random(seed=7)", "--outputs", folder.string(), "--quiet", "--threads", threads});
  CAPTURE(result.err);
  REQUIRE(result.code == 0);
  std::map<std::string, std::string> outputs;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    outputs.emplace(entry.path().filename().string(), read_file(entry.path()));
  return outputs;
}

void check_same_results(const fs::path& model) {
  CAPTURE(model.string());
  const ScratchFolder scratch;
  const std::string one = compiled(scratch, model, {"--threads", "1"}, "one/p.wnnc");
  CHECK(read_file(one) == read_file(compiled(scratch, model, {"--threads", "3"}, "three/q.wnnc")));
  const auto expected = outputs_of(scratch, model.string(), "2");
  CHECK(!expected.empty());
  CHECK(outputs_of(scratch, one, "1") == expected);
  CHECK(outputs_of(scratch, one, "2") == expected);
}

/// `text` with what changes from machine to machine and version to version replaced.
std::string neutral(std::string text, const ScratchFolder& scratch) {
  const auto replace = [&](const std::string& from, const std::string& to) {
    for (std::size_t at = text.find(from); at != text.npos; at = text.find(from, at + to.size()))
      text.replace(at, from.size(), to);
  };
  replace(scratch.path().string() + "/", "");
  replace("webnn-cli " + std::string(schema::version), "webnn-cli VERSION");
  replace("\"toolVersion\": \"" + std::string(schema::version), "\"toolVersion\": \"VERSION");
  return text;
}

TEST_CASE("program files: a program's outputs are its graph's, and threads and folder leave no trace in the file") {
  const ScratchFolder scratch;
  check_same_results(digits());
  check_same_results(small_graph(scratch));
}

TEST_CASE("program files: the same for real models") {
  WEBNN_REQUIRE_CORPUS(corpus);
  for (const char* name : {"selfie-segmenter", "squeezenet1.1", "ultraface-320"})
    check_same_results(corpus / "models" / name / (std::string(name) + ".json"));
}

TEST_CASE("program files: folder, time, locale and threads leave no trace in the file") {
  const ScratchFolder scratch;
  const std::string tool = program_words("webnn-cli") + " compile ";
  const auto build = [&](const std::string& folder, const std::string& environment, const std::string& options) {
    const fs::path at = scratch.path() / folder;
    fs::create_directories(at);
    for (const char* name : {"digits.json", "digits.weights", "digits.manifest.json"})
      fs::copy_file(digits().parent_path() / name, at / name);
    const ShellResult result =
        run_shell("cd " + shell_word(at) + " && " + environment + " " + tool + "digits.json -o p.wnnc " + options);
    INFO(result.output);
    REQUIRE(result.status == 0);
    return read_file(at / "p.wnnc");
  };
  const std::string one = build("a", "LC_ALL=C TZ=UTC", "--threads 1");
  CHECK(build("somewhere else/b", "LC_ALL=de_DE.UTF-8 TZ=Asia/Tokyo OMP_NUM_THREADS=7", "--threads 2") == one);
  CHECK(build("c", "HOME=/nonexistent", "-O2") == one);
}

TEST_CASE("program files: every level of optimisation computes the same, but for the last bits") {
  if (!has_convolution_library()) return skip(no_convolution_library());
  const ScratchFolder scratch;
  const fs::path input = source_dir() / "models/digits/digits.input.image.npy";
  for (const std::string level : {"-O0", "-O1", "-O2", "-O3"}) {
    CAPTURE(level);
    const std::string file = compiled(scratch, digits(), {level}, level + ".wnnc");
    const CommandResult result = webnn_cli({"run", file, "--input", "image=@" + input.string(), "--top", "1"});
    CHECK(contains(result.out, "  0.9999       7"));
  }
  const auto steps = [&](const std::string& level) {
    return json::parse(
               webnn_cli({"inspect", (scratch.path() / (level + ".wnnc")).string(), "--output-format", "json"}).out)
        .at("steps")
        .size();
  };
  CHECK(steps("-O0") > steps("-O2"));
  CHECK(webnn_cli({"compile", digits().string(), "-o", (scratch.path() / "x").string(), "-O4"}).code == 2);
}

TEST_CASE("program files: what a program is compiled for is what it needs") {
  const ScratchFolder scratch;
  const auto features = [&](const std::string& target) {
    const std::string file = compiled(scratch, digits(), {"--target", target}, target + ".wnnc");
    return json::parse(webnn_cli({"inspect", file, "--output-format", "json"}).out).at("features").get<std::string>();
  };
  for (const std::string_view name : runtime::cpu_target_names())
    CHECK(features(std::string(name)) == text_of(*runtime::parse_cpu_target(name)));
  const auto refused = [&](std::vector<std::string> options) {
    options.insert(options.begin(), {"compile", digits().string(), "-o", (scratch.path() / "x.wnnc").string()});
    return webnn_cli(options);
  };
  CHECK(contains(refused({"--target", "baselin"}).err, "did you mean 'baseline'?"));
  CHECK(refused({"--target", "baseline", "--isa", "baseline"}).code == 2);
}

TEST_CASE("program files: a refused program that carries its graph is compiled again when the user says so") {
  const ScratchFolder scratch;
  const std::string most{*std::prev(runtime::cpu_target_names().end(), 2)};  // the last one is "native"
  const std::string file = compiled(scratch, digits(), {"--target", most, "--embed-graph"});
  const std::vector<std::string> run{"run", file, "--fill", "iota", "--isa", "baseline"};
  const CommandResult refused = webnn_cli(run);
  CHECK(refused.code == 8);
  CHECK(contains(refused.err, "the program needs '" + text_of(*runtime::parse_cpu_target(most))));
  CHECK(contains(refused.err, "hint: it carries its graph: --recompile-if-needed compiles that again"));
  CHECK(contains(refused.err, "error[WNN0904]"));
  std::vector<std::string> again = run;
  again.emplace_back("--recompile-if-needed");
  const CommandResult result = webnn_cli(again);
  CHECK(result.code == 0);
  CHECK(contains(result.err, "note: compiled again from the graph"));
  CHECK(result.out == webnn_cli({"run", digits().string(), "--fill", "iota", "--isa", "baseline"}).out);
  again.insert(again.end(), {"--format", "program"});  // which the graph in it is not
  CHECK(webnn_cli(again).out == result.out);
  CHECK(contains(webnn_cli({"inspect", file}).out, "graph    carried, "));
  CHECK(webnn_cli({"run", compiled(scratch, digits(), {"--target", most}, "bare.wnnc"), "--fill", "iota", "--isa",
                   "baseline", "--recompile-if-needed"})
            .code == 8);
}

TEST_CASE("program files: what inspect shows") {
  const ScratchFolder scratch;
  const std::string file = compiled(scratch, small_graph(scratch), {"--isa", "baseline", "--device", "cpu:reference"});
  const CommandResult text = webnn_cli({"inspect", file});
  CHECK(text.code == 0);
  CHECK(text.err.empty());
  check_golden("tests/cli/programs/small.txt", neutral(text.out, scratch));
  check_golden("tests/cli/programs/small.json",
               neutral(webnn_cli({"inspect", file, "--output-format", "json"}).out, scratch));
  CHECK(neutral(webnn_cli({"inspect", file, "--compat"}).out, scratch) == "p.wnnc: runs here\n");
  CHECK(webnn_cli({"inspect", file, "--dot"}).code == 2);
  CHECK(webnn_cli({"inspect", digits().string(), "--compat"}).code == 2);
}

TEST_CASE("program files: inputs are checked as a graph's are") {
  const ScratchFolder scratch;
  const std::string file = compiled(scratch, small_graph(scratch));
  CHECK(contains(webnn_cli({"run", file, "--input", "x=ones"}).err, "inputs without data: 'spare' (float32[1])"));
  CHECK(contains(webnn_cli({"run", file, "--input", "X=ones"}).err, "did you mean 'x'?"));
  const CommandResult run = webnn_cli({"run", file, "--fill", "ones"});
  CHECK(run.code == 0);
  CHECK(contains(run.out, "y: float32[2, 2]\n  min 84  max 84"));
  CHECK(webnn_cli({"run", file, "--fill", "ones", "--max-memory", "16"}).code == 7);
}

TEST_CASE("program files: options for the compiler are refused with a program, and programs where graphs are wanted") {
  const ScratchFolder scratch;
  const std::string file = compiled(scratch, small_graph(scratch));
  using Words = std::vector<std::string>;
  for (const Words& option : {Words{"--dim", "n=2"},
                              {"--print-after", "all"},
                              {"--print-before", "all"},
                              {"--stop-after", "simplify"},
                              {"--time-passes"},
                              {"--stats"},
                              {"--kernels", "reference"},
                              {"--device", "cpu:reference"},
                              {"--weights-file", "w"},
                              {"--base-dir", "."}}) {
    Words arguments{"run", file, "--fill", "ones"};
    arguments.insert(arguments.end(), option.begin(), option.end());
    const CommandResult result = webnn_cli(arguments);
    CAPTURE(option[0]);
    CHECK(result.code == 2);
    CHECK(contains(result.err, option[0]));
    CHECK(contains(result.err, "hint: give it to `webnn-cli compile`"));
  }
  const CommandResult again = webnn_cli({"compile", file, "-o", file + "2"});
  CHECK(again.code == 3);
  for (const CommandResult& result :
       {again, webnn_cli({"validate", file}), webnn_cli({"convert", file, "-o", file + ".json"})}) {
    CHECK(result.code == 3);
    CHECK(contains(result.err, file + ": error[WNN0913]: this is a program, which is compiled already"));
    CHECK(contains(result.err, "hint: `run` executes it"));
  }
  CHECK(webnn_cli({"compile", digits().string(), "-o", file}).code == 2);  // it exists
}

TEST_CASE("program files: refusals are exit code 8 and say why") {
  const ScratchFolder scratch;
  const std::string good = read_file(compiled(scratch, small_graph(scratch)));
  const std::string file = (scratch.path() / "bad.wnnc").string();
  const auto refused = [&](const std::string& content, const std::string& code) {
    write_file(file, content);
    for (const std::vector<std::string>& command :
         {std::vector<std::string>{"run", file, "--fill", "ones"}, {"inspect", file}, {"profile", file}}) {
      const CommandResult run = webnn_cli(command);
      CHECK(run.code == 8);
      CHECK(run.out.empty());
      CHECK_MESSAGE(contains(run.err, file + ": error[" + code + "]"), run.err);
    }
    const CommandResult compatible = webnn_cli({"inspect", file, "--compat"});
    CHECK(compatible.code == 8);
    CHECK(contains(compatible.out, ": does not run here: "));
    CHECK(std::ranges::count(compatible.out, '\n') == 1);
  };
  refused("WNNC", "WNN0901");
  refused(good.substr(0, good.size() - 1), "WNN0901");
  std::string other = good;
  other[70] = char(other[70] ^ 1);
  refused(other, "WNN0902");
  other = good;
  other[4] = '\x09';
  refused(other, "WNN0908");
  CHECK(webnn_cli({"inspect", file}).code == 8);

  std::string constant = good;  // found only when it is prepared
  constant.back() = char(constant.back() ^ 1);
  write_file(file, constant);
  for (const std::string command : {"run", "profile"}) {
    const CommandResult run = webnn_cli({command, file, "--fill", "ones"});
    CHECK(run.code == 8);
    CHECK(contains(run.err, file + ": error[WNN0907]: constant "));
    CHECK(contains(run.err, " of the program has the checksum "));
    CHECK(contains(run.err, "'" + file + "' cannot be run here"));
  }
  const CommandResult compatible = webnn_cli({"inspect", file, "--compat"});
  CHECK(compatible.code == 8);
  CHECK(contains(compatible.out, ": does not run here: constant "));
  CHECK(webnn_cli({"run", file, "--fill", "ones", "--no-verify"}).code == 0);
}

TEST_CASE("program files: a program for newer processors is refused, and shown all the same") {
  if (!machine_has(schema::Feature::avx2)) return skip(machine_lacks(schema::Feature::avx2));
  const ScratchFolder scratch;
  const std::string file = compiled(scratch, small_graph(scratch));
  const CommandResult run = webnn_cli({"run", file, "--fill", "ones", "--isa", "baseline"});
  CHECK(run.code == 8);
  CHECK(contains(run.err, "WNN0904"));
}

TEST_CASE("load.hpp: loadProgram runs a program, and its errors hold the diagnostics") {
  const ScratchFolder scratch;
  const std::string file = compiled(scratch, small_graph(scratch));
  Context context;
  const Graph graph = loadProgram(context, file);
  REQUIRE(graph.inputs().size() == 2);
  CHECK(graph.inputs()[0].name == "x");
  CHECK(graph.outputs()[1].shape == Dimensions{4});
  const auto error_of = [&](const fs::path& path) -> std::optional<Error> {
    try {
      loadProgram(context, path);
    } catch (const Error& error) {
      return error;
    }
    return std::nullopt;
  };
  CHECK(error_of(scratch.path() / "absent.wnnc")->code() == schema::ExitCode::io);
  CHECK(error_of(digits())->code() == schema::ExitCode::program);
  fs::resize_file(file, 100);
  const auto cut_off = error_of(file);
  REQUIRE(cut_off);
  CHECK(cut_off->code() == schema::ExitCode::program);
  CHECK(contains(cut_off->what(), "error[WNN0901]"));
}

}  // namespace
}  // namespace webnn::tests::program_files_test
