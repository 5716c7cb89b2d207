// Traces of a profile for Chrome's and Perfetto's viewers.
#include <functional>

#include "cli/json/json.hpp"
#include "cli/profile/profile_report.hpp"
#include "cli/profile/protobuf_writer.hpp"

namespace webnn::cli {
namespace {

enum class Lane : std::uint8_t { phases, runs, steps };
constexpr std::string_view lane_names[] = {"phases", "runs", "steps"};

/// An interval of a trace; nanoseconds since the beginning of the trace.
struct Slice {
  Lane lane = Lane::steps;
  std::string name, category;
  double begin = 0, end = 0;
  const StepProfile* step = nullptr;
};

/// All slices, parents before their contents. The phases come one after another, followed by the runs.
void for_each_slice(const Profile& profile, const std::function<void(const Slice&)>& take) {
  double at = 0;
  for (std::size_t i = 0; i < profile.phases.size(); ++i) {
    const Phase& phase = profile.phases[i];
    if (phase.is_pass) continue;
    const double end = at + phase.milliseconds * 1e6;
    take({Lane::phases, phase.name, "phase", at, end, nullptr});
    double inner = at;
    for (std::size_t k = i + 1; k < profile.phases.size() && profile.phases[k].is_pass; ++k) {
      const double inner_end = std::min(end, inner + profile.phases[k].milliseconds * 1e6);
      take({Lane::phases, profile.phases[k].name, "pass", inner, inner_end, nullptr});
      inner = inner_end;
    }
    at = end;
  }
  for (std::size_t i = 0; i < profile.traced.size(); ++i) {
    const TracedRun& run = profile.traced[i];
    take({Lane::runs, "run " + std::to_string(i), "run", at + run.begin, at + run.end, nullptr});
    for (std::size_t k = 0; k < run.steps.size(); ++k) {
      const StepProfile& step = profile.steps[k];
      take({Lane::steps, operators_text(step) + " " + step.label, step.is_reorder ? "reorder" : "step",
            at + double(run.steps[k].begin), at + double(run.steps[k].end), &step});
    }
  }
}

/// What viewers show for a step.
std::vector<std::pair<std::string, std::string>> words_of(const StepProfile& step) {
  return {{"kernel", step.kernel}, {"layout", step.layout}, {"from", sources_text(step)}};
}

constexpr std::uint64_t process_track = 1, first_lane_track = 10;

ProtobufMessage packet_at(double nanoseconds) {
  ProtobufMessage packet;
  packet.number(8, std::uint64_t(nanoseconds)).number(10, 1);  // timestamp, trusted_packet_sequence_id
  return packet;
}

}  // namespace

std::string chrome_trace(const Profile& profile) {
  Json events = Json::array();
  const auto name_event = [&](const char* what, int thread, std::string_view name) {
    events.push_back({{"ph", "M"}, {"name", what}, {"pid", 1}, {"tid", thread}, {"args", {{"name", name}}}});
  };
  name_event("process_name", 0, "webnn-cli " + profile.model);
  for (int lane = 0; lane < int(std::size(lane_names)); ++lane) name_event("thread_name", lane, lane_names[lane]);
  for_each_slice(profile, [&](const Slice& slice) {
    Json event{{"ph", "X"},
               {"name", slice.name},
               {"cat", slice.category},
               {"pid", 1},
               {"tid", int(slice.lane)},
               {"ts", slice.begin * 1e-3},
               {"dur", (slice.end - slice.begin) * 1e-3}};
    if (slice.step) {
      Json words;
      for (const auto& [key, word] : words_of(*slice.step)) words[key] = word;
      words["flops"] = slice.step->cost.flops;
      words["bytes"] = slice.step->cost.bytes;
      event["args"] = std::move(words);
    }
    events.push_back(std::move(event));
  });
  return Json{{"schema", "webnn-cli/trace/1"}, {"displayTimeUnit", "ns"}, {"traceEvents", std::move(events)}}.dump(1) +
         "\n";
}

// Field numbers are those of perfetto/protos/perfetto/trace: trace.proto, trace_packet.proto, track_descriptor.proto,
// track_event.proto, debug_annotation.proto.
std::string perfetto_trace(const Profile& profile) {
  ProtobufMessage trace;
  const auto add_track = [&](const ProtobufMessage& descriptor) {
    ProtobufMessage packet = packet_at(0);
    trace.message(1, packet.message(60, descriptor));
  };
  ProtobufMessage process, process_descriptor;
  process_descriptor.number(1, 1).text(6, "webnn-cli " + profile.model);  // pid, process_name
  add_track(process.number(1, process_track).message(3, process_descriptor));
  for (std::size_t lane = 0; lane < std::size(lane_names); ++lane) {
    ProtobufMessage track, thread;
    thread.number(1, 1).number(2, lane + 2).text(5, lane_names[lane]);  // pid, tid, thread_name
    add_track(track.number(1, first_lane_track + lane).number(5, process_track).message(4, thread));
  }
  constexpr std::uint64_t slice_begin = 1, slice_end = 2;
  std::vector<std::pair<Lane, double>> open;  // ends of the slices that contain the next one
  const auto close_until = [&](Lane lane, double begin) {
    while (!open.empty() && (open.back().first != lane || open.back().second <= begin)) {
      ProtobufMessage packet = packet_at(open.back().second), event;
      event.number(9, slice_end).number(11, first_lane_track + std::uint64_t(open.back().first));
      trace.message(1, packet.message(11, event));
      open.pop_back();
    }
  };
  for_each_slice(profile, [&](const Slice& slice) {
    close_until(slice.lane, slice.begin);
    ProtobufMessage packet = packet_at(slice.begin), event;
    event.number(9, slice_begin).number(11, first_lane_track + std::uint64_t(slice.lane));
    event.text(22, slice.category).text(23, slice.name);
    if (slice.step) {
      for (const auto& [key, word] : words_of(*slice.step)) {
        ProtobufMessage annotation;
        event.message(4, annotation.text(10, key).text(6, word));
      }
      ProtobufMessage flops, bytes;
      event.message(4, flops.text(10, "flops").number(3, slice.step->cost.flops));
      event.message(4, bytes.text(10, "bytes").number(3, slice.step->cost.bytes));
    }
    trace.message(1, packet.message(11, event));
    open.emplace_back(slice.lane, slice.end);
  });
  close_until(Lane::phases, 1e300);
  return trace.bytes();
}

}  // namespace webnn::cli
