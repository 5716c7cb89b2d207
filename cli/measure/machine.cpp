#include "cli/measure/machine.hpp"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <link.h>
#include <malloc.h>
#include <sched.h>
#include <sstream>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>

namespace webnn::cli {
namespace {

namespace fs = std::filesystem;

std::string first_line(const fs::path& file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  return line;
}

/// The rest of the line that begins with `key`, behind its colon and blanks.
std::string field(const fs::path& file, std::string_view key) {
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    if (!line.starts_with(key)) continue;
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    const std::size_t text = line.find_first_not_of(" \t", colon + 1);
    return text == std::string::npos ? std::string() : line.substr(text);
  }
  return {};
}

std::uint64_t status_bytes(std::string_view key) {
  std::istringstream text(field("/proc/self/status", key));
  std::uint64_t kibibytes = 0;
  text >> kibibytes;
  return kibibytes * 1024;
}

/// The number in a text that contains something else too.
double number_in(const std::string& text) {
  std::istringstream stream(text);
  double value = 0;
  stream >> value;
  return value;
}

std::string one_decimal(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", value);
  return text;
}

unsigned usable_processors() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return unsigned(CPU_COUNT(&set));
  return unsigned(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
}

/// Loads the code of the program or of a library into memory, so that it is not counted later. Without the system's
/// help (Linux 5.14), it is counted for whoever uses it first.
int load_segments(dl_phdr_info* object, std::size_t, void*) {
#ifdef MADV_POPULATE_READ
  const auto page = std::uintptr_t(sysconf(_SC_PAGESIZE));
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const auto& segment = object->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD) continue;
    const std::uintptr_t begin = (object->dlpi_addr + segment.p_vaddr) / page * page;
    const std::uintptr_t end = object->dlpi_addr + segment.p_vaddr + segment.p_memsz;
    madvise(reinterpret_cast<void*>(begin), end - begin, MADV_POPULATE_READ);
  }
#else
  (void)object;
#endif
  return 0;
}

constexpr bool built_with_sanitizer() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return true;
#else
  return false;
#endif
}

constexpr bool built_with_assertions() {
#ifdef NDEBUG
  return false;
#else
  return true;
#endif
}

}  // namespace

Machine this_machine(const fs::path& root) {
  Machine machine;
  char host[256] = {};
  if (gethostname(host, sizeof host - 1) == 0) machine.host = host;
  machine.processor = field(root / "proc/cpuinfo", "model name");
  machine.processors = usable_processors();
  machine.default_threads = runtime::thread_limit();
  machine.megahertz = number_in(field(root / "proc/cpuinfo", "cpu MHz"));
  std::istringstream load(first_line(root / "proc/loadavg"));
  for (double value = 0; machine.load.size() < 3 && load >> value;) machine.load.push_back(value);
  machine.governor = first_line(root / "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
  return machine;
}

std::vector<std::string> doubts_about(const Machine& machine, unsigned threads) {
  std::vector<std::string> doubts;
  if (built_with_sanitizer()) doubts.emplace_back("this is a build with sanitizers, which is many times slower");
  if (built_with_assertions()) doubts.emplace_back("this is a build with assertions, which is slower");
  if (!machine.governor.empty() && machine.governor != "performance")
    doubts.push_back("the clock rate may change while it is measured: the frequency governor is '" + machine.governor +
                     "', not 'performance'");
  if (threads > machine.processors)
    doubts.push_back(std::to_string(threads) + " threads share " + std::to_string(machine.processors) + " processors");
  if (!machine.load.empty() && machine.load[0] > 0.5)
    doubts.push_back("other work is running: the load average was " + one_decimal(machine.load[0]) + " before");
  return doubts;
}

std::uint64_t resident_bytes() { return status_bytes("VmRSS"); }
std::uint64_t peak_resident_bytes() { return status_bytes("VmHWM"); }

bool reset_peak_memory() {
  malloc_trim(0);
  dl_iterate_phdr(load_segments, nullptr);
  std::ofstream stream("/proc/self/clear_refs");
  stream << "5";
  stream.flush();
  return stream.good();
}

double processor_nanoseconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return double(time.tv_sec) * 1e9 + double(time.tv_nsec);
}

}  // namespace webnn::cli
