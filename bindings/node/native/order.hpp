// A model file as JavaScript names it: with a weights file and sizes of dimensions.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "api/runner/model.hpp"
#include "bindings/node/native/values.hpp"

namespace webnn::node {

struct Order {
  std::string file, weights_file;
  std::vector<std::pair<std::string, std::uint32_t>> dimensions;
};

/// From four arguments: file, weightsFile, names and sizes of the graph's dimensions.
Order order_of(const Call& call, std::size_t first);
/// The options for reading its graph, of any format.
compiler::LoadOptions reading_options(const Order& order);
/// Opens the file. Throws Error as api::open_source does.
api::Model open_model(const Order& order);

/// Texts with positions; those of errors are thrown as one Error.
std::vector<std::string> warnings_of(const schema::Diagnostics& diagnostics, const api::Model& model);

}  // namespace webnn::node
