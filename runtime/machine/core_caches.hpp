// What kernels are tuned by besides their instruction set: the caches of a core.
#pragma once

#include <cstddef>

namespace webnn::runtime {

/// Bytes of data that a core has in its own caches. Where the system does not tell, those of a common core.
struct CoreCaches {
  std::size_t l1 = 32 * 1024, l2 = 512 * 1024;
};

/// The caches of this machine's first core. The first call reads files, so kernels ask when they are prepared.
const CoreCaches& core_caches();

}  // namespace webnn::runtime
