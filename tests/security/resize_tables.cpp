// Resize of an ONNX model to very many elements, which takes a few bytes to write: its import makes no list where resample2d
// does what the node asks for, and else counts its tables against the caller's limits before they are made.
#include <doctest/doctest.h>

#include "api/oracle/evaluate.hpp"
#include "compiler/onnx/import/import_onnx.hpp"
#include "schema/elements/memory_account.hpp"
#include "schema/error.hpp"
#include "schema/render_diagnostics.hpp"

namespace webnn::tests::resize_tables_test {
namespace {

using namespace webnn::compiler;
using compiler::LoadOptions;  // not those of the interface

constexpr std::int64_t width = 1 << 24;

struct Form {
  std::string mode = "nearest", coordinates = "half_pixel";
  std::int64_t input = 1;
  std::vector<float> region{};
};

template <class T>
OnnxTensor list(std::string name, OnnxType type, const std::vector<T>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  return {
      std::move(name), type, {std::int64_t(values.size())}, Bytes(std::vector<std::byte>(bytes.begin(), bytes.end()))};
}

/// `nodes` nodes that resize an image to 2^24 columns, each followed by its maximum, and the sum of these.
OnnxModel resizes(std::size_t nodes, const Form& form) {
  OnnxModel model;
  model.opset = 17;
  model.opsets = {{"", 17}};
  model.initializers = {list("sizes", OnnxType::int64, std::vector<std::int64_t>{1, 1, 1, width}),
                        list("region", OnnxType::float32, form.region)};
  OnnxNode sum{"Sum", {}, {}, {"y"}, {}};
  for (std::size_t i = 0; i < nodes; ++i) {
    const std::string resized = "r" + std::to_string(i), most = "m" + std::to_string(i);
    model.nodes.push_back({"Resize",
                           {},
                           {"x", form.region.empty() ? "" : "region", "", "sizes"},
                           {resized},
                           {{"mode", form.mode}, {"coordinate_transformation_mode", form.coordinates}}});
    model.nodes.push_back({"ReduceMax", {}, {resized}, {most}, {{"keepdims", std::int64_t{0}}}});
    sum.inputs.push_back(most);
  }
  model.nodes.push_back(sum);
  model.inputs = {{"x", OnnxType::float32, {1, 1, 1, form.input}, std::vector<std::string>(4)}};
  model.outputs = {{"y", OnnxType::float32, {}}};
  return model;
}

/// The import under limits of memory and work. Throws Error when memory is refused.
Diagnostics import_within(const OnnxModel& model, std::uint64_t max_memory, std::uint64_t max_work = 0) {
  const AccountScope account(max_memory);
  LoadOptions options;
  options.evaluate = api::reference_evaluate();
  options.max_work = max_work;
  Diagnostics diagnostics;
  import_onnx(model, options, diagnostics);
  return diagnostics;
}

constexpr std::uint64_t megabyte = 1'000'000;

}  // namespace

TEST_CASE("security: Resize makes no list of coordinates where resample2d does the same") {
  for (const char* const mode : {"nearest", "linear"}) {
    const Diagnostics diagnostics = import_within(resizes(4, {.mode = mode}), megabyte);
    CAPTURE(render(diagnostics));
    CHECK_FALSE(diagnostics.has_errors());
  }
}

TEST_CASE("security: the tables of Resize count against --max-memory before they are made") {
  const Form gathers{.coordinates = "align_corners", .input = 3};
  CHECK_THROWS_AS(import_within(resizes(1, gathers), 10 * megabyte), Error);  // of 64 MiB
  CHECK_FALSE(import_within(resizes(1, gathers), 100 * megabyte).has_errors());
  const Form multiplies{.mode = "cubic", .input = 3};
  CHECK_THROWS_AS(import_within(resizes(1, multiplies), 100 * megabyte), Error);  // of 192 MiB
  const Form crops{.coordinates = "tf_crop_and_resize", .input = 3, .region = {0, 0, 0, 0, 1, 1, 1, 5}};
  CHECK_THROWS_AS(import_within(resizes(1, crops), 10 * megabyte), Error);  // of 16 MiB and more
}

TEST_CASE("security: the coordinates of Resize count against the limits of work") {
  for (const char* const mode : {"nearest", "linear", "cubic"}) {
    const Diagnostics refused = import_within(resizes(4, {.mode = mode, .input = 2}), 0, megabyte);
    CAPTURE(render(refused));
    CHECK(exit_code_of(refused) == ExitCode::resource);
  }
  // Without a limit from outside there is one of the import.
  CHECK(exit_code_of(import_within(resizes(100, {}), 0)) == ExitCode::resource);
}

}  // namespace webnn::tests::resize_tables_test
