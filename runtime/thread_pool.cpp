#include "runtime/thread_pool.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cfenv>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <mutex>
#include <pthread.h>
#include <utility>

#include "runtime/processors.hpp"

namespace webnn::runtime {
namespace {

constexpr std::size_t cache_line = 64;
/// Loops that helpers see at once; what runs beside so many others stays with its caller.
constexpr unsigned most_loops = 32;
using Clock = std::chrono::steady_clock;
/// How long a thread looks before it sleeps: about what it takes to wake one.
constexpr Clock::duration short_patience = std::chrono::microseconds(20);
/// How long a helper looks for the next loop on a machine that leaves it alone: about as long as a network's operators
/// that run in one thread. A sleeping helper would come too late for the loop behind them.
constexpr Clock::duration long_patience = std::chrono::microseconds(300);
/// Between two looks at the clock a thread does nothing that takes so long, unless another one has its processor.
constexpr Clock::duration disturbance = std::chrono::microseconds(50);
/// For how long after a disturbance helpers have little patience: looking takes time from whoever disturbed them.
constexpr Clock::duration caution = std::chrono::milliseconds(50);

/// Tells the processor that a thread spins.
void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

/// Looks until `came()` for as long as its patience lasts; returns whether it came. Calls `disturbed(now)` when
/// something else has had the processor.
template <class Condition, class Disturbed>
bool look_for(Condition came, Clock::duration patience, Disturbed disturbed) {
  constexpr int looks = 8;  // between two looks at the clock
  const Clock::time_point begin = Clock::now();
  for (Clock::time_point before = begin, now = begin; now - begin < patience; before = now) {
    for (int i = 0; i < looks; ++i) {
      if (came()) return true;
      pause();
    }
    now = Clock::now();
    if (now - before > disturbance) {
      disturbed(now);
      break;
    }
  }
  return came();
}

struct Units {
  std::uint32_t begin = 0, end = 0;
  std::uint32_t count() const { return end - begin; }
  std::uint32_t middle() const { return begin + (count() + 1) / 2; }
};

/// What is left of a section, whether a thread has taken it, and of which loop it is: one word, so that whoever claims
/// something of an ended loop fails.
class Section {
 public:
  struct View {
    std::uint32_t loop;
    bool owned;
    Units left;
  };

  void publish(const View& view) { word_.store(word_of(view), std::memory_order_release); }

  /// Makes the caller its owner. False when it has one, or is another loop's by now.
  bool own(std::uint32_t loop) {
    return change(loop, [](View& view) { return !std::exchange(view.owned, true); });
  }
  /// Half of what is left, from the front; nothing when nothing is left.
  Units claim(std::uint32_t loop) {
    return take(loop, [](Units& left) {
      const std::uint32_t begin = std::exchange(left.begin, left.middle());
      return Units{begin, left.begin};
    });
  }
  /// The same from the back.
  Units steal(std::uint32_t loop) {
    return take(loop, [](Units& left) {
      const std::uint32_t begin = left.end - (left.middle() - left.begin);
      return Units{begin, std::exchange(left.end, begin)};
    });
  }

 private:
  // loop: 32 bits, owned: 1, begin: 15, end: 16
  static std::uint64_t word_of(const View& view) {
    return std::uint64_t{view.loop} << 32 | std::uint64_t{view.owned} << 31 | view.left.begin << 16 | view.left.end;
  }
  static View view_of(std::uint64_t word) {
    return {std::uint32_t(word >> 32),
            (word >> 31 & 1) != 0,
            {std::uint32_t(word >> 16 & 0x7fff), std::uint32_t(word & 0xffff)}};
  }

  /// Applies `edit(view)` unless it returns false or the section is another loop's; returns whether it was applied.
  template <class Edit>
  bool change(std::uint32_t loop, Edit edit) {
    std::uint64_t word = word_.load(std::memory_order_acquire);
    for (;;) {
      View view = view_of(word);
      if (view.loop != loop || !edit(view)) return false;
      if (word_.compare_exchange_weak(word, word_of(view), std::memory_order_acq_rel, std::memory_order_acquire))
        return true;
    }
  }

  /// What `part(left)` takes away from what is left.
  template <class Part>
  Units take(std::uint32_t loop, Part part) {
    Units taken;
    const bool applied = change(loop, [&](View& view) {
      taken = part(view.left);
      return taken.count() != 0;
    });
    return applied ? taken : Units{};
  }

  alignas(cache_line) std::atomic<std::uint64_t> word_{0};
};

/// A loop that runs, for helpers to find. What is not atomic is written before the sections are published and read by
/// those who claimed something.
class Loop {
 public:
  /// Takes the place for a loop of `members` threads; false when another loop has it.
  bool take() { return !taken_.load(std::memory_order_relaxed) && !taken_.exchange(true, std::memory_order_acquire); }
  void give_back() { taken_.store(false, std::memory_order_release); }

  void publish(unsigned members, std::size_t units, const PieceBody& body) {
    body_ = &body;
    pending_.store(std::uint32_t(units), std::memory_order_relaxed);
    const std::uint32_t loop = ++last_loop_;
    const auto bound = [=](unsigned place) { return std::uint32_t(units * place / members); };
    for (unsigned place = 0; place < members; ++place)
      sections_[place].publish({loop, place == 0, {bound(place), bound(place + 1)}});
    head_.store(std::uint64_t{loop} << 32 | members, std::memory_order_release);
  }

  /// In the child of a fork, where nobody runs it.
  void forget() {
    head_.store(0, std::memory_order_relaxed);
    taken_.store(false, std::memory_order_relaxed);
  }

  /// The caller's part: works, then waits for what helpers have begun.
  void run(unsigned members) {
    work(last_loop_, members, 0);
    head_.store(0, std::memory_order_relaxed);
    const auto is_done = [this] { return pending_.load(std::memory_order_acquire) == 0; };
    if (look_for(is_done, short_patience, [](Clock::time_point) {})) return;
    for (std::uint32_t left; (left = pending_.load(std::memory_order_acquire)) != 0;) pending_.wait(left);
  }

  /// A helper's part, in the section nearest to its own number that is free. False when there is nothing to do.
  bool help(unsigned helper) {
    const std::uint64_t head = head_.load(std::memory_order_acquire);
    const auto loop = std::uint32_t(head >> 32);
    const auto members = unsigned(head & 0xffffffff);
    for (unsigned i = 0; i + 1 < members; ++i) {
      const unsigned place = 1 + (helper + i) % (members - 1);
      if (sections_[place].own(loop)) return work(loop, members, place);
    }
    return false;
  }

 private:
  /// Works while there are units; returns whether there were any.
  bool work(std::uint32_t loop, unsigned members, unsigned place) {
    std::uint32_t done = 0;
    const auto run = [&](Units units) {
      if (units.count() == 0) return false;
      (*body_)(units.begin, units.end, place);
      done += units.count();
      return true;
    };
    while (run(sections_[place].claim(loop))) {
    }
    for (unsigned i = 1; i < members; ++i)
      while (run(sections_[(place + i) % members].steal(loop))) {
      }
    if (done != 0 && pending_.fetch_sub(done, std::memory_order_acq_rel) == done && place != 0) pending_.notify_one();
    return done != 0;
  }

  alignas(cache_line) std::atomic<std::uint64_t> head_{0};  // number of the loop and of its members; 0: none runs
  std::atomic<bool> taken_{false};
  std::uint32_t last_loop_ = 0;
  const PieceBody* body_ = nullptr;
  alignas(cache_line) std::atomic<std::uint32_t> pending_{0};  // units that are not done
  std::array<Section, most_threads_of_loop> sections_;
};

class Pool {
 public:
  constexpr Pool() = default;

  void run(unsigned threads, std::size_t units, bool worth_waking, const PieceBody& body) {
    const Running running(running_);
    const unsigned members = members_of(threads, units, running.others());
    if (members > 1 && worth_waking && helpers() + 1 < members) start_helpers(members - 1);
    Loop* loop = nullptr;
    if (members > 1 && (worth_waking || sleeping_.load(std::memory_order_relaxed) < helpers())) loop = free_loop();
    if (!loop) return body(0, units, 0);
    loop->publish(members, units, body);
    news_.fetch_add(1, std::memory_order_seq_cst);
    if (worth_waking) wake(members - 1);
    loop->run(members);
    loop->give_back();
  }

  unsigned helpers() const { return helpers_.load(std::memory_order_relaxed); }

  void end() {
    const std::lock_guard lock(mutex_);
    ending_.store(true, std::memory_order_seq_cst);
    news_.fetch_add(1, std::memory_order_seq_cst);
    news_.notify_all();
    for (unsigned i = 0; i < helpers(); ++i)
      if (!pthread_equal(threads_[i], pthread_self())) pthread_join(threads_[i], nullptr);
    helpers_.store(0, std::memory_order_relaxed);
  }

  void before_fork() { mutex_.lock(); }
  void after_fork_in_parent() { mutex_.unlock(); }
  /// No other thread is here: neither helpers nor those who ran loops.
  void after_fork_in_child() {
    for (std::atomic<unsigned>* count : {&helpers_, &looking_, &sleeping_, &running_})
      count->store(0, std::memory_order_relaxed);
    for (Loop& loop : loops_) loop.forget();
    no_more_ = false;
    mutex_.unlock();
  }

 private:
  /// Counts the loops that run.
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

  /// Beside other loops, only the processors that these leave are worth helpers.
  static unsigned members_of(unsigned threads, std::size_t units, unsigned others) {
    const auto members = unsigned(std::min<std::size_t>({threads, units, most_threads_of_loop}));
    const unsigned processors = learned_threads();
    if (others == 0 || processors == 0) return members;
    return std::min(members, processors > others ? processors - others : 1u);
  }

  /// A place for a loop; null when all are taken. A thread gets the one that it had before, as a rule.
  Loop* free_loop() {
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

  /// Wakes as many helpers as are missing for `wanted`.
  void wake(unsigned wanted) {
    const unsigned looking = looking_.load(std::memory_order_seq_cst);
    const unsigned sleeping = sleeping_.load(std::memory_order_seq_cst);
    for (unsigned i = 0; looking + i < wanted && i < sleeping; ++i) news_.notify_one();
  }

  void start_helpers(unsigned count);

  /// A helper's, now.
  Clock::duration patience() const {
    const bool calm = Clock::now().time_since_epoch().count() >= calm_from_.load(std::memory_order_relaxed);
    return calm ? long_patience : short_patience;
  }

  /// What a helper does until the end.
  void help(unsigned number) {
    for (;;) {
      const std::uint32_t seen = news_.load(std::memory_order_seq_cst);
      if (ending_.load(std::memory_order_seq_cst)) return;  // asked after the news, which it is part of
      const unsigned known = known_loops_.load(std::memory_order_acquire);
      bool found = false;
      for (unsigned i = 0; i < known; ++i) found |= loops_[(number + i) % known].help(number);
      if (found) continue;
      const auto has_news = [&] { return news_.load(std::memory_order_acquire) != seen; };
      looking_.fetch_add(1, std::memory_order_seq_cst);
      const bool came = look_for(has_news, patience(), [this](Clock::time_point now) {
        calm_from_.store((now + caution).time_since_epoch().count(), std::memory_order_relaxed);
      });
      looking_.fetch_sub(1, std::memory_order_seq_cst);
      if (came) continue;
      sleeping_.fetch_add(1, std::memory_order_seq_cst);
      news_.wait(seen);
      sleeping_.fetch_sub(1, std::memory_order_seq_cst);
    }
  }

  std::array<Loop, most_loops> loops_{};
  std::atomic<unsigned> known_loops_{0};  // the first ones, which were used
  std::atomic<unsigned> running_{0};
  alignas(cache_line) std::atomic<std::uint32_t> news_{0};              // changes with each loop
  alignas(cache_line) std::atomic<unsigned> looking_{0}, sleeping_{0};  // helpers
  std::atomic<Clock::rep> calm_from_{0};                                // when helpers may be patient again
  alignas(cache_line) std::mutex mutex_;                                // what starts and ends helpers
  std::atomic<bool> ending_{false};
  bool no_more_ = false;  // the system refused a thread
  std::atomic<unsigned> helpers_{0};
  std::array<pthread_t, most_threads_of_loop> threads_{};
};

constinit Pool pool;

/// Ends the helpers with the process or with the library.
struct End {
  ~End() { pool.end(); }
} end;

void Pool::start_helpers(unsigned count) {
  const std::lock_guard lock(mutex_);
  static const bool survives_fork = pthread_atfork([] { pool.before_fork(); }, [] { pool.after_fork_in_parent(); },
                                                   [] { pool.after_fork_in_child(); }) == 0;
  if (!survives_fork || no_more_ || ending_.load(std::memory_order_relaxed)) return;
  const auto help = [](void* number) -> void* {
    run_on_all_processors();
    std::fesetenv(FE_DFL_ENV);
    pool.help(unsigned(reinterpret_cast<std::uintptr_t>(number)));
    return nullptr;
  };
  // What the calling thread is bound to, its priority and its floating-point mode are its own.
  pthread_attr_t ordinary;
  pthread_attr_init(&ordinary);
  pthread_attr_setinheritsched(&ordinary, PTHREAD_EXPLICIT_SCHED);
  sigset_t all, former;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &former);  // signals are for the program's own threads
  for (unsigned i = helpers(); i < count; ++i) {
    no_more_ = pthread_create(&threads_[i], &ordinary, help, reinterpret_cast<void*>(std::uintptr_t{i})) != 0;
    if (no_more_) break;
    helpers_.store(i + 1, std::memory_order_relaxed);
  }
  pthread_attr_destroy(&ordinary);
  pthread_sigmask(SIG_SETMASK, &former, nullptr);
}

}  // namespace

void run_on_pool(unsigned threads, std::size_t units, bool worth_waking, PieceBody body) {
  pool.run(threads, units, worth_waking, body);
}

unsigned helper_count() { return pool.helpers(); }

}  // namespace webnn::runtime
