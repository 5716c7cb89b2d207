// Properties of the machine that affect measurements: what makes them doubtful, the memory of this process, processor
// time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "runtime/threads/processors.hpp"

namespace webnn::cli {

struct Machine {
  std::string host, processor;
  unsigned processors = 0;  // available to this process
  runtime::ThreadLimit default_threads;
  double megahertz = 0;      // 0: unknown
  std::vector<double> load;  // average number of running processes over 1, 5 and 15 minutes
  std::string governor;      // of frequency scaling; empty: unknown
};
/// `root` is the folder with proc and sys, for tests.
Machine this_machine(const std::filesystem::path& root = "/");

/// Reasons why a measurement with `threads` threads may be unreliable, a sentence each.
std::vector<std::string> doubts_about(const Machine& machine, unsigned threads);

/// The memory of this process in RAM, in bytes; 0: unknown.
std::uint64_t resident_bytes();
/// The maximum since the process began, or since `reset_peak_memory`.
std::uint64_t peak_resident_bytes();
/// Restarts the measurement of the peak. First returns freed memory to the system, so that new allocations count again,
/// and loads all code, so that it is not counted for whoever uses it first. False when the system does not allow it;
/// then the peak is that of the whole process.
bool reset_peak_memory();

/// Processor time of all threads of this process, in nanoseconds.
double processor_nanoseconds();

}  // namespace webnn::cli
