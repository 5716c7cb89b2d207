// What measurements say about the choice of kernels: a table from calls to the rows to prefer.
//
// The compiler only reads it. Who measures, and where the table is kept, is its caller's affair.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "schema/kernels/kernel_table.hpp"

namespace webnn::compiler {

/// For one call. A row that does not take it counts as absent.
struct CallPreference {
  /// The row for activations in this layout; of calls without activations of rank 4 the first counts. Nullopt: the
  /// table's order decides.
  std::optional<schema::KernelId> row_major, channels_last;
  /// How many bytes may be reordered so that the call runs channels-last; negative: row-major. At most
  /// `most_layout_bytes` either way.
  std::int64_t channels_last_bytes = 0;
};
inline constexpr std::int64_t most_layout_bytes = std::int64_t{1} << 40;

struct Tuning {
  std::map<std::string, CallPreference, std::less<>> calls;  // by `call_text` (ir/call_text.hpp)
  std::uint64_t content = 0;  // checksum of what the table was read from, for caches of programs
};

}  // namespace webnn::compiler
