// Work beside the event loop, and how its results come back to JavaScript.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "bindings/node/native/values.hpp"

namespace webnn::node {

/// A promise for what `finish` makes on JavaScript's thread after `run` has run on another one.
napi_value start_work(napi_env env, const char* name, std::function<void()> run,
                      std::function<napi_value(napi_env)> finish);

/// Brings functions from any thread to JavaScript's. It outlives the environment: what comes later is dropped.
class Deliveries {
 public:
  using Delivery = std::function<void(napi_env)>;

  static std::shared_ptr<Deliveries> of(napi_env env);  // one for each environment, made by `open`
  static void open(napi_env env);

  /// Keeps the event loop alive until that many deliveries have been made; called on JavaScript's thread.
  void expect(napi_env env);
  /// From any thread.
  void post(Delivery delivery);

 private:
  void deliver(napi_env env);
  void close();

  std::mutex mutex_;
  std::vector<Delivery> waiting_;
  napi_threadsafe_function function_ = nullptr;  // null: closed
  std::size_t expected_ = 0;                     // on JavaScript's thread
};

/// A promise that another thread ends.
class Settlement {
 public:
  /// Called on JavaScript's thread; keeps the event loop alive until the promise has ended.
  explicit Settlement(napi_env env);
  napi_value promise() const { return promise_; }  // only until the call of JavaScript returns
  /// Ends it, once, from any thread, with what `make` gives or throws on JavaScript's.
  void end(std::function<napi_value(napi_env)> make) const;

 private:
  std::shared_ptr<Deliveries> deliveries_;
  napi_deferred deferred_ = nullptr;
  napi_value promise_ = nullptr;
};

}  // namespace webnn::node
