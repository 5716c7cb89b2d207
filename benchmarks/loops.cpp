// benchmark-loops: what a loop costs beside its work, by the pool of this project, by OpenMP, and by oneTBB where it is
// installed. Two threads; times are microseconds of a loop.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <omp.h>
#include <string>
#include <thread>
#include <vector>

#include "runtime/threads/parallel.hpp"
#ifdef WEBNN_HAS_TBB
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#endif

namespace {

using Clock = std::chrono::steady_clock;

double microseconds_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
}

thread_local volatile double sink;
/// A chain of `steps` operations, which no compiler shortens.
void work(std::size_t steps) {
  double x = 1;
  for (std::size_t i = 0; i < steps; ++i) x = x * 1.0000001 + 1e-9;
  sink = x;
}

constexpr std::size_t pieces = 16;

/// What is measured: loops of so many microseconds of work each.
struct Case {
  const char* name;
  double loop;           // microseconds of work
  std::size_t in_a_row;  // loops that are timed together
  double before;         // microseconds of serial work before
  bool asleep;           // a millisecond of sleep before
  std::size_t times;
};
constexpr Case cases[] = {
    {"20 us, one after another", 20, 1, 0, false, 5000}, {"20 us, after 50 us alone", 20, 1, 50, false, 2000},
    {"20 us, helpers asleep", 20, 1, 0, true, 500},      {"200 us, helpers asleep", 200, 1, 0, true, 500},
    {"1,000 of 5 us in a row", 5, 1000, 0, false, 100},  {"100 of 100 us in a row", 100, 100, 0, false, 50},
};

/// `loop(steps)` does work(steps) in pieces.
template <class Loop>
void measure(const char* name, double steps_of_microsecond, Loop loop) {
  for (const Case& one : cases) {
    const auto steps = std::size_t(one.loop * steps_of_microsecond);
    std::vector<double> times;
    for (std::size_t i = 0; i < one.times; ++i) {
      if (one.asleep) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      work(std::size_t(one.before * steps_of_microsecond));
      const Clock::time_point begin = Clock::now();
      for (std::size_t k = 0; k < one.in_a_row; ++k) loop(steps);
      times.push_back(microseconds_since(begin) / double(one.in_a_row));
    }
    double mean = 0;
    for (const double time : times) mean += time / double(times.size());
    std::sort(times.begin(), times.end());
    std::printf("%-10s %-26s mean %8.2f  p50 %8.2f  p99 %8.2f  max %8.1f\n", name, one.name, mean,
                times[times.size() / 2], times[times.size() * 99 / 100], times.back());
  }
}

}  // namespace

int main() {
  const Clock::time_point begin = Clock::now();
  work(20'000'000);
  const double steps = 20'000'000 / microseconds_since(begin);
  measure("one thread", steps, [](std::size_t all) { work(all); });
  {
    const webnn::runtime::Team team(2);
    measure("own", steps, [](std::size_t all) {
      webnn::runtime::parallel_for(pieces, 1,
                                   [=](std::size_t first, std::size_t last) { work(all / pieces * (last - first)); });
    });
  }
#ifdef WEBNN_HAS_TBB
  tbb::task_arena arena(2, 1);
  measure("oneTBB", steps, [&](std::size_t all) {
    arena.execute([&] { tbb::parallel_for(std::size_t{0}, pieces, [&](std::size_t) { work(all / pieces); }); });
  });
#endif
  measure("OpenMP", steps, [](std::size_t all) {
#pragma omp parallel num_threads(2)
    work(all / 2);
  });
  return 0;
}
