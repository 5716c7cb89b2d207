#include "bindings/node/native/work.hpp"

namespace webnn::node {
namespace {

struct Work {
  std::function<void()> run;
  std::function<napi_value(napi_env)> finish;
  napi_deferred deferred = nullptr;
  napi_async_work work = nullptr;
  std::exception_ptr error;
};

/// Ends a promise with what `make` gives, or with what it throws.
void settle(napi_env env, napi_deferred deferred, const std::function<napi_value(napi_env)>& make) noexcept {
  try {
    napi_value result = nullptr;
    try {
      result = make(env);
    } catch (const Pending&) {
      throw;
    } catch (...) {
      check(env, napi_reject_deferred(env, deferred, make_error(env, std::current_exception())));
      return;
    }
    check(env, napi_resolve_deferred(env, deferred, result));
  } catch (...) {  // the environment is ending
  }
}

void run_work(napi_env, void* data) {
  Work& work = *static_cast<Work*>(data);
  try {
    work.run();
  } catch (...) {
    work.error = std::current_exception();
  }
}

void end_work(napi_env env, napi_status, void* data) {
  const std::unique_ptr<Work> work(static_cast<Work*>(data));
  settle(env, work->deferred, [&](napi_env) {
    if (work->error) std::rethrow_exception(work->error);
    return work->finish(env);
  });
  napi_delete_async_work(env, work->work);
}

}  // namespace

napi_value start_work(napi_env env, const char* name, std::function<void()> run,
                      std::function<napi_value(napi_env)> finish) {
  auto work = std::make_unique<Work>();
  work->run = std::move(run);
  work->finish = std::move(finish);
  napi_value promise = nullptr;
  check(env, napi_create_async_work(env, nullptr, make_text(env, name), run_work, end_work, work.get(), &work->work));
  check(env, napi_create_promise(env, &work->deferred, &promise));
  check(env, napi_queue_async_work(env, work->work));
  static_cast<void>(work.release());  // end_work frees it
  return promise;
}

std::shared_ptr<Deliveries> Deliveries::of(napi_env env) {
  void* data = nullptr;
  check(env, napi_get_instance_data(env, &data));
  return *static_cast<std::shared_ptr<Deliveries>*>(data);
}

void Deliveries::open(napi_env env) {
  auto deliveries = std::make_shared<Deliveries>();
  const auto call = [](napi_env environment, napi_value, void* context, void*) {
    if (environment) static_cast<Deliveries*>(context)->deliver(environment);
  };
  check(env, napi_create_threadsafe_function(env, nullptr, nullptr, make_text(env, "webnn"), 0, 1, nullptr, nullptr,
                                             deliveries.get(), call, &deliveries->function_));
  check(env, napi_unref_threadsafe_function(env, deliveries->function_));
  auto holder = std::make_unique<std::shared_ptr<Deliveries>>(deliveries);
  check(env, napi_set_instance_data(
                 env, holder.get(),
                 [](napi_env, void* data, void*) { delete static_cast<std::shared_ptr<Deliveries>*>(data); }, nullptr));
  // Hooks run in reverse order: this one before Node.js ends the function above.
  check(env, napi_add_env_cleanup_hook(
                 env, [](void* data) { static_cast<Deliveries*>(data)->close(); }, deliveries.get()));
  static_cast<void>(holder.release());
}

void Deliveries::expect(napi_env env) {
  if (expected_++ == 0) check(env, napi_ref_threadsafe_function(env, function_));
}

void Deliveries::post(Delivery delivery) {
  const std::lock_guard lock(mutex_);
  if (!function_) return;
  waiting_.push_back(std::move(delivery));
  if (waiting_.size() == 1) napi_call_threadsafe_function(function_, nullptr, napi_tsfn_nonblocking);
}

void Deliveries::deliver(napi_env env) {
  std::vector<Delivery> arrived;
  {
    const std::lock_guard lock(mutex_);
    arrived.swap(waiting_);
  }
  napi_handle_scope scope = nullptr;
  for (const Delivery& delivery : arrived) {
    if (napi_open_handle_scope(env, &scope) != napi_ok) return;
    delivery(env);
    napi_close_handle_scope(env, scope);
  }
  expected_ -= arrived.size();
  if (expected_ == 0 && !arrived.empty() && function_) napi_unref_threadsafe_function(env, function_);
}

void Deliveries::close() {
  const std::lock_guard lock(mutex_);
  function_ = nullptr;
  waiting_.clear();
}

Settlement::Settlement(napi_env env) : deliveries_(Deliveries::of(env)) {
  check(env, napi_create_promise(env, &deferred_, &promise_));
  deliveries_->expect(env);
}

void Settlement::end(std::function<napi_value(napi_env)> make) const {
  deliveries_->post([deferred = deferred_, make = std::move(make)](napi_env env) { settle(env, deferred, make); });
}

}  // namespace webnn::node
