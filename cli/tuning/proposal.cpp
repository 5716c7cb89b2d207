#include "cli/tuning/proposal.hpp"

#include <algorithm>
#include <cmath>

#include "cli/measure/statistics.hpp"

namespace webnn::cli {

using namespace schema;
using compiler::CallPreference;
using compiler::most_layout_bytes;

namespace {

/// The fastest row in this layout, or the usual one unless another row gains enough.
std::optional<KernelId> best_kernel(const TimedCall& call, Layout layout, double least_gain) {
  const TimedCall::Time* best = call.fastest(layout);
  if (!best) return std::nullopt;
  for (const TimedCall::Time& time : call.times)
    if (time.kernel == call.usual && time.layout == layout && best->median() > (1 - least_gain) * time.median())
      return call.usual;
  return best->kernel;
}

}  // namespace

double TimedCall::Time::median() const { return median_of(nanoseconds); }

TimedCall::Time& TimedCall::time_of(KernelId kernel, Layout layout) {
  for (Time& time : times)
    if (time.kernel == kernel && time.layout == layout) return time;
  return times.emplace_back(Time{kernel, layout, {}});
}

const TimedCall::Time* TimedCall::fastest(Layout layout) const {
  const Time* best = nullptr;
  for (const Time& time : times)
    if (time.layout == layout && (!best || time.median() < best->median())) best = &time;
  return best;
}

const TimedCall::Time* TimedCall::usual_time() const {
  for (const Time& time : times)
    if (time.kernel == usual && time.layout == usual_layout) return &time;
  return nullptr;
}

PreferenceTable propose(const std::vector<TimedCall>& calls, double least_gain, double nanoseconds_per_byte) {
  PreferenceTable table;
  for (const TimedCall& call : calls) {
    CallPreference preference{best_kernel(call, Layout::row_major, least_gain),
                              best_kernel(call, Layout::channels_last, least_gain), 0};
    const TimedCall::Time *row_major = call.fastest(Layout::row_major), *last = call.fastest(Layout::channels_last);
    if (row_major && last && nanoseconds_per_byte > 0) {
      const double gain = row_major->median() - last->median();
      if (std::abs(gain) > least_gain * std::max(row_major->median(), last->median()))
        preference.channels_last_bytes = std::int64_t(
            std::clamp(gain / nanoseconds_per_byte, -double(most_layout_bytes), double(most_layout_bytes)));
    }
    const auto differs = [&](const std::optional<KernelId>& kernel) { return kernel && *kernel != call.usual; };
    if (differs(preference.row_major) || differs(preference.channels_last) || preference.channels_last_bytes != 0)
      table.emplace(call.text, preference);
  }
  return table;
}

}  // namespace webnn::cli
