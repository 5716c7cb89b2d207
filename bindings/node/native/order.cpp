#include "bindings/node/native/order.hpp"

#include <algorithm>

namespace webnn::node {

Order order_of(const Call& call, std::size_t first) {
  Order order{text(call.env, call[first]), text(call.env, call[first + 1]), {}};
  const std::vector<napi_value> names = items(call.env, call[first + 2]);
  const std::vector<std::uint32_t> sizes = words(call.env, call[first + 3]);
  for (std::size_t i = 0; i < std::min(names.size(), sizes.size()); ++i)
    order.dimensions.emplace_back(text(call.env, names[i]), sizes[i]);
  return order;
}

}  // namespace webnn::node
