// A model file as JavaScript names it.
#pragma once

#include "bindings/node/native/values.hpp"
#include "bindings/tools/order.hpp"

namespace webnn::node {

using bindings::Order;

/// From four arguments: file, weightsFile, names and sizes of the graph's dimensions.
Order order_of(const Call& call, std::size_t first);

}  // namespace webnn::node
