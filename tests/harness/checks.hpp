// Test cases that check nothing: one whose loop ran over nothing would pass whatever the program does.
#pragma once

namespace webnn::tests {

/// How many test cases of this run have ended without a single check, and were not skipped. They count as failed.
unsigned cases_without_checks();

}  // namespace webnn::tests
