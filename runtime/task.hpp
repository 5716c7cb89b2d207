// A task of the timeline: a callable stored in place, with the resources that it uses. Creating, moving and running a
// task allocates nothing.
#pragma once

#include <cstddef>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

#include "runtime/resource.hpp"

namespace webnn::runtime {

class Task {
 public:
  enum class Kind : bool { ordinary, barrier };  // a barrier waits for all tasks before it

  Task() = default;
  /// `function()` must not throw and must fit in `capacity` bytes. `uses` must stay valid as long as its captures. If it
  /// has `begin()`, which must not throw either, that is called for it and all such tasks that follow it at once.
  template <class Function>
  Task(std::span<Resource* const> uses, Kind kind, Function function) : uses_(uses), kind_(kind) {
    static_assert(sizeof(Function) <= capacity && alignof(Function) <= alignof(std::max_align_t));
    static_assert(std::is_nothrow_move_constructible_v<Function>);
    new (storage_) Function(std::move(function));
    operations_ = &operations_of<Function>;
  }
  Task(Task&& other) noexcept { take(other); }
  Task& operator=(Task&& other) noexcept {
    if (this != &other) {
      reset();
      take(other);
    }
    return *this;
  }
  ~Task() { reset(); }

  std::span<Resource* const> uses() const { return uses_; }
  bool is_barrier() const { return kind_ == Kind::barrier; }
  void run() noexcept { operations_->run(storage_); }
  /// Whether it can begin together with others.
  bool can_begin() const { return operations_->begin != nullptr; }
  void begin() noexcept { operations_->begin(storage_); }

 private:
  static constexpr std::size_t capacity = 96;

  struct Operations {
    void (*run)(void*) noexcept;
    void (*move)(void* to, void* from) noexcept;  // destroys `from`
    void (*end)(void*) noexcept;
    void (*begin)(void*) noexcept;  // null: it cannot
  };
  template <class Function>
  static constexpr auto begin_of() -> void (*)(void*) noexcept {
    if constexpr (requires(Function function) { function.begin(); })
      return [](void* function) noexcept { static_cast<Function*>(function)->begin(); };
    else
      return nullptr;
  }
  template <class Function>
  static constexpr Operations operations_of{
      [](void* function) noexcept { (*static_cast<Function*>(function))(); },
      [](void* to, void* from) noexcept {
        new (to) Function(std::move(*static_cast<Function*>(from)));
        static_cast<Function*>(from)->~Function();
      },
      [](void* function) noexcept { static_cast<Function*>(function)->~Function(); }, begin_of<Function>()};

  void take(Task& other) noexcept {
    uses_ = other.uses_;
    kind_ = other.kind_;
    operations_ = std::exchange(other.operations_, nullptr);
    if (operations_) operations_->move(storage_, other.storage_);
  }
  void reset() noexcept {
    if (operations_) std::exchange(operations_, nullptr)->end(storage_);
  }

  std::span<Resource* const> uses_;
  Kind kind_ = Kind::ordinary;
  const Operations* operations_ = nullptr;
  alignas(std::max_align_t) std::byte storage_[capacity];
};

}  // namespace webnn::runtime
