// Targets beyond the readers: kernels, the compiler, programs, the interfaces, files of the command line. Each takes any
// bytes and says which promise is broken; a crash, a hang or a sanitizer's report is a finding, too.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace webnn::tests {

/// One call with attributes over all of u32: each row of the CPU that takes it stays in its memory, ends, and agrees
/// with the reference.
std::string fuzz_kernel(std::string_view content);
/// The same on the first GPU, in buffers that are watched. Nothing where there is none.
std::string fuzz_gpu_kernel(std::string_view content);
/// A graph in any format, or a network that any other bytes choose, through all passes, the loader's proof, and a run:
/// each way to compute it stays within the reference's bounds of rounding.
std::string fuzz_compile(std::string_view content);
/// A correct program whose fields are changed: refused by the proof, or run without harm.
std::string fuzz_program_run(std::string_view content);
/// Calls of the C interface in any order, on several threads.
std::string fuzz_sequence(std::string_view content);
/// PNG and JPEG files, scaled to a tensor.
std::string fuzz_picture(std::string_view content);
/// Conformance and validation vectors.
std::string fuzz_vectors(std::string_view content);
/// Tuning files, which are written again; and baselines of `bench`.
std::string fuzz_tuning(std::string_view content);
std::string fuzz_baseline(std::string_view content);
/// The frame of the GPU's compiled shaders.
std::string fuzz_shader_cache(std::string_view content);
/// A binary graph and a program in memory that changes while they are read.
std::string fuzz_changing(std::string_view content);

struct WholeTarget {
  std::string_view name;
  std::string_view seeds;  // a folder of tests/fuzz; empty: any bytes are choices
  std::string (*check)(std::string_view content);
  int replays;  // inputs made by chance in the normal tests
  bool needs_gpu = false;
};
std::span<const WholeTarget> whole_targets();

/// Whether this machine has a GPU for fuzz_gpu_kernel.
bool has_fuzz_gpu();

}  // namespace webnn::tests
