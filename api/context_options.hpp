// What a context is opened with.
#pragma once

#include <cstdint>
#include <string>

namespace webnn {

struct ContextOptions {
  std::string device = "cpu";  // "cpu:PROVIDER" prefers one provider's kernels; "gpu", "gpu:N"; "auto"
  std::string isa = "native";  // the most that kernels may use: baseline, avx2, avx512, amx, native
  unsigned threads = 0;        // 0: as many as the process may run at once
  std::uint64_t maxMemory =
      0;  // bytes that a graph's weights, intermediates, scratch, inputs and outputs may take; 0: no limit
  bool gpuValidation = false;       // the Vulkan validation layers watch every call; what they say is an error
  bool cpuFallback = false;         // calls that a GPU has no kernel for run on the CPU, which a GPU waits for
  std::string gpuCacheFolder = {};  // where a GPU's compiled shaders are kept for later contexts; empty: nowhere
};

}  // namespace webnn
