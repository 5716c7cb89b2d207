// What files of the system say: how many threads a process may use (quotas of control groups), and the caches of a core.
#include "runtime/threads/processors.hpp"

#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <sched.h>
#include <thread>
#include <unistd.h>

#include "runtime/machine/core_caches.hpp"

namespace processors_test {

using namespace webnn::runtime;

namespace {

/// A folder that plays the system's proc and sys.
class FakeSystem {
 public:
  FakeSystem() : root_(std::filesystem::temp_directory_path() / ("webnn-processors-" + std::to_string(::getpid()))) {
    std::filesystem::remove_all(root_);
  }
  ~FakeSystem() { std::filesystem::remove_all(root_); }
  void write(const std::string& path, const std::string& text) const {
    const std::filesystem::path file = root_ / path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  std::string path() const { return root_.string(); }

 private:
  std::filesystem::path root_;
};

constexpr const char* second_version = "30 23 0:26 / /sys/fs/cgroup rw shared:4 - cgroup2 cgroup2 rw\n";
constexpr const char* first_version =
    "31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw\n"
    "32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n"
    "33 31 0:31 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n";

}  // namespace

TEST_CASE("processors: no control groups, or groups without a quota, grant everything") {
  const FakeSystem system;
  CHECK_FALSE(processor_quota(system.path()));
  system.write("proc/self/mountinfo", second_version);
  system.write("proc/self/cgroup", "0::/user\n");
  CHECK_FALSE(processor_quota(system.path()));
  system.write("sys/fs/cgroup/user/cpu.max", "max 100000\n");
  CHECK_FALSE(processor_quota(system.path()));
  system.write("sys/fs/cgroup/user/cpu.max", "nonsense\n");
  CHECK_FALSE(processor_quota(system.path()));
}

TEST_CASE("processors: version 2 grants the least of a group and those above it") {
  const FakeSystem system;
  system.write("proc/self/mountinfo", second_version);
  system.write("proc/self/cgroup", "0::/a/b\n");
  system.write("sys/fs/cgroup/a/b/cpu.max", "150000 100000\n");
  CHECK(processor_quota(system.path()) == 1.5);
  system.write("sys/fs/cgroup/a/cpu.max", "50000 100000\n");
  CHECK(processor_quota(system.path()) == 0.5);
  CHECK(thread_limit(system.path()).threads == 1);
  CHECK(thread_limit(system.path()).reason == "a quota of 0.5 processors");
}

TEST_CASE("processors: a container sees its own group as the root") {
  const FakeSystem system;
  system.write("proc/self/mountinfo", second_version);
  system.write("proc/self/cgroup", "0::/\n");
  system.write("sys/fs/cgroup/cpu.max", "50000 100000\n");
  CHECK(processor_quota(system.path()) == 0.5);
  // A group that is not in the container's view: what is mounted counts.
  system.write("proc/self/cgroup", "0::/docker/1234\n");
  CHECK(processor_quota(system.path()) == 0.5);
}

TEST_CASE("processors: version 1 has the quota in two files") {
  const FakeSystem system;
  system.write("proc/self/mountinfo", first_version);
  system.write("proc/self/cgroup", "4:memory:/x\n3:cpu,cpuacct:/box\n2:cpuset:/\n0::/\n");
  const std::string folder = "sys/fs/cgroup/cpu,cpuacct/";
  system.write(folder + "box/cpu.cfs_quota_us", "-1\n");
  system.write(folder + "box/cpu.cfs_period_us", "100000\n");
  CHECK_FALSE(processor_quota(system.path()));
  system.write(folder + "box/cpu.cfs_quota_us", "125000\n");
  CHECK(processor_quota(system.path()) == 1.25);
}

TEST_CASE("processors: siblings on one core count once, and never more than the affinity allows") {
  const FakeSystem system;
  const unsigned here = thread_limit(system.path()).threads;  // no siblings known
  for (int processor = 0; processor < 1024; ++processor)
    system.write("sys/devices/system/cpu/cpu" + std::to_string(processor) + "/topology/thread_siblings_list",
                 "0-1023\n");
  CHECK(thread_limit(system.path()).threads == 1);

  cpu_set_t before;
  REQUIRE(sched_getaffinity(0, sizeof before, &before) == 0);
  CHECK(here == unsigned(CPU_COUNT(&before)));
  cpu_set_t one;
  CPU_ZERO(&one);
  for (int processor = 0; CPU_COUNT(&one) == 0; ++processor)
    if (CPU_ISSET(processor, &before)) CPU_SET(processor, &one);
  const auto limit_where_bound = [&](pid_t thread) {
    sched_setaffinity(thread, sizeof one, &one);
    const ThreadLimit limit = thread_limit();
    sched_setaffinity(thread, sizeof before, &before);
    return limit;
  };
  // What one thread of many is bound to is its own; the first one's holds for the process, as taskset has it.
  unsigned of_other_thread = 0;
  std::thread([&] { of_other_thread = limit_where_bound(0).threads; }).join();
  CHECK(of_other_thread == thread_limit().threads);
  const auto [threads, reason] = limit_where_bound(getpid());
  CHECK(threads == 1);
  if (here > 1) CHECK(reason == "1 core, all that its affinity allows");
}

TEST_CASE("processors: a thread leaves its processor for another, and may come back") {
  cpu_set_t before, after;
  REQUIRE(sched_getaffinity(getpid(), sizeof before, &before) == 0);
  bool has_left = false;
  std::thread([&] {
    for (int i = 0; i < 100 && !has_left; ++i) {  // the system may move it back at once
      const int here = current_processor();
      leave_processor();
      has_left = current_processor() != here;
    }
    sched_getaffinity(0, sizeof after, &after);
  }).join();
  CHECK(has_left == (CPU_COUNT(&before) > 1));
  CHECK(CPU_EQUAL(&before, &after));
}

TEST_CASE("processors: of a cache that several cores share, one core has its part") {
  const FakeSystem system;
  CHECK(read_core_caches(system.path()).l2 == CoreCaches().l2);
  const std::string processors = "sys/devices/system/cpu/cpu";
  const auto cache = [&](int index, const char* level, const char* type, const char* size, const char* shared) {
    const std::string folder = processors + "0/cache/index" + std::to_string(index) + "/";
    system.write(folder + "level", level);
    system.write(folder + "type", type);
    system.write(folder + "size", size);
    system.write(folder + "shared_cpu_list", shared);
  };
  cache(0, "1", "Data", "48K\n", "0,4\n");
  cache(1, "1", "Instruction", "64K\n", "0,4\n");
  cache(2, "2", "Unified", "2048K\n", "0-1,4-5\n");
  cache(3, "3", "Unified", "32768K\n", "0-7\n");
  for (int processor = 0; processor < 8; ++processor) {
    const int first = processor % 4;
    system.write(processors + std::to_string(processor) + "/topology/thread_siblings_list",
                 std::to_string(first) + "," + std::to_string(first + 4) + "\n");
  }
  CHECK(read_core_caches(system.path()).l1 == 48 * 1024);
  CHECK(read_core_caches(system.path()).l2 == 1024 * 1024);  // two cores
}

}  // namespace processors_test
