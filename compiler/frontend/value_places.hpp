// Where a graph file defines its inputs, constants and nodes: for messages about a graph that has been read.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "compiler/frontend/load.hpp"
#include "schema/diagnostics.hpp"

namespace webnn::compiler {

class ValuePlaces {
 public:
  /// The content is the file that the graph was read from. In formats without a tree no value has a place.
  ValuePlaces(std::string_view content, const LoadOptions& options);

  /// The place of an input, a constant or a node's result; the file alone when it is not known.
  const Location& place_of(std::string_view value_name) const;

 private:
  Location file_;
  std::map<std::string, Location, std::less<>> places_;
};

}  // namespace webnn::compiler
