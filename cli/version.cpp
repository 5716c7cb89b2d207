// `webnn-cli version`
#include "schema/version.hpp"

#include <CLI/CLI.hpp>

#include "cli/command.hpp"
#include "schema/kernel_table.hpp"
#include "schema/operator_table.hpp"

namespace webnn::cli {

Action declare_version(CLI::App&) {
  return [](Console& console) {
    console.out << "webnn-cli " << schema::version << "\n"
                << "operators: " << schema::operator_table().size() << ", kernels: " << schema::kernel_table().size()
                << "\n"
                << "compiler: " << __VERSION__
#ifdef NDEBUG
                << ", release\n";
#else
                << ", with assertions\n";
#endif
    return ExitCode::success;
  };
}

}  // namespace webnn::cli
