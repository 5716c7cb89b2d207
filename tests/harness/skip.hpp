// Test cases that this machine cannot run, wholly or in part: they count as skipped, never as passed, and each is named
// before the closing line. tests/allowed_skips.txt says what may be skipped where; anything else fails.
#pragma once

#include <string_view>

namespace webnn::tests {

/// The running test case is skipped, because of what `reason` says: "no chromium is installed". The caller returns, as
/// in `if (!found) return skip("...");`.
void skip(std::string_view reason);

/// A part of the running test case is skipped, such as one row of a table; the case goes on, and counts as what its
/// other checks say.
void skip_part(std::string_view part, std::string_view reason);

}  // namespace webnn::tests
