// The options for opening a context.
#pragma once

#include <cstdint>
#include <string>

namespace webnn {

struct ContextOptions {
  std::string device = "cpu";  // "cpu:PROVIDER" prefers one provider's kernels; "gpu", "gpu:N"; "auto"
  std::string isa = "native";  // instruction sets that kernels may use: baseline; avx2, avx512, amx; neon; native
  unsigned threads = 0;        // 0: as many as the process can run at the same time
  // Limit for the memory of a graph, in bytes: what it takes while it is compiled (constants that are filled, folded or
  // packed), and its weights, intermediates, scratch, prepared tables, inputs and outputs when it runs; 0: no limit.
  std::uint64_t maxMemory = 0;
  bool gpuValidation = false;       // enables the Vulkan validation layers; their messages become errors
  bool cpuFallback = false;         // calls without a GPU kernel run on the CPU, while the GPU waits
  std::string gpuCacheFolder = {};  // keeps a GPU's compiled shaders for later contexts; empty: nowhere
  // Limit for the work of one run of a graph, arithmetic operations plus bytes read and written, known before anything
  // runs; 0: no limit.
  std::uint64_t maxWork = 0;
};

}  // namespace webnn
