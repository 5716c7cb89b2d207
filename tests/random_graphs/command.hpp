// `webnn-tests --random-graphs N [--seed S] [--device cpu|gpu]`
#pragma once

#include <optional>

namespace webnn::tests {

/// Runs N random graphs when the arguments ask for it; the closing line is `N passed, N failed`. The program's exit
/// status, or nullopt: they do not.
std::optional<int> random_graphs_command(int argc, char** argv);

}  // namespace webnn::tests
