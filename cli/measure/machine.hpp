// The machine as far as measurements depend on it: what makes them doubtful, memory of this process, processor time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "runtime/threads/processors.hpp"

namespace webnn::cli {

struct Machine {
  std::string host, processor;
  unsigned processors = 0;  // that this process may use
  runtime::ThreadLimit default_threads;
  double megahertz = 0;      // 0: not known
  std::vector<double> load;  // average number of running processes over 1, 5 and 15 minutes
  std::string governor;      // of frequency scaling; empty: none is seen
};
/// `root` is where /proc and /sys are, for tests.
Machine this_machine(const std::filesystem::path& root = "/");

/// What makes a measurement with `threads` threads doubtful before it has begun; a sentence each.
std::vector<std::string> doubts_about(const Machine& machine, unsigned threads);

/// Memory of this process that lies in RAM, in bytes; 0: not known.
std::uint64_t resident_bytes();
/// The most since the process began or since `reset_peak_memory`.
std::uint64_t peak_resident_bytes();
/// Memory that was freed goes back to the system first, so that what is taken anew counts anew, and code is loaded, so
/// that it does not count for whoever uses it first. False when the system
/// does not allow it; then the peak is that of the whole process.
bool reset_peak_memory();

/// Nanoseconds that all threads of this process have spent on processors.
double processor_nanoseconds();

}  // namespace webnn::cli
