// Starting a thread of our own: a system that allows no more is a reason to refuse work, not a bug.
#pragma once

#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "schema/error.hpp"

namespace webnn::runtime {

/// A thread that runs `function`. Throws Error (resource) when the system starts no more threads.
template <class Function>
std::thread start_thread(Function function) {
  try {
    return std::thread(std::move(function));
  } catch (const std::system_error& error) {
    throw schema::Error(schema::ExitCode::resource, std::string("cannot start a thread: ") + error.what());
  }
}

}  // namespace webnn::runtime
