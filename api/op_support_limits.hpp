// Computes the result of opSupportLimits().
#pragma once

#include "api/support_limits.hpp"
#include "schema/kernels/target.hpp"

namespace webnn::api {

/// From the operator table and the kernel rows available to such a target.
OpSupportLimits op_support_limits(const schema::Target& target);

}  // namespace webnn::api
