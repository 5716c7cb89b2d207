// `webnn-tests --random-graphs N [--seed S] [--device cpu|gpu] [--print | --write-graphs FOLDER]`
#pragma once

#include <optional>

namespace webnn::tests {

/// Runs, prints or writes N random graphs when the arguments ask for it; the closing line of a run is
/// `N passed, N failed`. The program's exit status, or nullopt: they do not.
std::optional<int> random_graphs_command(int argc, char** argv);

}  // namespace webnn::tests
