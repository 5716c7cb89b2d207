// The queue of tasks: its order, held resources, and when memory goes.
#include "runtime/timeline.hpp"

#include <atomic>
#include <chrono>
#include <doctest/doctest.h>
#include <memory>
#include <thread>
#include <vector>

namespace timeline_test {

using namespace webnn::runtime;

namespace {

class Memory final : public Resource {
 public:
  bool freed() const { return freed_; }

 private:
  void release() noexcept override { freed_ = true; }
  std::atomic<bool> freed_ = false;
};

/// A timeline whose tasks write down their number.
struct Log {
  void append(int number, std::vector<Resource*> uses) {
    auto kept = std::make_shared<std::vector<Resource*>>(std::move(uses));
    const std::span<Resource* const> view = *kept;
    timeline.append(view, [this, number, kept] { numbers.push_back(number); });
  }
  void finish() {
    Completion reached;
    timeline.append({}, [&] { reached.finish(); });
    reached.wait();
  }

  std::vector<int> numbers;  // of the timeline's thread
  Timeline timeline{1};
};

}  // namespace

TEST_CASE("timeline: tasks that wait for a held resource keep their order, others pass") {
  Memory held, linked, free;
  Log log;
  log.timeline.append(held.alone(), [&] { log.timeline.hold(held); });
  log.append(1, {&held, &linked});
  log.append(2, {&free});
  log.append(3, {&linked});  // waits for 1
  log.append(4, {&free, &linked});
  log.append(5, {&free});  // waits for 4
  log.finish();
  CHECK(log.numbers == std::vector<int>{2});
  log.timeline.append({}, [&] { log.timeline.let_go(held); });
  log.append(6, {&free});
  log.finish();
  CHECK(log.numbers == std::vector<int>{2, 1, 3, 4, 5, 6});
}

TEST_CASE("timeline: a barrier waits for everything before it") {
  Memory held;
  Log log;
  log.timeline.append(held.alone(), [&] { log.timeline.hold(held); });
  log.append(1, {&held});
  log.timeline.append(
      {}, [&] { log.numbers.push_back(2); }, Task::Kind::barrier);
  log.finish();
  CHECK(log.numbers.empty());
  log.timeline.append({}, [&] { log.timeline.let_go(held); });
  log.finish();
  CHECK(log.numbers == std::vector<int>{1, 2});
}

TEST_CASE("timeline: a destroyed resource is freed with its last use") {
  Memory idle, used, held;
  std::promise<void> gate;
  Log log;
  idle.destroy();
  CHECK(idle.freed());  // at once
  log.timeline.append(used.alone(), [&] { gate.get_future().wait(); });
  log.append(1, {&used});
  used.destroy();
  CHECK(!used.freed());
  gate.set_value();
  log.finish();
  CHECK(used.freed());

  log.timeline.append(held.alone(), [&] { log.timeline.hold(held); });
  log.finish();
  held.destroy();
  CHECK(!held.freed());  // somebody has it
  log.timeline.append({}, [&] { log.timeline.let_go(held); });
  log.finish();
  CHECK(held.freed());
}

TEST_CASE("timeline: tasks for later run with the next task, and are never many") {
  std::atomic<int> ran = 0;
  Memory memory;
  Timeline timeline(1);
  const auto later = [&] { timeline.append_for_later(memory.alone(), [&] { ++ran; }); };
  later();
  timeline.call([&] { CHECK(ran == 1); }).get();
  const auto becomes = [&](int count) {
    for (const auto begin = std::chrono::steady_clock::now();
         ran < count && std::chrono::steady_clock::now() - begin < std::chrono::seconds(10);)
      std::this_thread::yield();
    return ran >= count;
  };
  for (int i = 0; i < 1000; ++i) later();
  CHECK(becomes(990));
  timeline.run_soon();
  CHECK(becomes(1001));
}

TEST_CASE("timeline: its end runs what waits") {
  Memory held;
  std::vector<int> numbers;
  {
    Timeline timeline(1);
    timeline.append(held.alone(), [&] { timeline.hold(held); });
    timeline.append(held.alone(), [&] { numbers.push_back(1); });
    timeline.append({}, [&] { numbers.push_back(2); });
  }
  CHECK(numbers == std::vector<int>{2, 1});
}

TEST_CASE("timeline: what a task captured ends with it") {
  const auto value = std::make_shared<int>(1);
  Log log;
  log.timeline.append({}, [value] {});
  log.finish();
  CHECK(value.use_count() == 1);
  CHECK(log.timeline.call([value] { return *value + 1; }).get() == 2);
  CHECK_THROWS_AS(log.timeline.call([] { throw 1; }).get(), int);
}

}  // namespace timeline_test
