// A oneDNN primitive with its arguments: which memory of a run each of them refers to.
#pragma once

#include <oneapi/dnnl/dnnl.hpp>
#include <vector>

#include "runtime/invalid_watch.hpp"
#include "runtime/kernel.hpp"
#include "schema/error.hpp"

namespace webnn::runtime::onednn {

/// The only CPU engine. Equal primitives are created once: oneDNN caches them for the whole process.
const dnnl::engine& engine();

/// The error for a oneDNN exception during preparation: out of memory, or the kernel's row took a call that oneDNN does
/// not support.
Error as_error(const dnnl::error& error, const KernelSpec& spec);

/// While it exists, oneDNN uses no other threads for calls from the constructing thread. Both when it creates a
/// primitive and when it runs one, oneDNN divides its loops among as many OpenMP threads as the calling thread may
/// start; here, calls are divided by this project's own loops instead (pieces.hpp).
class OneThread {
 public:
  OneThread();
  ~OneThread();
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

 private:
  int former_;
};

/// While it exists, one thread prepares primitives. Throws std::bad_alloc when there is no room for the code that oneDNN
/// writes: it does not notice that itself, and would crash.
class Preparation : public OneThread {
 public:
  Preparation();
};

/// A primitive and the locations of its arguments. Not copyable, because oneDNN's argument list points into it.
class Execution {
 public:
  Execution(const dnnl::primitive& primitive, const dnnl::memory::desc& scratchpad);
  Execution(const Execution&) = delete;
  Execution& operator=(const Execution&) = delete;

  // Each binds argument `argument` (DNNL_ARG_...) to an operand, the output or scratch memory, from a byte offset on.
  void bind_input(int argument, const dnnl::memory::desc& desc, std::size_t operand, std::size_t from = 0);
  void bind_output(int argument, const dnnl::memory::desc& desc, std::size_t from = 0);
  void bind_scratch(int argument, const dnnl::memory::desc& desc, std::size_t offset);
  void bind(int argument, const dnnl::memory& memory);  // fixed bytes, the same in each run

  /// Reports to `watch` the floating-point exceptions while the primitive runs; null: to nobody.
  void tell(InvalidWatch* watch) { watch_ = watch; }

  /// The scratchpad that the primitive needs during a run.
  std::size_t scratchpad_bytes() const { return scratchpad_bytes_; }
  /// Runs on the calling thread only. Throws Error when oneDNN fails (out of memory).
  void run(const KernelArguments& arguments, std::byte* scratchpad);

 private:
  enum class Source : std::uint8_t { input, output, scratch, scratchpad };
  struct Binding {
    dnnl_memory_t memory;
    Source source;
    std::size_t index;  // of the operand
    std::size_t from;   // byte offset
  };
  void add(int argument, const dnnl::memory::desc& desc, Source source, std::size_t index, std::size_t from);

  dnnl::primitive primitive_;
  dnnl::stream stream_;
  std::vector<dnnl::memory> memories_;  // keeps them alive
  std::vector<dnnl_exec_arg_t> arguments_;
  std::vector<Binding> bindings_;
  std::size_t scratchpad_bytes_;
  InvalidWatch* watch_ = nullptr;
};

}  // namespace webnn::runtime::onednn
