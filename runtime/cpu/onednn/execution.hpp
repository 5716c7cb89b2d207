// A oneDNN primitive with its arguments: which memory of a run each of them is.
#pragma once

#include <oneapi/dnnl/dnnl.hpp>
#include <vector>

#include "runtime/invalid_watch.hpp"
#include "runtime/kernel.hpp"
#include "schema/error.hpp"

namespace webnn::runtime::onednn {

/// The one CPU engine. Equal primitives are created once: oneDNN keeps them in a cache of the process.
const dnnl::engine& engine();

/// What to throw for an exception of oneDNN while a kernel is prepared: it has no memory, or the row of the kernel took
/// a call that oneDNN does not.
Error as_error(const dnnl::error& error, const KernelSpec& spec);

/// While it lives, what the constructing thread asks of oneDNN stays in this thread. oneDNN divides its loops among as
/// many threads of OpenMP as the calling thread may start, when it makes a primitive and when it runs one; the loops of
/// this project divide a call themselves (pieces.hpp).
class OneThread {
 public:
  OneThread();
  ~OneThread();
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

 private:
  int former_;
};

/// A primitive and where its arguments are. Not copied: oneDNN's argument list points into it.
class Execution {
 public:
  Execution(const dnnl::primitive& primitive, const dnnl::memory::desc& scratchpad);
  Execution(const Execution&) = delete;
  Execution& operator=(const Execution&) = delete;

  // Each says what argument `argument` (DNNL_ARG_...) is, from byte `from` of an operand or of the output on.
  void bind_input(int argument, const dnnl::memory::desc& desc, std::size_t operand, std::size_t from = 0);
  void bind_output(int argument, const dnnl::memory::desc& desc, std::size_t from = 0);
  void bind_scratch(int argument, const dnnl::memory::desc& desc, std::size_t offset);
  void bind(int argument, const dnnl::memory& memory);  // its own bytes, the same in each run

  /// Tells `watch` what the processor meets while the primitive runs; null: nobody.
  void tell(InvalidWatch* watch) { watch_ = watch; }

  /// What the primitive wants for itself while it runs.
  std::size_t scratchpad_bytes() const { return scratchpad_bytes_; }
  /// In the calling thread alone. Throws Error when oneDNN cannot go on (it has no memory).
  void run(const KernelArguments& arguments, std::byte* scratchpad);

 private:
  enum class Source : std::uint8_t { input, output, scratch, scratchpad };
  struct Binding {
    dnnl_memory_t memory;
    Source source;
    std::size_t index;  // of the operand
    std::size_t from;   // byte
  };
  void add(int argument, const dnnl::memory::desc& desc, Source source, std::size_t index, std::size_t from);

  dnnl::primitive primitive_;
  dnnl::stream stream_;
  std::vector<dnnl::memory> memories_;  // owners
  std::vector<dnnl_exec_arg_t> arguments_;
  std::vector<Binding> bindings_;
  std::size_t scratchpad_bytes_;
  InvalidWatch* watch_ = nullptr;
};

}  // namespace webnn::runtime::onednn
