#include "runtime/machine/core_caches.hpp"

#include <fstream>
#include <string>

namespace webnn::runtime {
namespace {

/// Fills in what /sys/devices/system/cpu says of the first core: a folder for each of its caches.
CoreCaches read_caches() {
  CoreCaches caches;
  for (int index = 0; index < 8; ++index) {
    const std::string folder = "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index) + "/";
    const auto read = [&](const char* name, auto&& value) { return bool(std::ifstream(folder + name) >> value); };
    int level = 0;
    std::string type;
    std::size_t kibibytes = 0;  // "48K"
    if (!read("level", level) || !read("type", type) || !read("size", kibibytes) || kibibytes == 0) continue;
    if (type == "Instruction" || level > 2 || kibibytes > 1024 * 1024) continue;
    (level == 1 ? caches.l1 : caches.l2) = kibibytes * 1024;
  }
  return caches;
}

}  // namespace

const CoreCaches& core_caches() {
  static const CoreCaches caches = read_caches();
  return caches;
}

}  // namespace webnn::runtime
