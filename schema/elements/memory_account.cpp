#include "schema/elements/memory_account.hpp"

#include <cstddef>
#include <new>
#include <string>

#include "schema/error.hpp"

namespace webnn::schema {
namespace {

/// Null before a thread's first scope and after its last one, so nobody has to destroy it when the thread ends. A
/// destructor of a thread's variable would keep the library loaded.
std::shared_ptr<MemoryAccount>& account_of_thread() {
  using Account = std::shared_ptr<MemoryAccount>;
  alignas(Account) static thread_local std::byte place[sizeof(Account)];
  static thread_local Account* account = nullptr;
  if (!account) account = new (place) Account;
  return *account;
}

}  // namespace

void MemoryAccount::take(std::uint64_t bytes) {
  const std::uint64_t before = taken_.fetch_add(bytes, std::memory_order_relaxed);
  if (limit_ == 0 || (before <= limit_ && bytes <= limit_ - before)) return;
  give_back(bytes);
  throw Error(
      ExitCode::resource,
      "the graph needs " + std::to_string(before + bytes) + " bytes of memory, the limit is " + std::to_string(limit_),
      "raise the limit, or use smaller dimensions");
}

const std::shared_ptr<MemoryAccount>& current_account() { return account_of_thread(); }

AccountScope::AccountScope(std::shared_ptr<MemoryAccount> account)
    : before_(std::exchange(account_of_thread(), std::move(account))) {}

AccountScope::~AccountScope() { account_of_thread() = std::move(before_); }

}  // namespace webnn::schema
