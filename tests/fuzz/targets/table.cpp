// The table of the targets beyond the readers.
#include "tests/fuzz/whole_targets.hpp"

namespace webnn::tests {

std::span<const WholeTarget> whole_targets() {
  static constexpr WholeTarget table[] = {
      {"kernel", "", fuzz_kernel, 2000},
      {"gpu_kernel", "", fuzz_gpu_kernel, 8, true},
      {"compile", "seeds/compile", fuzz_compile, 150},
      {"program_run", "", fuzz_program_run, 3000},
      {"sequence", "", fuzz_sequence, 200},
      {"picture", "seeds/picture", fuzz_picture, 500},
      {"vectors", "seeds/vectors", fuzz_vectors, 500},
      {"tuning", "seeds/tuning", fuzz_tuning, 1000},
      {"baseline", "seeds/baseline", fuzz_baseline, 1000},
      {"shader_cache", "", fuzz_shader_cache, 5000},
      {"changing", "", fuzz_changing, 40},
  };
  return table;
}

}  // namespace webnn::tests
