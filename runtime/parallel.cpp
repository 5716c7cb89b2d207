// `parallel_for` on OpenMP; on std::thread under the thread sanitizer, to which libgomp's barriers look like races.
#include "runtime/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <omp.h>
#include <thread>

#include "runtime/parallel_team.hpp"

#if defined(__SANITIZE_THREAD__)
#define WEBNN_THREADS_FOR_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define WEBNN_THREADS_FOR_TSAN 1
#endif
#endif

#ifdef WEBNN_THREADS_FOR_TSAN
#include <vector>
#endif

namespace webnn::runtime {
namespace {

/// Threads of loops started by this thread. OpenMP's workers have their own copy, so loops inside loops are serial.
thread_local unsigned current_team = 1;

/// The team of a thread while it runs its part of a loop.
class SerialInside {
 public:
  SerialInside() : former_(std::exchange(current_team, 1u)) {}
  ~SerialInside() { current_team = former_; }

 private:
  unsigned former_;
};

/// One loop on its way: which part each thread takes, and the first exception.
class Loop {
 public:
  Loop(std::size_t count, std::size_t parts, RangeBody body) : count_(count), parts_(parts), body_(body) {}

  /// Runs the part of thread `index` of `threads`; with fewer threads than parts, each takes several.
  void run(std::size_t index, std::size_t threads) {
    try {
      const SerialInside serial;
      for (std::size_t part = index; part < parts_; part += threads) body_(bound(part), bound(part + 1));
    } catch (...) {
      if (!failed_.exchange(true)) failure_ = std::current_exception();
    }
  }
  void rethrow() const {
    if (failed_) std::rethrow_exception(failure_);
  }

 private:
  /// Where part `part` begins: the first `count % parts` parts are one longer.
  std::size_t bound(std::size_t part) const { return part * (count_ / parts_) + std::min(part, count_ % parts_); }

  std::size_t count_, parts_;
  RangeBody body_;
  std::atomic<bool> failed_ = false;
  std::exception_ptr failure_;
};

/// Calls run(index, number of threads) in as many threads, at the same time.
#ifdef WEBNN_THREADS_FOR_TSAN
template <typename Run>
void run_on_team(unsigned threads, Run&& run) {
  std::vector<std::thread> workers;
  for (unsigned i = 1; i < threads; ++i) workers.emplace_back([&run, i, threads] { run(i, threads); });
  run(0u, threads);
  for (std::thread& worker : workers) worker.join();
}
#else
// Always the whole team, even when there is less to do: libgomp ends threads that a smaller region leaves out.
template <typename Run>
void run_on_team(unsigned threads, Run&& run) {
#pragma omp parallel num_threads(threads)
  run(unsigned(omp_get_thread_num()), unsigned(omp_get_num_threads()));
}
#endif

/// Tells the processor that a thread spins.
void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

}  // namespace

Team::Team(unsigned threads)
    : former_(std::exchange(current_team, std::max(threads, 1u))), former_openmp_(omp_get_max_threads()) {
  omp_set_num_threads(int(current_team));  // of this thread only; what oneDNN asks
}

Team::~Team() {
  current_team = former_;
  omp_set_num_threads(former_openmp_);
}

unsigned team_size() { return current_team; }

void parallel_for(std::size_t count, std::size_t grain, RangeBody body) {
  if (count == 0) return;
  const std::size_t pieces = count / std::max<std::size_t>(grain, 1);
  const std::size_t parts = std::min<std::size_t>(current_team, std::max<std::size_t>(pieces, 1));
  if (count <= grain || parts == 1) return body(0, count);
  Loop loop(count, parts, body);
  run_on_team(current_team, [&](unsigned index, unsigned threads) { loop.run(index, threads); });
  loop.rethrow();
}

void Barrier::wait(unsigned members) {
  const unsigned turn = turn_.load(std::memory_order_acquire);
  if (waiting_.fetch_add(1, std::memory_order_acq_rel) + 1 == members) {
    waiting_.store(0, std::memory_order_relaxed);
    turn_.store(turn + 1, std::memory_order_release);
    return;
  }
  constexpr int spins = 5'000;  // then others may need the processor more
  for (int i = 0; turn_.load(std::memory_order_acquire) == turn; ++i)
    if (i < spins) {
      pause();
    } else {
      std::this_thread::yield();
    }
}

void run_team(unsigned most, void (*body)(void*, const TeamMember&), void* object) {
  Barrier barrier;
  if (std::min(most, current_team) <= 1) return body(object, TeamMember(0, 1, barrier));
  run_on_team(current_team, [&](unsigned index, unsigned threads) {
    const SerialInside serial;
    const unsigned members = std::min(most, threads);
    if (index < members) body(object, TeamMember(index, members, barrier));
  });
}

}  // namespace webnn::runtime
