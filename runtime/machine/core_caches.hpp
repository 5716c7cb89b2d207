// What kernels are tuned by besides their instruction set: the caches of a core.
#pragma once

#include <cstddef>
#include <string>

namespace webnn::runtime {

/// Bytes of data that a core has for itself: of a cache that several cores share, its part. Where the system does not tell,
/// those of a common core.
struct CoreCaches {
  std::size_t l1 = 32 * 1024, l2 = 512 * 1024;
};

/// The caches of this machine's first core. The first call reads files, so kernels ask when they are prepared.
const CoreCaches& core_caches();
/// What the files of a system say. `root` is "" except in tests.
CoreCaches read_core_caches(const std::string& root);

}  // namespace webnn::runtime
