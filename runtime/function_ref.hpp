// A non-owning reference to a callable: like std::function, without ownership or allocation.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

namespace webnn::runtime {

template <class Signature>
class FunctionRef;

/// The callable must outlive it, as a lambda in the argument of a call does.
template <class Result, class... Arguments>
class FunctionRef<Result(Arguments...)> {
 public:
  constexpr FunctionRef() = default;  // refers to nothing: must not be called
  template <class Callable, class = std::enable_if_t<!std::is_same_v<std::remove_cvref_t<Callable>, FunctionRef> &&
                                                     std::is_invocable_r_v<Result, Callable&, Arguments...>>>
  FunctionRef(Callable&& callable)  // implicit on purpose: lambdas are passed directly
      : object_(const_cast<void*>(static_cast<const void*>(std::addressof(callable)))),
        call_([](void* object, Arguments... arguments) -> Result {
          return (*static_cast<std::remove_reference_t<Callable>*>(object))(std::forward<Arguments>(arguments)...);
        }) {}

  Result operator()(Arguments... arguments) const { return call_(object_, std::forward<Arguments>(arguments)...); }

 private:
  void* object_ = nullptr;
  Result (*call_)(void*, Arguments...) = nullptr;
};

}  // namespace webnn::runtime
