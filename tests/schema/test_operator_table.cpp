// Laws of the operator table, and its agreement with the limits tables of the specification.
#include <algorithm>
#include <doctest/doctest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "schema/operators/operator_call.hpp"
#include "tests/harness/paths.hpp"
#include "tests/harness/specification.hpp"

namespace operator_table_test {

using namespace webnn::schema;
using nlohmann::json;

namespace {

constexpr DataTypes four_bit{DataType::int4, DataType::uint4};
constexpr DataTypes specified{DataType::float32, DataType::float16, DataType::int32, DataType::uint32,
                              DataType::int64,   DataType::uint64,  DataType::int8,  DataType::uint8};

/// The types without int4 and uint4, which the specification does not have.
DataTypes without_4bit(DataTypes types) {
  DataTypes result;
  for (std::size_t i = 0; i < data_type_count; ++i)
    if (types.contains(DataType(i)) && !four_bit.contains(DataType(i))) result = result | DataType(i);
  return result;
}

/// One operator's tables in tensor-limits.json, with "same as" resolved.
class Limits {
 public:
  explicit Limits(const json& tables) : tables_(tables) {}

  DataTypes types(const std::string& operand) const {
    const json& cell = tables_.at(operand).at("allowedDataTypes");
    if (cell.is_array()) {
      DataTypes result;
      for (const json& name : cell) result = result | parse_data_type(name.get<std::string>()).value();
      return result;
    }
    const auto text = cell.get<std::string>();
    return text == "any" ? specified : types(same_as(text));
  }

  /// Lowest and highest rank; "N" is this project's highest.
  std::pair<unsigned, unsigned> ranks(const std::string& operand) const {
    const auto text = tables_.at(operand).at("allowedRanks").get<std::string>();
    if (text.starts_with("same")) return ranks(same_as(text));
    const auto number = [](const std::string& word) { return word == "N" ? max_rank : unsigned(std::stoul(word)); };
    if (const auto to = text.find(" to "); to != std::string::npos)
      return {number(text.substr(0, to)), number(text.substr(to + 4))};
    return {text == "N" ? 0 : number(text), number(text)};
  }

 private:
  /// "same as inputs's items" -> "inputs"
  std::string same_as(const std::string& text) const {
    std::string name = text.substr(std::string("same as ").size());
    name = name.substr(0, name.find_first_of("' "));
    REQUIRE_MESSAGE(tables_.contains(name), text);
    return name;
  }

  const json& tables_;
};

}  // namespace

TEST_CASE("operator table: the specification's 95 operators and any others have unique names and are found by them") {
  std::set<std::string_view> names;
  std::size_t specified = 0;
  for (std::size_t i = 0; i < operator_table().size(); ++i) {
    const Operator& op = operator_table()[i];
    CAPTURE(op.name);
    CHECK(names.insert(op.name).second);
    REQUIRE(find_operator(op.name));
    CHECK(find_operator(op.name)->index == i);
    specified += webnn::tests::is_specified(op.name);
  }
  CHECK(specified == 95);
  CHECK_FALSE(find_operator("conv"));
  CHECK(row("conv2d"_op).name == "conv2d");
}

TEST_CASE("operator table: every row has a shape rule, operands, outputs and a family with a name") {
  std::set<std::string_view> families;
  for (const Operator& op : operator_table()) {
    CAPTURE(op.name);
    CHECK((op.infer != nullptr));
    CHECK_FALSE(op.operands.empty());
    CHECK_FALSE(op.outputs.empty());
    CHECK_FALSE(name_of(op.family).empty());
    families.insert(name_of(op.family));
  }
  CHECK(families.size() == family_count);
}

TEST_CASE("operator table: operands' names, order, types and ranks") {
  for (const Operator& op : operator_table()) {
    CAPTURE(op.name);
    std::set<std::string_view> names;
    bool optional = false;
    for (const OperandRow& operand : op.operands) {
      CAPTURE(operand.name);
      CHECK(names.insert(operand.name).second);
      CHECK_FALSE(operand.types.empty());
      CHECK(operand.min_rank <= operand.max_rank);
      CHECK(operand.max_rank <= max_rank);
      // A builder method takes the required ones first, the optional ones in its dictionary.
      CHECK_FALSE((optional && operand.arity != Arity::optional));
      optional = optional || operand.arity == Arity::optional;
      if (operand.arity == Arity::many) CHECK(op.operands.size() == 1);
      // Operands that share a variable allow the same types, or the variable would be a trap.
      for (const OperandRow& other : op.operands)
        if (operand.variable != 0 && other.variable == operand.variable) CHECK(other.types == operand.types);
    }
    for (const AttributeRow& attribute : op.attributes) CHECK(names.insert(attribute.name).second);
    if (op.commutative) {
      CHECK(op.operands.size() == 2);
      CHECK(op.operands[0].types == op.operands[1].types);
    }
  }
}

TEST_CASE("operator table: an output has types of its own or those of an operand") {
  for (const Operator& op : operator_table())
    for (const OutputRow& output : op.outputs) {
      CAPTURE(op.name);
      const bool bound = std::ranges::any_of(
          op.operands, [&](const OperandRow& operand) { return operand.variable == output.variable; });
      CHECK((output.variable != 0) != !output.types.empty());
      if (output.variable != 0) CHECK(bound);
    }
}

TEST_CASE("operator table: a default is a value that the attribute itself takes") {
  using Default = AttributeRow::Default;
  for (const Operator& op : operator_table())
    for (const AttributeRow& attribute : op.attributes) {
      CAPTURE(op.name);
      CAPTURE(attribute.name);
      switch (attribute.default_kind) {
        case Default::integer:
          if (attribute.kind == AttributeKind::data_type)
            CHECK(attribute.types.contains(DataType(attribute.default_integer)));
          else
            CHECK(attribute.default_integer >= attribute.minimum);
          break;
        case Default::integers:
        case Default::reals:
          CHECK(attribute.default_list.size() == attribute.length);
          for (std::int64_t value : attribute.default_list) CHECK(value >= attribute.minimum);
          break;
        case Default::words:
          CHECK(attribute.default_words.size() == attribute.length);
          for (std::string_view word : attribute.default_words)
            CHECK(std::ranges::find(attribute.words, word) != attribute.words.end());
          break;
        case Default::word:
          CHECK(attribute.words.size() >= 2);
          break;
        case Default::computed:
          CHECK((attribute.compute != nullptr));
          break;
        case Default::required:
        case Default::absent:
        case Default::boolean:
        case Default::real:
          break;
      }
    }
}

TEST_CASE("operator table: int4 and uint4 only where this project allows them") {
  const std::set<std::string> allowed{
      "identity.input",           "reshape.input",          "cast.input",
      "quantizeLinear.zeroPoint", "dequantizeLinear.input", "dequantizeLinear.zeroPoint"};
  for (const Operator& op : operator_table())
    for (const OperandRow& operand : op.operands) {
      const std::string place = std::string(op.name) + "." + std::string(operand.name);
      CAPTURE(place);
      CHECK(operand.types.contains(four_bit) == allowed.contains(place));
      CHECK((operand.types.contains(DataType::int4) == operand.types.contains(DataType::uint4)));
    }
}

TEST_CASE("operator table: names, types and ranks are those of the specification's limits tables") {
  WEBNN_REQUIRE_CORPUS(folder);
  const json tables = json::parse(webnn::tests::read_file(folder / "spec" / "tensor-limits.json"));
  CHECK(tables.size() == 95);
  for (const auto& table : tables.items()) CHECK_MESSAGE(find_operator(table.key()), table.key() << " is missing");

  for (const Operator& op : operator_table()) {
    if (!webnn::tests::is_specified(op.name)) continue;
    CAPTURE(op.name);
    const std::string op_name(op.name);
    REQUIRE(tables.contains(op_name));
    const Limits limits(tables[op_name]);
    for (const OperandRow& operand : op.operands) {
      const std::string name(operand.name);
      CAPTURE(name);
      REQUIRE(tables[op_name].contains(name));
      DataTypes types = limits.types(name);
      // The tables say "any" where the method's steps, and this project, take floats.
      if (op_name == "isNaN" || op_name == "isInfinite") types = {DataType::float32, DataType::float16};
      CHECK_MESSAGE(without_4bit(operand.types) == types, operand.types.text() << " instead of " << types.text());
      const auto [low, high] = limits.ranks(name);
      CHECK(unsigned(operand.min_rank) <= low);
      // A rank tied to another operand's is the shape rule's affair: the row may leave it open.
      const bool tied = tables[op_name][name]["allowedRanks"].get<std::string>().starts_with("same");
      if (!tied) CHECK(unsigned(operand.min_rank) == low);
      CHECK(unsigned(operand.max_rank) == high);
    }
    for (const OutputRow& output : op.outputs) {
      if (!tables[op_name].contains(std::string(output.name))) continue;  // "outputs[0]", named by the row
      DataTypes types = output.types;
      for (const OperandRow& operand : op.operands)
        if (output.variable != 0 && operand.variable == output.variable) types = operand.types;
      CHECK(without_4bit(types) == limits.types(std::string(output.name)));
    }
    // Nothing in the tables is left out.
    std::size_t operands = 0;
    for (const auto& [name, cells] : tables[op_name].items()) operands += !name.starts_with("output");
    CHECK(operands == op.operands.size());
  }
}

}  // namespace operator_table_test
