#include "cli/this_cpu.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "cli/output/summary.hpp"
#include "runtime/cpu/cpu_features.hpp"
#include "schema/text.hpp"

namespace webnn::cli {
namespace {

namespace fs = std::filesystem;

/// The number behind `key` in a file with lines "KEY: NUMBER ..."; 0 if it is not there.
std::uint64_t number_behind(const fs::path& file, const std::string& key) {
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    std::istringstream words(line);
    std::string name;
    std::uint64_t number = 0;
    if (words >> name >> number && name == key) return number;
  }
  return 0;
}

/// Processors with the same list of siblings belong to one core.
void count_cores(const fs::path& folder, ThisCpu& cpu) {
  std::set<std::string> cores;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    std::string siblings;
    std::ifstream file(entry.path() / "topology/thread_siblings_list");
    if (!std::getline(file, siblings)) continue;
    cores.insert(siblings);
    ++cpu.processors;
  }
  cpu.cores = unsigned(cores.size());
}

}  // namespace

ThisCpu this_cpu(const std::string& root) {
  ThisCpu cpu;
  cpu.name = runtime::cpu_model_name();
  count_cores(root + "/sys/devices/system/cpu", cpu);
  cpu.memory_bytes = number_behind(root + "/proc/meminfo", "MemTotal:") * 1024;
  cpu.threads = runtime::thread_limit(root);
  return cpu;
}

std::string text_of(const ThisCpu& cpu) {
  std::string text = cpu.name;
  if (cpu.cores != 0) text += ", " + schema::counted(cpu.cores, "core");
  if (cpu.processors > cpu.cores) text += " with " + schema::counted(cpu.processors, "processor");
  if (cpu.memory_bytes != 0) text += ", " + size_text(cpu.memory_bytes) + " of memory";
  return text;
}

std::string threads_text(const runtime::ThreadLimit& limit) {
  return schema::counted(limit.threads, "thread") + " by default: " + limit.reason;
}

}  // namespace webnn::cli
