#include "cli/test/test_case.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "cli/inputs/input_spec.hpp"
#include "cli/json/json.hpp"
#include "cli/output/output_files.hpp"
#include "cli/test/onnx_case.hpp"
#include "cli/test/run_case.hpp"
#include "compiler/formats/all_formats.hpp"
#include "compiler/vectors/validation_vector.hpp"
#include "compiler/vectors/vector_reader.hpp"
#include "schema/elements/memory_account.hpp"
#include "schema/error.hpp"
#include "schema/render_diagnostics.hpp"
#include "schema/text.hpp"

namespace webnn::cli {
namespace {

using namespace schema;
using compiler::ConformanceVector;
using compiler::NamedTensor;
namespace fs = std::filesystem;

void add_conformance(std::vector<TestCase>& cases, const api::Source& file, const std::string& suite,
                     const CaseOptions& options) {
  const AccountScope account(options.compile.max_memory);
  const auto vectors = std::make_shared<std::vector<ConformanceVector>>(
      compiler::read_conformance_vectors(file.text(), file.name, options.limits.max_tensor_bytes));
  for (std::size_t i = 0; i < vectors->size(); ++i)
    cases.push_back({suite, (*vectors)[i].name, guarded([vectors, i, options] {
                       ConformanceVector& vector = (*vectors)[i];
                       if (!vector.errors.empty()) return failed("the graph cannot be built: " + vector.errors.front());
                       return run_graph(std::move(vector.graph), vector.inputs, vector.expected, vector.tolerance,
                                        options);
                     })});
}

void add_validation(std::vector<TestCase>& cases, const api::Source& file, const std::string& suite) {
  for (compiler::ValidationVector& vector : compiler::read_validation_vectors(file.text()))
    cases.push_back(
        {suite, std::move(vector.name), guarded([run = std::move(vector.run)] {
           const compiler::VectorOutcome outcome = run();
           return outcome.passed ? CaseOutcome{CaseOutcome::Verdict::passed, {}, 0} : failed(outcome.message);
         })});
}

fs::path folder_of(const fs::path& file) { return file.has_parent_path() ? file.parent_path() : fs::path("."); }

/// The names of the files in a folder, listed once for all its graphs.
using FileNames = std::shared_ptr<const std::set<std::string>>;

FileNames names_in(const fs::path& folder) {
  std::set<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    names.insert(entry.path().filename().string());
  return std::make_shared<const std::set<std::string>>(std::move(names));
}

class Folders {
 public:
  const FileNames& names_beside(const fs::path& file) {
    const fs::path folder = folder_of(file);
    FileNames& names = known_[folder];
    if (!names) names = names_in(folder);
    return names;
  }

 private:
  std::map<fs::path, FileNames> known_;
};

/// The arrays STEM.KIND.NAME.npy beside a graph.
struct CaseArrays {
  std::vector<NamedTensor> tensors;
  std::string missing;  // the first name without a file; empty: each has one
  std::string strange;  // a file whose NAME is none of the names; empty: there is none
};

CaseArrays read_arrays(const fs::path& graph_file, const std::string& kind, const std::vector<std::string>& names,
                       const LimitOptions& limits, const std::set<std::string>& files) {
  const fs::path folder = folder_of(graph_file);
  const std::string prefix = graph_file.stem().string() + "." + kind + ".";
  CaseArrays arrays;
  std::set<std::string> known;
  for (const std::string& name : names) {
    if (const auto file = find_tensor_file(folder, prefix, name)) {
      known.insert(file->path.filename().string());
      arrays.tensors.push_back({name, compiler::read_npy(*file, limits.max_tensor_bytes)});
    } else if (arrays.missing.empty()) {
      arrays.missing = name;
    }
  }
  for (auto name = files.lower_bound(prefix); name != files.end() && name->starts_with(prefix); ++name)
    if (name->ends_with(".npy") && !known.contains(*name)) arrays.strange = *name;
  return arrays;
}

/// Dimensions that have no size get that of the data.
void bind_dimensions(compiler::Graph& graph, const std::vector<NamedTensor>& inputs) {
  std::vector<std::pair<std::string, std::uint32_t>> sizes;
  for (const compiler::NamedDimension& dimension : graph.named_dimensions()) {
    const auto given = std::ranges::find(inputs, graph.value(dimension.input).name, &NamedTensor::name);
    const bool is_new =
        std::ranges::find(sizes, dimension.name, &std::pair<std::string, std::uint32_t>::first) == sizes.end();
    if (is_new && given != inputs.end() && dimension.axis < given->tensor.descriptor.shape.rank())
      sizes.emplace_back(dimension.name, given->tensor.descriptor.shape[dimension.axis]);
  }
  if (!sizes.empty()) api::bind_dimensions(graph, sizes);
}

CaseOutcome run_folder_case(const compiler::FileName& graph_file, const std::set<std::string>& files,
                            const CaseOptions& options) {
  const AccountScope account(options.compile.max_memory);
  api::Model model(open_source(graph_file, options.limits), load_options(options.limits));
  model.limit_work(options.compile.max_work);
  Diagnostics diagnostics;
  if (!model.read(diagnostics)) return failed(render(diagnostics));
  compiler::Graph graph = model.take_graph();
  std::vector<std::string> input_names, output_names;
  for (const compiler::ValueId id : graph.inputs()) input_names.push_back(graph.value(id).name);
  for (const compiler::GraphOutput& output : graph.outputs()) output_names.push_back(output.name);
  const CaseArrays expected = read_arrays(graph_file.path, "expected", output_names, options.limits, files);
  const CaseArrays inputs = read_arrays(graph_file.path, "input", input_names, options.limits, files);
  if (!expected.strange.empty()) return failed(in_quotes(expected.strange) + " is for no output of the graph");
  if (!inputs.strange.empty()) return failed(in_quotes(inputs.strange) + " is for no input of the graph");
  if (!expected.missing.empty())
    return failed("output " + in_quotes(expected.missing) + " has no .expected." + file_name_of(expected.missing) +
                  ".npy file");
  bind_dimensions(graph, inputs.tensors);
  return run_graph(std::move(graph), inputs.tensors, expected.tensors, options.folder_tolerance, options);
}

/// Whether there are STEM.expected.*.npy next to this graph file.
bool has_expected_files(const fs::path& graph_file, const std::set<std::string>& files) {
  const std::string prefix = graph_file.stem().string() + ".expected.";
  const auto first = files.lower_bound(prefix);
  return first != files.end() && first->starts_with(prefix);
}

/// "FOLDER/STEM" of a suite file, or its name alone.
std::string suite_name(const fs::path& path) {
  const std::string folder = path.parent_path().filename().string();
  return folder.empty() || folder == "." ? path.stem().string() : folder + "/" + path.stem().string();
}

/// A case that fails because its file is not a valid suite: a damaged file must not vanish from the count.
TestCase damaged_suite(const fs::path& path, const std::string& why) {
  return {suite_name(path), "(whole file)", [why] { return failed(why); }};
}

/// Adds the cases of one file. False for a file that is legitimately not a suite: a graph without expected
/// outputs, a weights manifest, other JSON.
bool add_file(std::vector<TestCase>& cases, const compiler::FileName& name, Folders& folders,
              const CaseOptions& options) {
  const fs::path& path = name.path;
  const api::Source file = open_source(name, options.limits);
  if (file.holds(compiler::Holds::graph)) {
    const FileNames files = folders.names_beside(path);
    if (!has_expected_files(path, *files)) return false;
    cases.push_back({suite_name(path), "expected outputs",
                     guarded([name, files, options] { return run_folder_case(name, *files, options); })});
    return true;
  }
  if (file.holds(compiler::Holds::weights_manifest)) return false;
  const std::optional<Json> document = Json::parse(file.text());
  if (!document) {
    cases.push_back(damaged_suite(path, "the file is not JSON"));
    return true;
  }
  const Json* const tests = document->find("tests");
  if (!tests) return false;
  if (!tests->items() || tests->empty()) {
    cases.push_back(damaged_suite(path, "'tests' is no list of cases"));
    return true;
  }
  if (tests->items()->front().find("graph"))
    add_conformance(cases, file, suite_name(path), options);
  else
    add_validation(cases, file, suite_name(path));
  return true;
}

/// The same for a file that was found in a folder; one that cannot be read is a case that fails.
void add_found_file(std::vector<TestCase>& cases, const compiler::FileName& name, Folders& folders,
                    const CaseOptions& options) {
  try {
    add_file(cases, name, folders, options);
  } catch (const Error& error) {
    if (error.code() != ExitCode::io && error.code() != ExitCode::resource) throw;
    cases.push_back(damaged_suite(name.path, error.what()));
  }
}

}  // namespace

std::vector<TestCase> find_cases(const std::vector<std::string>& suites, const CaseOptions& options) {
  std::vector<TestCase> cases;
  Folders folders;
  for (const std::string& suite : suites) {
    if (!fs::exists(suite)) throw Error(ExitCode::io, "cannot read " + in_quotes(suite));
    if (options.onnx) {
      add_onnx_cases(cases, suite, options);
      continue;
    }
    if (!fs::is_directory(suite)) {
      if (!add_file(cases, fs::path(suite), folders, options))
        throw Error(
            ExitCode::invalid_input, in_quotes(suite) + " holds no cases",
            "a suite is a file of vectors, or a folder with a graph, its .input.NAME.npy and .expected.NAME.npy files");
      continue;
    }
    std::vector<fs::path> files;
    const auto may_be_regular = [](const fs::directory_entry& entry) {  // if it cannot be told, reading says why
      std::error_code error;
      const fs::file_type type = entry.status(error).type();
      return type == fs::file_type::regular || type == fs::file_type::none;
    };
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(suite))
      if (may_be_regular(entry) &&
          (entry.path().extension() == ".json" ||
           compiler::is_graph_suffix(compiler::all_formats(), entry.path().extension().string())))
        files.push_back(entry.path());
    std::ranges::sort(files);
    for (const fs::path& file : files) add_found_file(cases, compiler::FileName::found(suite, file), folders, options);
  }
  return cases;
}

}  // namespace webnn::cli
