// `webnn-cli version`
#include "schema/version.hpp"

#include <memory>
#include <ostream>

#include "api/kernels.hpp"
#include "cli/command.hpp"
#include "cli/json/json.hpp"
#include "schema/kernels/kernel_table.hpp"
#include "schema/operators/operator_table.hpp"

namespace webnn::cli {

namespace {

#ifdef NDEBUG
constexpr bool is_release = true;
#else
constexpr bool is_release = false;
#endif

void print_text(std::ostream& out) {
  out << "webnn-cli " << schema::version << "\n"
      << "operators: " << schema::operator_table().size() << ", kernels: " << api::kernel_table().size() << "\n"
      << "compiler: " << __VERSION__ << (is_release ? ", release\n" : ", with assertions\n");
}

void print_json(std::ostream& out) {
  const Json json{{"schema", "webnn-cli/version/1"},
                  {"version", schema::version},
                  {"operators", schema::operator_table().size()},
                  {"kernels", api::kernel_table().size()},
                  {"compiler", __VERSION__},
                  {"build", is_release ? "release" : "debug"}};
  out << json.dump() << "\n";
}

}  // namespace

Action declare_version(OptionList& list) {
  auto format = std::make_shared<std::string>("text");
  list.add("--output-format", *format, "text or json").one_of({"text", "json"});
  return [format](Console& console) {
    *format == "json" ? print_json(console.out) : print_text(console.out);
    return ExitCode::success;
  };
}

}  // namespace webnn::cli
