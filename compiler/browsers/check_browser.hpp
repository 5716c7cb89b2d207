// What of a graph a browser refuses.
#pragma once

#include "compiler/browsers/browsers.hpp"
#include "compiler/frontend/value_places.hpp"
#include "compiler/ir/graph.hpp"
#include "schema/diagnostics.hpp"

namespace webnn::compiler {

/// Adds an error (browser_refuses) for each input, constant and operator of which the browser does not take a type or a
/// rank.
void check_browser(const Graph& graph, const Browser& browser, const ValuePlaces& places, Diagnostics& diagnostics);

}  // namespace webnn::compiler
