// opSupportLimits(): what a context says of itself.
#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "schema/elements/types.hpp"
#include "schema/operators/operator_table.hpp"
#include "tests/api/webnn_support.hpp"
#include "tests/harness/paths.hpp"

namespace support_limits_test {

using namespace webnn;
using namespace webnn::tests;

namespace {

using Types = std::vector<DataType>;

bool contains(const Types& types, DataType type) { return std::ranges::find(types, type) != types.end(); }

}  // namespace

TEST_CASE("support limits: the context's own members") {
  const OpSupportLimits limits = Context().opSupportLimits();
  CHECK((limits.preferredInputLayout == "nchw" || limits.preferredInputLayout == "nhwc"));
  CHECK(limits.maxTensorByteLength == schema::max_tensor_bytes);
  for (const TensorLimits& tensor : {limits.input, limits.constant, limits.output}) {
    CHECK(tensor.dataTypes.size() == schema::data_type_count);
    CHECK(tensor.rankRange == RankRange{0, schema::max_rank});
  }
}

TEST_CASE("support limits: operators and operands have the specification's names") {
  const OpSupportLimits limits = Context().opSupportLimits();
  CHECK(limits.operators.size() == schema::operator_table().size());
  const auto names = [&](const std::string& op) {
    std::vector<std::string> list;
    for (const auto& entry : limits.operators.at(op)) list.push_back(entry.first);
    return list;
  };
  using Names = std::vector<std::string>;
  CHECK(names("add") == Names{"a", "b", "output"});
  CHECK(names("conv2d") == Names{"bias", "filter", "input", "output"});
  CHECK(names("concat") == Names{"inputs", "output"});
  CHECK(names("split") == Names{"input", "outputs"});
  CHECK(names("where") == Names{"condition", "falseValue", "output", "trueValue"});
  CHECK(names("lstmCell") == Names{"bias", "cellState", "hiddenState", "input", "outputs", "peepholeWeight",
                                   "recurrentBias", "recurrentWeight", "weight"});
}

TEST_CASE("support limits: types and ranks") {
  const auto operators = Context().opSupportLimits().operators;
  const auto& conv2d = operators.at("conv2d");
  CHECK(conv2d.at("filter") == TensorLimits{{DataType::float32, DataType::float16}, {4, 4}});
  CHECK(conv2d.at("bias").rankRange == RankRange{1, 1});
  CHECK(conv2d.at("output") == conv2d.at("input"));
  CHECK(operators.at("equal").at("output").dataTypes == Types{DataType::uint8});
  CHECK(operators.at("argMax").at("output") == TensorLimits{{DataType::int32, DataType::int64}, {0, 8}});
  CHECK(operators.at("matmul").at("a").rankRange == RankRange{2, 8});
  CHECK(operators.at("gru").at("outputs").rankRange == RankRange{3, 4});
  CHECK(contains(operators.at("quantizeLinear").at("output").dataTypes, DataType::int4));
  CHECK(contains(operators.at("dequantizeLinear").at("input").dataTypes, DataType::uint4));
  CHECK(operators.at("relu").at("output") == operators.at("relu").at("input"));
}

TEST_CASE("support limits: everything that the specification requires") {
  WEBNN_REQUIRE_CORPUS(corpus);
  std::ifstream file(corpus / "spec" / "tensor-limits.json");
  REQUIRE(file);
  const auto required = nlohmann::json::parse(file);
  const auto operators = Context().opSupportLimits().operators;
  for (const auto& [op, operands] : required.items())
    for (const auto& [operand, wanted] : operands.items()) {
      CAPTURE(op);
      CAPTURE(operand);
      const std::string name = operand.substr(0, operand.find('['));
      REQUIRE(operators.at(op).contains(name));
      const TensorLimits& limits = operators.at(op).at(name);
      if (wanted["requiredDataTypes"].is_array())
        for (const std::string type : wanted["requiredDataTypes"])
          CHECK(contains(limits.dataTypes, *schema::parse_data_type(type)));
      if (wanted["allowedDataTypes"].is_array())
        for (const DataType type : limits.dataTypes) {
          if (type == DataType::int4 || type == DataType::uint4) continue;  // this project's addition
          const auto allowed = wanted["allowedDataTypes"].get<std::vector<std::string>>();
          CHECK(std::ranges::find(allowed, schema::name_of(type)) != allowed.end());
        }
    }
}

}  // namespace support_limits_test
