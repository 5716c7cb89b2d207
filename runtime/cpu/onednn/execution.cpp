#include "runtime/cpu/onednn/execution.hpp"

#include <new>
#include <omp.h>
#include <string>
#include <sys/mman.h>

namespace webnn::runtime::onednn {

const dnnl::engine& engine() {
  static const dnnl::engine cpu(dnnl::engine::kind::cpu, 0);
  return cpu;
}

Error as_error(const dnnl::error& error, const KernelSpec& spec) {
  const std::string name(row(spec.op).name);
  if (error.status == dnnl_out_of_memory) return {ExitCode::resource, "oneDNN has no memory for '" + name + "'"};
  return {ExitCode::internal, "oneDNN refuses '" + name + "': " + error.what(), "compile with --kernels reference"};
}

OneThread::OneThread() : former_(omp_get_max_threads()) { omp_set_num_threads(1); }
OneThread::~OneThread() { omp_set_num_threads(former_); }

Preparation::Preparation() {
  constexpr std::size_t room = std::size_t{8} << 20;  // of several primitives
  void* const memory = mmap(nullptr, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  munmap(memory, room);
}

Execution::Execution(const dnnl::primitive& primitive, const dnnl::memory::desc& scratchpad)
    : primitive_(primitive), stream_(engine()), scratchpad_bytes_(scratchpad.get_size()) {
  if (scratchpad_bytes_ != 0) add(DNNL_ARG_SCRATCHPAD, scratchpad, Source::scratchpad, 0, 0);
}

void Execution::add(int argument, const dnnl::memory::desc& desc, Source source, std::size_t index, std::size_t from) {
  const dnnl::memory memory(desc, engine(), DNNL_MEMORY_NONE);
  bind(argument, memory);
  bindings_.push_back({memory.get(), source, index, from});
}

void Execution::bind_input(int argument, const dnnl::memory::desc& desc, std::size_t operand, std::size_t from) {
  add(argument, desc, Source::input, operand, from);
}

void Execution::bind_output(int argument, const dnnl::memory::desc& desc, std::size_t from) {
  add(argument, desc, Source::output, 0, from);
}

void Execution::bind_scratch(int argument, const dnnl::memory::desc& desc, std::size_t offset) {
  add(argument, desc, Source::scratch, 0, offset);
}

void Execution::bind(int argument, const dnnl::memory& memory) {
  memories_.push_back(memory);
  arguments_.push_back({argument, memory.get()});
}

void Execution::run(const KernelArguments& arguments, std::byte* scratchpad) {
  for (const Binding& binding : bindings_) {
    std::byte* address = nullptr;
    switch (binding.source) {
      case Source::input:
        address = const_cast<std::byte*>(arguments.inputs[binding.index]);
        break;
      case Source::output:
        address = arguments.outputs[binding.index];
        break;
      case Source::scratch:
        address = arguments.scratch;
        break;
      case Source::scratchpad:
        address = scratchpad;
        break;
    }
    dnnl_memory_set_data_handle(binding.memory, address + binding.from);
  }
  const OneThread alone;
  dnnl_status_t status = dnnl_success;
  const auto execute = [&] {
    status = dnnl_primitive_execute(primitive_.get(), stream_.get(), int(arguments_.size()), arguments_.data());
  };
  if (watch_ != nullptr)
    watch_->run(execute);
  else
    execute();
  if (status == dnnl_out_of_memory) throw Error(ExitCode::resource, "oneDNN cannot go on: it has no memory");
  if (status != dnnl_success)
    throw Error(ExitCode::internal, "oneDNN cannot go on: status " + std::to_string(int(status)));
}

}  // namespace webnn::runtime::onednn
