// `webnn-cli version`
#include "schema/version.hpp"

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>

#include "cli/command.hpp"
#include "schema/kernel_table.hpp"
#include "schema/operator_table.hpp"

namespace webnn::cli {

namespace {

#ifdef NDEBUG
constexpr bool is_release = true;
#else
constexpr bool is_release = false;
#endif

void print_text(std::ostream& out) {
  out << "webnn-cli " << schema::version << "\n"
      << "operators: " << schema::operator_table().size() << ", kernels: " << schema::kernel_table().size() << "\n"
      << "compiler: " << __VERSION__ << (is_release ? ", release\n" : ", with assertions\n");
}

void print_json(std::ostream& out) {
  const nlohmann::ordered_json json{{"schema", "webnn-cli/version/1"},
                                    {"version", schema::version},
                                    {"operators", schema::operator_table().size()},
                                    {"kernels", schema::kernel_table().size()},
                                    {"compiler", __VERSION__},
                                    {"build", is_release ? "release" : "debug"}};
  out << json.dump(2) << "\n";
}

}  // namespace

Action declare_version(CLI::App& app) {
  auto format = std::make_shared<std::string>("text");
  app.add_option("--output-format", *format, "text or json")->check(CLI::IsMember({"text", "json"}));
  return [format](Console& console) {
    *format == "json" ? print_json(console.out) : print_text(console.out);
    return ExitCode::success;
  };
}

}  // namespace webnn::cli
