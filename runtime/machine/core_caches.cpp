#include "runtime/machine/core_caches.hpp"

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

namespace webnn::runtime {
namespace {

std::string line_of(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

/// How many cores have the processors of a list ("0-3,8"): those of one core are siblings.
std::size_t cores_of(const std::string& list, const std::string& system) {
  constexpr int most_processors = 4096;
  std::set<std::string> cores;
  std::istringstream ranges(list);
  for (std::string range; std::getline(ranges, range, ',');) {
    int first = 0, last = 0;
    char dash = 0;
    std::istringstream numbers(range);
    if (!(numbers >> first)) continue;
    if (!(numbers >> dash >> last)) last = first;
    for (int processor = first; processor <= std::min(last, most_processors); ++processor) {
      const std::string siblings = line_of(system + std::to_string(processor) + "/topology/thread_siblings_list");
      cores.insert(siblings.empty() ? std::to_string(processor) : siblings);
    }
  }
  return std::max<std::size_t>(cores.size(), 1);
}

}  // namespace

/// A folder describes each cache of the first processor.
CoreCaches read_core_caches(const std::string& root) {
  CoreCaches caches;
  const std::string system = root + "/sys/devices/system/cpu/cpu";
  for (int index = 0; index < 8; ++index) {
    const std::string folder = system + "0/cache/index" + std::to_string(index) + "/";
    const auto read = [&](const char* name, auto&& value) { return bool(std::ifstream(folder + name) >> value); };
    int level = 0;
    std::string type;
    std::size_t kibibytes = 0;  // "48K"
    if (!read("level", level) || !read("type", type) || !read("size", kibibytes) || kibibytes == 0) continue;
    if (type == "Instruction" || level > 2 || kibibytes > 1024 * 1024) continue;
    (level == 1 ? caches.l1 : caches.l2) = kibibytes * 1024 / cores_of(line_of(folder + "shared_cpu_list"), system);
  }
  return caches;
}

const CoreCaches& core_caches() {
  static const CoreCaches caches = read_core_caches("");
  return caches;
}

}  // namespace webnn::runtime
