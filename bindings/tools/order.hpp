// A model file as a program in another language names it: with a weights file and sizes of dimensions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/runner/model.hpp"
#include "api/webnn.hpp"

namespace webnn::bindings {

struct Order {
  std::string file, weights_file;
  std::vector<std::pair<std::string, std::uint32_t>> dimensions;
};

/// Opens the file, of any format; the graph that is read has the order's sizes. Throws Error as api::open_source does, and
/// usage for a program with dimensions or a weights file.
api::Model open_model(const Order& order);

/// Texts with positions; those of errors are thrown as one Error.
std::vector<std::string> warnings_of(const schema::Diagnostics& diagnostics, const api::Model& model);

struct Loaded {
  std::optional<Graph> graph;
  std::vector<std::string> warnings;
};
/// Reads and compiles a graph file, or maps a program. Throws Error as loadGraph and loadProgram do.
Loaded load(const Context& context, const Order& order);

}  // namespace webnn::bindings
