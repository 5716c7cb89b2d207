// Describes this machine's CPU for people who ask what graphs will run on.
#pragma once

#include <cstdint>
#include <string>

#include "runtime/threads/processors.hpp"

namespace webnn::cli {

struct ThisCpu {
  std::string name;                // "unknown" if it has none
  unsigned cores = 0;              // physical cores of the machine
  unsigned processors = 0;         // logical processors of the system
  std::uint64_t memory_bytes = 0;  // of the machine; 0: unknown
  runtime::ThreadLimit threads;    // default number of threads, and what limits it
};

/// `root` is the folder with proc and sys, for tests.
ThisCpu this_cpu(const std::string& root = "");

/// "Intel Xeon, 2 cores, 4 processors, 7.8 GiB of memory"
std::string text_of(const ThisCpu& cpu);
/// "2 threads by default: 2 cores"
std::string threads_text(const runtime::ThreadLimit& limit);

}  // namespace webnn::cli
