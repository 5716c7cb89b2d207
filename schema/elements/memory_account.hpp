// Counts the memory that is made for one graph, and refuses what would exceed a limit: constants that are filled, folded
// or packed, and what kernels prepare. Everything that takes memory in proportion to a graph's numbers, rather than to
// the size of its file, is allocated through AlignedBytes or CountedVector, which ask the account of the calling thread.
//
// An account is the caller's choice: without one nothing is counted, so libraries of other people and other threads are
// never charged for a graph.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace webnn::schema {

/// May be used by several threads.
class MemoryAccount {
 public:
  /// `limit` in bytes; 0: no limit.
  explicit MemoryAccount(std::uint64_t limit) : limit_(limit) {}

  /// Throws Error (resource) when more than the limit would be taken; then nothing is.
  void take(std::uint64_t bytes);
  void give_back(std::uint64_t bytes) noexcept { taken_.fetch_sub(bytes, std::memory_order_relaxed); }
  std::uint64_t taken() const { return taken_.load(std::memory_order_relaxed); }

 private:
  const std::uint64_t limit_;
  std::atomic<std::uint64_t> taken_ = 0;
};

/// The account of the calling thread; null: none.
const std::shared_ptr<MemoryAccount>& current_account();

/// Makes an account the calling thread's as long as this object lives, then the one before.
class AccountScope {
 public:
  explicit AccountScope(std::shared_ptr<MemoryAccount> account);
  /// With a new account.
  explicit AccountScope(std::uint64_t limit) : AccountScope(std::make_shared<MemoryAccount>(limit)) {}
  ~AccountScope();
  AccountScope(const AccountScope&) = delete;
  AccountScope& operator=(const AccountScope&) = delete;

 private:
  std::shared_ptr<MemoryAccount> before_;
};

/// Bytes taken from the calling thread's account, until this object ends on any thread.
class MemoryCharge {
 public:
  MemoryCharge() = default;
  explicit MemoryCharge(std::uint64_t bytes) : account_(current_account()), bytes_(bytes) {
    if (account_) account_->take(bytes_);
  }
  MemoryCharge(MemoryCharge&& other) noexcept
      : account_(std::exchange(other.account_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  MemoryCharge& operator=(MemoryCharge&& other) noexcept {
    std::swap(account_, other.account_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~MemoryCharge() {
    if (account_) account_->give_back(bytes_);
  }

  /// Takes more from the same account.
  void add(std::uint64_t bytes) {
    if (account_) account_->take(bytes);
    bytes_ += bytes;
  }

 private:
  std::shared_ptr<MemoryAccount> account_;
  std::uint64_t bytes_ = 0;
};

/// For containers: counts in the account of the thread that makes the container.
template <class T>
class CountedAllocator {
 public:
  using value_type = T;

  CountedAllocator() : account_(current_account()) {}
  template <class Other>
  CountedAllocator(const CountedAllocator<Other>& other) : account_(other.account()) {}

  T* allocate(std::size_t count) {
    if (count > std::numeric_limits<std::size_t>::max() / sizeof(T)) throw std::bad_array_new_length();
    if (account_) account_->take(count * sizeof(T));
    try {
      return std::allocator<T>().allocate(count);
    } catch (...) {
      if (account_) account_->give_back(count * sizeof(T));
      throw;
    }
  }
  void deallocate(T* memory, std::size_t count) noexcept {
    std::allocator<T>().deallocate(memory, count);
    if (account_) account_->give_back(count * sizeof(T));
  }

  const std::shared_ptr<MemoryAccount>& account() const { return account_; }
  template <class Other>
  bool operator==(const CountedAllocator<Other>& other) const {
    return account_ == other.account();
  }

 private:
  std::shared_ptr<MemoryAccount> account_;
};

/// A vector whose length comes from a graph's numbers.
template <class T>
using CountedVector = std::vector<T, CountedAllocator<T>>;

}  // namespace webnn::schema
