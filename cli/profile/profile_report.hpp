// A profile as a table, as JSON, as traces and as an HTML page.
#pragma once

#include <iosfwd>
#include <string>

#include "cli/json/json.hpp"
#include "cli/profile/profile.hpp"

namespace webnn::cli {

/// The steps, slowest first (at most `most`; 0: all), and sums by kind of operator, phases, overhead.
void print_profile_text(std::ostream& out, const Profile& profile, std::size_t most);
/// {"schema": "webnn-cli/profile/1", ...}
Json profile_json(const Profile& profile);

/// Chrome's trace event format, which Perfetto and speedscope also read.
std::string chrome_trace(const Profile& profile);
/// Perfetto's protobuf format (a Trace of TrackEvents).
std::string perfetto_trace(const Profile& profile);

/// A self-contained page: the steps as a graph with the hot ones marked, a sortable table, the roofline, and the memory
/// plan over time.
std::string profile_page(const Profile& profile);

/// "conv2d + add + relu"
std::string operators_text(const StepProfile& step);
/// The labels of the graph's operators behind a step: "conv1, bn1, relu1".
std::string sources_text(const StepProfile& step);

}  // namespace webnn::cli
