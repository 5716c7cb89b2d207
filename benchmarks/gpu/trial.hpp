// A program that is run again and again: its data, its times, and whether its results are right.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "runtime/context.hpp"
#include "schema/program.hpp"

namespace webnn::benchmarks {

using Clock = std::chrono::steady_clock;

/// An input's content.
struct Data {
  schema::Binding binding;
  std::vector<std::byte> bytes;
};
/// Real numbers from -1 to 1, bytes and numbers of 4 bits of any value, other integers from 0 to 999.
std::vector<Data> random_data(const schema::Program& program);

/// A program on a context, with its tensors. Several sets of them take turns, so that caches do not hold all data.
class Trial {
 public:
  Trial(runtime::Context& context, schema::Program program, std::span<const Data> data, std::size_t sets);
  ~Trial();
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;

  /// Seconds on the device, from the first step's begin to the last one's end.
  double run_timed();
  /// Seconds from the request to the end.
  double run();
  /// The same with `count` requests at once, for each of them.
  double run_all(std::size_t count);
  std::vector<std::byte> result_of_run();
  std::vector<std::byte> result() { return context_.read(results_.front()).get(); }

 private:
  runtime::TensorId keep(runtime::TensorId tensor) { return tensors_.emplace_back(tensor); }
  const std::shared_ptr<runtime::Bindings>& next() { return bindings_[turn_++ % bindings_.size()]; }

  runtime::Context& context_;
  std::vector<runtime::StepTime> times_;
  std::vector<schema::Binding> outputs_;
  runtime::ExecutableId executable_;
  std::vector<runtime::TensorId> tensors_, results_;
  std::vector<std::shared_ptr<runtime::Bindings>> bindings_;
  std::size_t turn_ = 0;
};

/// What `run` returns, at least 5 times and then until so many seconds have passed, sorted. One run comes before.
template <typename Run>
std::vector<double> times_of(double seconds, Run run) {
  std::vector<double> times;
  run();  // compiles, and touches the memory
  const auto begin = Clock::now();
  while (times.size() < 5 ||
         (std::chrono::duration<double>(Clock::now() - begin).count() < seconds && times.size() < 10'000))
    times.push_back(run());
  std::ranges::sort(times);
  return times;
}
inline double median(const std::vector<double>& sorted) { return sorted[sorted.size() / 2]; }

/// The largest difference of sampled elements, as a share of the largest element. The samples are random, with the first
/// and last ones, so that no row, column or lane is left out by a stride.
double difference(const schema::OperandDescriptor& descriptor, std::span<const std::byte> a,
                  std::span<const std::byte> b);

}  // namespace webnn::benchmarks
