// Reads into memory of the caller: it may go when the call has ended, whichever way.
#include "api/pending_reads.hpp"

#include <atomic>
#include <chrono>
#include <doctest/doctest.h>
#include <stdexcept>
#include <thread>

namespace webnn::tests::pending_reads_test {

using api::PendingReads;

TEST_CASE("pending reads: they have ended when a later one is refused or an earlier one fails") {
  for (const bool finishes : {false, true}) {
    std::promise<void> late;
    std::atomic<bool> has_ended = false;
    std::thread reader([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      has_ended = true;
      late.set_value();
    });
    const auto call = [&] {
      PendingReads reads;
      std::promise<void> failed;
      failed.set_exception(std::make_exception_ptr(std::runtime_error("the first failure")));
      reads.add(failed.get_future());
      reads.add(late.get_future());
      if (!finishes) throw std::runtime_error("a refused request");
      reads.finish();
    };
    CHECK_THROWS_WITH(call(), finishes ? "the first failure" : "a refused request");
    CHECK(has_ended);
    reader.join();
  }
}

}  // namespace webnn::tests::pending_reads_test
