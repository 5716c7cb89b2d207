// `webnn-cli ops`: the support matrix, from the operator and kernel tables.
#include <algorithm>
#include <memory>

#include "api/kernels.hpp"
#include "cli/command.hpp"
#include "cli/json/json.hpp"
#include "cli/this_cpu.hpp"
#include "schema/diagnostics.hpp"
#include "schema/kernels/kernel_table.hpp"
#include "schema/operators/operator_table.hpp"

namespace webnn::cli {
namespace {

using namespace schema;

constexpr DataType all_types[] = {DataType::float32, DataType::float16, DataType::int32, DataType::uint32,
                                  DataType::int64,   DataType::uint64,  DataType::int8,  DataType::uint8,
                                  DataType::int4,    DataType::uint4};

struct OpsOptions {
  std::vector<std::string> names;
  std::string format = "text";
};

/// Whether a kernel row for `device` takes `op` with a first operand of `type`, on a machine with every feature.
bool has_kernel(const Operator& op, DataType type, DeviceKind device) {
  return std::ranges::any_of(api::kernel_table(), [&](const KernelRow& kernel) {
    return kernel.device == device && is_for(kernel, op) && kernel.types.contains(type);
  });
}

/// The devices that run `op` on `type`: "cpu", "cpu vulkan"; empty when the type is not allowed.
std::vector<std::string_view> devices_for(const Operator& op, DataType type) {
  std::vector<std::string_view> devices;
  if (op.operands[0].types.contains(type))
    for (DeviceKind device : device_kinds)
      if (has_kernel(op, type, device)) devices.push_back(name_of(device));
  return devices;
}

std::string ranks(const OperandRow& operand) {
  return operand.min_rank == operand.max_rank
             ? std::to_string(operand.min_rank)
             : std::to_string(operand.min_rank) + "-" + std::to_string(operand.max_rank);
}

std::string default_text(const AttributeRow& attribute) {
  using enum AttributeRow::Default;
  const auto list = [](const auto& items) {
    std::string text = "[";
    for (const auto& item : items) {
      if (text.size() > 1) text += ", ";
      if constexpr (std::is_arithmetic_v<std::decay_t<decltype(item)>>)
        text += std::to_string(item);
      else
        text += item;
    }
    return text + "]";
  };
  switch (attribute.default_kind) {
    case required:
      return "required";
    case absent:
      return "none";
    case computed:
      return "from the operands";
    case boolean:
      return attribute.default_integer ? "true" : "false";
    case real:
      return Number(attribute.default_real).text();
    case word:
      return std::string(attribute.words[0]);
    case integers:
    case reals:
      return list(attribute.default_list);
    case words:
      return list(attribute.default_words);
    case integer:
      return attribute.kind == AttributeKind::data_type ? std::string(name_of(DataType(attribute.default_integer)))
                                                        : std::to_string(attribute.default_integer);
  }
  return {};
}

/// The initials of the devices: "c", "cv"; '-' when no device has a kernel, '.' when the specification does not allow
/// the type.
std::string cell(const Operator& op, DataType type) {
  if (!op.operands[0].types.contains(type)) return ".";
  std::string initials;
  for (std::string_view device : devices_for(op, type)) initials += device[0];
  return initials.empty() ? "-" : initials;
}

void print_legend(std::ostream& out) {
  out << "\nColumns: type of the first operand. ";
  for (DeviceKind device : device_kinds) out << name_of(device)[0] << " = " << name_of(device) << ", ";
  out << "- = allowed but no kernel, . = not allowed\n";
  const ThisCpu cpu = this_cpu();
  out << "the cpu here is " << text_of(cpu) << "; " << threads_text(cpu.threads) << "\n";
}

void print_text(std::ostream& out, const std::vector<const Operator*>& rows) {
  const auto pad = [&out](std::string_view text, std::size_t width) {
    out << text << std::string(text.size() < width ? width - text.size() : 1, ' ');
  };
  pad("operator", 23);
  pad("family", 15);
  pad("ranks", 7);
  for (DataType type : all_types) pad(short_name_of(type), 4);
  out << "\n";
  for (const Operator* op : rows) {
    pad(op->name, 23);
    pad(name_of(op->family), 15);
    pad(ranks(op->operands[0]), 7);
    for (DataType type : all_types) pad(cell(*op, type), 4);
    out << "\n";
  }
  print_legend(out);
}

void print_markdown(std::ostream& out, const std::vector<const Operator*>& rows) {
  out << "| operator | family | ranks |";
  for (DataType type : all_types) out << ' ' << name_of(type) << " |";
  out << "\n|---|---|---|";
  for (std::size_t i = 0; i < std::size(all_types); ++i) out << "---|";
  out << "\n";
  for (const Operator* op : rows) {
    out << "| " << op->name << " | " << name_of(op->family) << " | " << ranks(op->operands[0]) << " |";
    for (DataType type : all_types) {
      std::string devices;
      for (std::string_view device : devices_for(*op, type)) (devices += devices.empty() ? "" : ", ") += device;
      out << ' ' << devices << " |";
    }
    out << "\n";
  }
}

Json attribute_json(const AttributeRow& attribute) {
  Json json{{"name", attribute.name}, {"required", attribute.required()}, {"default", default_text(attribute)}};
  if (!attribute.words.empty())
    json["words"] = std::vector<std::string_view>(attribute.words.begin(), attribute.words.end());
  return json;
}

void print_json(std::ostream& out, const std::vector<const Operator*>& rows) {
  Json operators = Json::array();
  for (const Operator* op : rows) {
    Json json{{"name", op->name}, {"family", name_of(op->family)}};
    for (const OperandRow& operand : op->operands) {
      Json types = Json::array();
      for (DataType type : all_types)
        if (operand.types.contains(type)) types.push_back(name_of(type));
      json["operands"].push_back({{"name", operand.name},
                                  {"optional", operand.arity == Arity::optional},
                                  {"list", operand.arity == Arity::many},
                                  {"dataTypes", types},
                                  {"rankRange", {{"min", operand.min_rank}, {"max", operand.max_rank}}}});
    }
    for (const AttributeRow& attribute : op->attributes) json["attributes"].push_back(attribute_json(attribute));
    for (DataType type : all_types)
      if (op->operands[0].types.contains(type)) json["devices"][std::string(name_of(type))] = devices_for(*op, type);
    operators.push_back(std::move(json));
  }
  out << Json{{"schema", "webnn-cli/ops/1"}, {"operators", std::move(operators)}}.dump() << "\n";
}

/// Everything about one operator in the tables.
void print_operator(std::ostream& out, const Operator& op) {
  out << op.name << " (" << name_of(op.family) << ")\n";
  for (const OperandRow& operand : op.operands) {
    constexpr std::string_view arities[] = {"operand ", "optional operand ", "list of operands "};
    out << "  " << arities[std::size_t(operand.arity)] << operand.name << ": " << operand.types.text() << "; rank "
        << ranks(operand) << "\n";
  }
  for (const AttributeRow& attribute : op.attributes) {
    out << "  " << (attribute.required() ? "argument " : "option ") << attribute.name;
    if (!attribute.required()) out << " = " << default_text(attribute);
    if (!attribute.words.empty()) {
      out << " (one of";
      for (std::string_view word : attribute.words) out << ' ' << word;
      out << ")";
    }
    out << "\n";
  }
  for (const KernelRow& kernel : api::kernel_table())
    if (is_for(kernel, op)) out << "  kernel " << kernel.name << " on " << name_of(kernel.device) << "\n";
}

std::vector<const Operator*> select(const std::vector<std::string>& names) {
  std::vector<const Operator*> rows;
  if (names.empty()) {
    for (const Operator& op : operator_table()) rows.push_back(&op);
    std::ranges::sort(rows, {}, [](const Operator* op) { return op->name; });
  }
  for (const std::string& name : names) {
    const auto id = find_operator(name);
    if (!id) {
      const std::string_view near = nearest(name, {std::begin(operator_names), std::end(operator_names)});
      throw Error(ExitCode::usage, "no operator is called '" + name + "'",
                  near.empty() ? "`webnn-cli ops` lists all operators" : "did you mean '" + std::string(near) + "'?");
    }
    rows.push_back(&row(*id));
  }
  return rows;
}

}  // namespace

Action declare_ops(OptionList& list) {
  auto options = std::make_shared<OpsOptions>();
  list.add("operator", options->names, "only these operators, in full");
  list.add("--output-format", options->format, "text, json or md").one_of({"text", "json", "md"});
  return [options](Console& console) {
    const std::vector<const Operator*> rows = select(options->names);
    if (options->format == "json")
      print_json(console.out, rows);
    else if (options->format == "md")
      print_markdown(console.out, rows);
    else if (options->names.empty())
      print_text(console.out, rows);
    else
      for (const Operator* op : rows) print_operator(console.out, *op);
    return ExitCode::success;
  };
}

}  // namespace webnn::cli
