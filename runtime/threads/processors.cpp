#include "runtime/threads/processors.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <optional>
#include <sched.h>
#include <set>
#include <sstream>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace webnn::runtime {
namespace {

/// The first line of a file; empty when it cannot be read.
std::string line_of(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

std::optional<double> number_of(const std::string& text) {
  double number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  return problem == std::errc() && end != text.data() ? std::optional(number) : std::nullopt;
}

std::optional<double> quota_of(const std::string& quota, const std::string& period) {
  const auto microseconds = number_of(quota), of = number_of(period);
  if (!microseconds || !of || *microseconds <= 0 || *of <= 0) return std::nullopt;  // "max", -1
  return *microseconds / *of;
}

/// A mounted cgroup hierarchy that may limit processors, and this process's group in it.
struct Hierarchy {
  bool is_second_version;
  std::string mount;  // folder
  std::string shown;  // the group mounted there
  std::string group;
};

bool names(const std::string& list, std::string_view word) {
  std::istringstream words(list);
  for (std::string one; std::getline(words, one, ',');)
    if (one == word) return true;
  return false;
}

/// proc/self/mountinfo: "31 23 0:28 GROUP FOLDER OPTIONS .. - cgroup2 SOURCE OPTIONS".
std::vector<Hierarchy> hierarchies(const std::string& root) {
  std::vector<Hierarchy> found;
  std::ifstream mounts(root + "/proc/self/mountinfo");
  for (std::string line; std::getline(mounts, line);) {
    const std::size_t dash = line.find(" - ");
    if (dash == std::string::npos) continue;
    std::istringstream before(line.substr(0, dash)), after(line.substr(dash + 3));
    std::string skipped, shown, folder, type, source, options;
    before >> skipped >> skipped >> skipped >> shown >> folder;
    after >> type >> source >> options;
    if (type == "cgroup2" || (type == "cgroup" && names(options, "cpu")))
      found.push_back({type == "cgroup2", root + folder, shown, "/"});
  }
  std::ifstream groups(root + "/proc/self/cgroup");  // "4:cpu,cpuacct:GROUP", "0::GROUP"
  for (std::string line; std::getline(groups, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    for (Hierarchy& hierarchy : found)
      if (hierarchy.is_second_version ? controllers.empty() : names(controllers, "cpu"))
        hierarchy.group = line.substr(second + 1);
  }
  return found;
}

std::optional<double> quota_of_folder(const Hierarchy& hierarchy, const std::string& folder) {
  if (!hierarchy.is_second_version)
    return quota_of(line_of(folder + "/cpu.cfs_quota_us"), line_of(folder + "/cpu.cfs_period_us"));
  std::istringstream line(line_of(folder + "/cpu.max"));
  std::string quota, period;
  line >> quota >> period;
  return quota_of(quota, period);
}

/// The processors that the process may run on, as the system reports them. Unlike cpu_set_t it holds any number of
/// processors, and it allocates nothing, because helpers may start while a kernel runs.
class ProcessorSet {
 public:
  ProcessorSet() : known_(sched_getaffinity(getpid(), sizeof bits_, data()) == 0) {}
  bool known() const { return known_; }
  cpu_set_t* data() { return reinterpret_cast<cpu_set_t*>(bits_.data()); }
  static constexpr std::size_t bytes() { return sizeof bits_; }
  std::vector<int> members() {
    std::vector<int> processors;
    for (std::size_t i = 0; known_ && i < 8 * bytes(); ++i)
      if (CPU_ISSET_S(i, bytes(), data())) processors.push_back(int(i));
    return processors;
  }

 private:
  std::array<unsigned long, 512> bits_{};
  bool known_;
};

constinit std::atomic<unsigned> learned{0};

std::string counted(std::size_t count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

}  // namespace

std::optional<double> processor_quota(const std::string& root) {
  std::optional<double> least;
  for (const Hierarchy& hierarchy : hierarchies(root)) {
    std::string group = hierarchy.group;
    if (hierarchy.shown != "/" && group.starts_with(hierarchy.shown)) group.erase(0, hierarchy.shown.size());
    // Applies the group's own quota and those of all parent groups. A container may name a group that is not visible in
    // it.
    for (;;) {
      const auto quota = quota_of_folder(hierarchy, hierarchy.mount + group);
      if (quota && (!least || *quota < *least)) least = quota;
      if (group.empty() || group == "/") break;
      group.erase(group.rfind('/') == std::string::npos ? 0 : group.rfind('/'));
    }
  }
  return least;
}

namespace {

std::optional<ThreadLimit>& kept_limit() {
  static std::optional<ThreadLimit> limit;
  return limit;
}

}  // namespace

void keep_thread_limit(ThreadLimit limit) { kept_limit() = std::move(limit); }

ThreadLimit thread_limit(const std::string& root) {
  if (root.empty() && kept_limit()) return *kept_limit();
  const std::vector<int> allowed = ProcessorSet().members();
  const auto online = std::size_t(std::max(sysconf(_SC_NPROCESSORS_ONLN), 1l));
  const std::size_t processors = allowed.empty() ? online : allowed.size();
  std::set<std::string> cores;
  for (const int processor : allowed) {
    const std::string siblings =
        line_of(root + "/sys/devices/system/cpu/cpu" + std::to_string(processor) + "/topology/thread_siblings_list");
    cores.insert(siblings.empty() ? std::to_string(processor) : siblings);
  }
  ThreadLimit limit;
  limit.threads = unsigned(cores.empty() ? processors : cores.size());
  limit.reason = counted(limit.threads, "core");
  if (processors < online) limit.reason += ", all that its affinity allows";
  if (limit.threads < processors) limit.reason += " with " + counted(processors, "processor");
  if (const auto quota = processor_quota(root); quota && *quota < limit.threads) {
    limit.threads = std::max(unsigned(*quota), 1u);
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", *quota);
    limit.reason = "a quota of " + std::string(text) + (*quota == 1 ? " processor" : " processors");
  }
  return limit;
}

void run_on_all_processors() {
  ProcessorSet all;
  if (all.known()) sched_setaffinity(0, ProcessorSet::bytes(), all.data());
}

int current_processor() { return sched_getcpu(); }

int current_thread() { return int(syscall(SYS_gettid)); }

namespace {

/// Returns whether there are other processors.
bool moves_off(int thread, int processor) {
  ProcessorSet others;
  if (processor < 0 || !others.known()) return false;
  CPU_CLR_S(std::size_t(processor), ProcessorSet::bytes(), others.data());
  return sched_setaffinity(thread, ProcessorSet::bytes(), others.data()) == 0;
}

}  // namespace

void keep_off(int thread, int processor) { moves_off(thread, processor); }

void leave_processor() {
  if (moves_off(0, current_processor())) run_on_all_processors();
}

void learn_threads() {
  if (learned_threads() == 0) learned.store(available_threads(), std::memory_order_relaxed);
}
unsigned learned_threads() { return learned.load(std::memory_order_relaxed); }

unsigned available_threads() { return thread_limit().threads; }

}  // namespace webnn::runtime
