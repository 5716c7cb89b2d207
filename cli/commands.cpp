// The table of commands, from commands.def.
#include "cli/command.hpp"

namespace webnn::cli {

#define COMMAND(name, summary, examples) Action declare_##name(OptionList& list);
#include "cli/commands.def"
#undef COMMAND

namespace {

constexpr Command table[] = {
#define COMMAND(name, summary, examples) {#name, summary, examples, declare_##name},
#include "cli/commands.def"
#undef COMMAND
};

}  // namespace

std::span<const Command> commands() { return table; }

}  // namespace webnn::cli
