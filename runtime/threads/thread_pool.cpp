#include "runtime/threads/thread_pool.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cfenv>
#include <csignal>
#include <cstdint>
#include <mutex>
#include <pthread.h>
#include <thread>

#include "runtime/threads/disturbance.hpp"
#include "runtime/threads/futex.hpp"
#include "runtime/threads/processors.hpp"
#include "runtime/threads/shared_loop.hpp"
#include "runtime/threads/spin.hpp"

namespace webnn::runtime {
namespace {

/// The maximum number of loops that helpers see at once; further concurrent loops run in their callers only.
constexpr unsigned most_loops = 32;
/// How long a helper polls for the next loop on an undisturbed machine: about as long as the single-threaded operators
/// of a network take. A sleeping helper would be too late for the loop behind them.
constexpr Clock::duration long_patience = std::chrono::microseconds(500);
/// With more helpers there is an idle processor for most of them.
constexpr unsigned most_kept_off = 4;
/// How long to wait before asking for a thread again after the system has refused one.
constexpr Clock::duration refusal = std::chrono::seconds(1);

class Pool {
 public:
  constexpr Pool() = default;

  void run(unsigned threads, const LoopSizes& sizes, const UnitBody& body) {
    const Running running(running_);
    unsigned members = members_of(threads, sizes.units, running.others());
    if (members > 1 && sizes.worth_waking && helpers() + 1 < members) start_helpers(members - 1);
    const unsigned present = present_helpers();
    members = std::min(members, present + 1);
    SharedLoop* loop = nullptr;
    if (members > 1 && (sizes.worth_waking || sleeping_.load(std::memory_order_relaxed) < present)) loop = free_loop();
    if (!loop) {
      for (std::size_t step = 0; step < sizes.steps; ++step) body(step, 0, sizes.units, 0);
      return;
    }
    loop->publish(members, sizes, body);
    if (sizes.worth_waking) wake(members - 1);
    const Clock::time_point begin = Clock::now();
    loop->run(members);
    if (!loop->had_help(members)) missed_.fetch_add((Clock::now() - begin).count(), std::memory_order_relaxed);
    loop->give_back();
  }

  unsigned helpers() const { return helpers_.load(std::memory_order_relaxed); }

  void rest() {
    if (running_.load(std::memory_order_relaxed) == 0) rests_.fetch_add(1, std::memory_order_relaxed);
  }

  unsigned away() const { return away_.load(std::memory_order_relaxed); }

  void end() {
    {
      const std::lock_guard lock(mutex_);
      ending_.store(1, std::memory_order_release);
    }
    wake_all(ending_);
    news_.fetch_add(1, std::memory_order_release);
    wake_all(news_);
    for (unsigned i = 0; i < helpers(); ++i)
      if (!pthread_equal(threads_[i], pthread_self())) pthread_join(threads_[i], nullptr);
    helpers_.store(0, std::memory_order_relaxed);
  }

  void before_fork() { mutex_.lock(); }
  void after_fork_in_parent() { mutex_.unlock(); }
  /// In the child there are no other threads: neither helpers nor callers of loops.
  void after_fork_in_child() {
    for (std::atomic<unsigned>* count : {&helpers_, &looking_, &sleeping_, &away_, &running_})
      count->store(0, std::memory_order_relaxed);
    for (SharedLoop& loop : loops_) loop.forget();
    start_again_ = {};
    mutex_.unlock();
  }

 private:
  /// Counts the running loops.
  class Running {
   public:
    explicit Running(std::atomic<unsigned>& count)
        : count_(count), others_(count.fetch_add(1, std::memory_order_relaxed)) {}
    ~Running() { count_.fetch_sub(1, std::memory_order_relaxed); }
    unsigned others() const { return others_; }

   private:
    std::atomic<unsigned>& count_;
    unsigned others_;
  };

  /// The helpers that are not away.
  unsigned present_helpers() const {
    const unsigned all = helpers();
    return all - std::min(all, away());
  }

  /// Next to other running loops, only as many threads as there are processors left for them.
  static unsigned members_of(unsigned threads, std::size_t units, unsigned others) {
    const auto members = unsigned(std::min<std::size_t>({threads, units, most_threads_of_loop}));
    const unsigned processors = learned_threads();
    if (others == 0 || processors == 0) return members;
    return std::min(members, processors > others ? processors - others : 1u);
  }

  /// A free slot for a loop; null when all are taken. A thread usually gets the same slot again.
  SharedLoop* free_loop() {
    static thread_local unsigned last = 0;
    for (unsigned i = 0; i < most_loops; ++i) {
      const unsigned index = (last + i) % most_loops;
      if (!loops_[index].take()) continue;
      last = index;
      unsigned known = known_loops_.load(std::memory_order_relaxed);
      while (known <= index && !known_loops_.compare_exchange_weak(known, index + 1)) {
      }
      return &loops_[index];
    }
    return nullptr;
  }

  /// Wakes as many helpers as `wanted` lacks. A helper that counts itself as sleeping before this is counted here; one
  /// that does so later sees the published loop.
  void wake(unsigned wanted) {
    const unsigned sleeping = sleeping_.fetch_add(0, std::memory_order_acq_rel);
    if (sleeping == 0) return;
    news_.fetch_add(1, std::memory_order_release);
    const unsigned looking = looking_.load(std::memory_order_relaxed);
    const unsigned count = std::min(wanted - std::min(looking, wanted), sleeping);
    if (count == 0) return;
    if (sleeping <= most_kept_off) {
      const int here = current_processor();
      for (unsigned i = 0; i < helpers(); ++i) keep_sleeper_off(i, here);
    }
    for (unsigned i = 0; i < count; ++i) wake_one(news_);
  }

  /// A helper that sleeps wakes on another processor. It waits while another thread changes where it may run.
  void keep_sleeper_off(unsigned number, int processor) {
    std::int64_t sleeper = sleepers_[number].load(std::memory_order_relaxed);
    if (sleeper == awake || sleeper == being_moved || kept_off(sleeper) == processor ||
        !sleepers_[number].compare_exchange_strong(sleeper, being_moved, std::memory_order_acquire))
      return;
    const auto thread = int(sleeper & 0x7fffffff);
    keep_off(thread, processor);
    sleepers_[number].store(std::int64_t{processor + 1} << 32 | thread, std::memory_order_release);
  }
  /// Called by a helper that has slept.
  void come_back(unsigned number) {
    std::int64_t sleeper = sleepers_[number].load(std::memory_order_relaxed);
    while (sleeper == being_moved ||
           !sleepers_[number].compare_exchange_weak(sleeper, awake, std::memory_order_acq_rel)) {
      pause();
      sleeper = sleepers_[number].load(std::memory_order_relaxed);
    }
    if (kept_off(sleeper) >= 0) run_on_all_processors();
  }

  void start_helpers(unsigned count);

  Clock::duration missed() const { return Clock::duration(missed_.load(std::memory_order_relaxed)); }

  /// Called by a helper: checks whether other work wants its processor, and if so stays away for a while. At most half
  /// of the helpers do so, rounded up: if all processors are wanted, a share of each is better than none.
  void mind_others(DisturbanceWatch& watch, Clock::time_point now) {
    if (!watch.is_due(now)) return;
    const Clock::duration absence = watch.observe(now, usage_of_this_thread());
    if (absence == Clock::duration::zero()) return;
    if (2 * away_.fetch_add(1, std::memory_order_relaxed) < helpers()) {
      const Clock::time_point end = now + absence;
      while (!ending_.load(std::memory_order_acquire) && Clock::now() < end) sleep_on(ending_, 0, end);
      watch.slept(Clock::now() - now);
    }
    away_.fetch_sub(1, std::memory_order_relaxed);
  }

  /// Yields the processor to other threads for a few time slices, as long as there is no news; returns whether there
  /// was none.
  template <class HasNews>
  static bool gives_way(HasNews has_news) {
    for (int i = 0; i < 4; ++i) {
      if (has_news()) return false;
      std::this_thread::yield();
    }
    return !has_news();
  }

  /// Polls for a loop, then sleeps until there is one. Returns the time when that ended.
  template <class HasNews>
  Clock::time_point wait_for_loop(DisturbanceWatch& watch, unsigned number, HasNews has_news) {
    const Clock::time_point begin = Clock::now();
    const Clock::duration missed_before = missed();
    const Clock::duration patience = watch.is_calm(begin) ? long_patience : short_patience;
    const std::uint32_t rests = rests_.load(std::memory_order_relaxed);
    looking_.fetch_add(1, std::memory_order_relaxed);
    bool has_come =
        look_for([&] { return has_news() || rests_.load(std::memory_order_relaxed) != rests; }, patience) && has_news();
    looking_.fetch_sub(1, std::memory_order_relaxed);
    std::uint32_t before = 0;
    if (!has_come) {
      sleeping_.fetch_add(1, std::memory_order_acq_rel);
      before = news_.load(std::memory_order_acquire);
      has_come = !gives_way(has_news);
      if (has_come) sleeping_.fetch_sub(1, std::memory_order_acq_rel);
    }
    const Clock::time_point end = Clock::now();
    watch.waited(end - begin, patience, missed() - missed_before);
    if (has_come) return end;
    sleepers_[number].store(current_thread(), std::memory_order_relaxed);
    sleep_on(news_, before);
    come_back(number);
    sleeping_.fetch_sub(1, std::memory_order_acq_rel);
    const Clock::time_point now = Clock::now();
    watch.slept(now - end);
    return now;
  }

  /// The main loop of a helper.
  void help(unsigned number) {
    DisturbanceWatch watch;
    std::array<std::uint64_t, most_loops> seen{};  // the head of each loop when this helper last visited it
    const auto for_new_loop = [&](auto visit) {
      const unsigned known = known_loops_.load(std::memory_order_acquire);
      for (unsigned i = 0; i < known; ++i) {
        const unsigned index = (number + i) % known;
        const std::uint64_t head = loops_[index].head();
        if (head != seen[index] && visit(index, head)) return true;
      }
      return false;
    };
    const auto has_news = [&] {
      return ending_.load(std::memory_order_acquire) || for_new_loop([](unsigned, std::uint64_t) { return true; });
    };
    Clock::time_point now = Clock::now();
    while (!ending_.load(std::memory_order_acquire)) {
      mind_others(watch, now);
      const bool has_worked = for_new_loop([&](unsigned index, std::uint64_t head) {
        seen[index] = head;
        // Systems leave a woken thread behind the one that woke it for a time slice or more, beside an idle processor.
        if (loops_[index].processor() == current_processor()) leave_processor();
        return loops_[index].help(head, number);
      });
      now = has_worked ? Clock::now() : wait_for_loop(watch, number, has_news);
    }
  }

  std::array<SharedLoop, most_loops> loops_{};
  // Read by all threads, rarely written.
  alignas(cache_line) std::atomic<unsigned> known_loops_{0};  // slots below this number have been used
  std::atomic<std::uint32_t> rests_{0};                       // changes when helpers should stop polling
  std::atomic<std::uint32_t> ending_{0};  // 1 when the pool ends; helpers that stay away sleep on it
  alignas(cache_line) std::atomic<unsigned> running_{0};
  alignas(cache_line) std::atomic<unsigned> sleeping_{0};  // helpers
  std::atomic<std::uint32_t> news_{0};                     // helpers sleep on it; changes to wake some of them
  std::atomic<Clock::rep> missed_{0};                      // the time of loops to which no helper came
  alignas(cache_line) std::atomic<unsigned> looking_{0};   // helpers that poll
  alignas(cache_line) std::atomic<unsigned> away_{0};      // helpers whose processors are wanted by others
  alignas(cache_line) std::mutex mutex_;                   // guards starting and ending helpers
  Clock::time_point start_again_{};                        // no thread is started earlier
  std::atomic<unsigned> helpers_{0};
  std::array<pthread_t, most_threads_of_loop> threads_{};
  // Of each helper while it sleeps: its current_thread, and above 32 bits the processor that it is kept off, plus 1.
  static constexpr std::int64_t awake = 0, being_moved = -1;
  static constexpr int kept_off(std::int64_t sleeper) { return int(sleeper >> 32) - 1; }
  std::array<std::atomic<std::int64_t>, most_threads_of_loop> sleepers_{};
};

constinit Pool pool;

/// The pool's reaction to a fork, to the end of the process and to unloading of the library.
struct Lifetime {
  Lifetime() {
    survives_fork = pthread_atfork([] { pool.before_fork(); }, [] { pool.after_fork_in_parent(); },
                                   [] { pool.after_fork_in_child(); }) == 0;
  }
  ~Lifetime() { pool.end(); }
  bool survives_fork = false;
} lifetime;

void Pool::start_helpers(unsigned count) {
  const std::lock_guard lock(mutex_);
  if (!lifetime.survives_fork || ending_.load(std::memory_order_relaxed)) return;
  if (start_again_ != Clock::time_point() && Clock::now() < start_again_) return;
  const auto help = [](void* number) -> void* {
    run_on_all_processors();
    std::fesetenv(FE_DFL_ENV);
    pool.help(unsigned(reinterpret_cast<std::uintptr_t>(number)));
    return nullptr;
  };
  // Affinity, priority and floating-point mode of the calling thread are not inherited.
  pthread_attr_t ordinary;
  pthread_attr_init(&ordinary);
  pthread_attr_setinheritsched(&ordinary, PTHREAD_EXPLICIT_SCHED);
  // Signals are for the program's own threads, but for those that a thread causes itself: blocked, they end the process
  // in place of their handlers, such as that of schema/file/file_mapping.cpp.
  sigset_t others, former;
  sigfillset(&others);
  for (const int own : {SIGBUS, SIGSEGV, SIGFPE, SIGILL, SIGTRAP}) sigdelset(&others, own);
  pthread_sigmask(SIG_SETMASK, &others, &former);
  for (unsigned i = helpers(); i < count; ++i) {
    sleepers_[i].store(awake, std::memory_order_relaxed);  // in the child of a fork it is a thread of the parent's
    if (pthread_create(&threads_[i], &ordinary, help, reinterpret_cast<void*>(std::uintptr_t{i})) != 0) {
      start_again_ = Clock::now() + refusal;
      break;
    }
    helpers_.store(i + 1, std::memory_order_relaxed);
  }
  pthread_attr_destroy(&ordinary);
  pthread_sigmask(SIG_SETMASK, &former, nullptr);
}

}  // namespace

void run_on_pool(unsigned threads, const LoopSizes& sizes, UnitBody body) { pool.run(threads, sizes, body); }

void rest_helpers() { pool.rest(); }

unsigned helper_count() { return pool.helpers(); }

unsigned away_count() { return pool.away(); }

}  // namespace webnn::runtime
