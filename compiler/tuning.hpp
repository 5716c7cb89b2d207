// Measured preferences for the choice of kernels: a table from calls to the preferred rows.
//
// The compiler only reads it. Its caller measures and stores the table.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "schema/kernels/kernel_table.hpp"

namespace webnn::compiler {

/// The preferences for one call. A row that does not take the call is ignored.
struct CallPreference {
  /// The row for activations in this layout; for calls without activations of rank 4 the first one counts. Nullopt: the
  /// costs decide.
  std::optional<schema::KernelId> row_major, channels_last;
  /// How many bytes may be reordered for the call to run channels-last; negative: row-major. At most
  /// `most_layout_bytes` either way.
  std::int64_t channels_last_bytes = 0;
};
inline constexpr std::int64_t most_layout_bytes = std::int64_t{1} << 40;

struct Tuning {
  /// By `call_text` or, for calls that are not there, by `call_class` (ir/call_text.hpp).
  std::map<std::string, CallPreference, std::less<>> calls;
  std::uint64_t content = 0;  // checksum of the table's source, for program caches
};

}  // namespace webnn::compiler
