#include "runtime/executable.hpp"

#include <algorithm>
#include <cassert>
#include <string>
#include <utility>

#include "runtime/threads/parallel.hpp"
#include "schema/error.hpp"
#include "schema/file/file_mapping.hpp"
#include "schema/file/program_file.hpp"
#include "schema/kernels/cost.hpp"
#include "schema/round_up.hpp"
#include "schema/verify_program.hpp"

namespace webnn::runtime {

Executable::Executable(Program program, Device& device, unsigned threads, const Limits& limits)
    : account_(std::make_shared<MemoryAccount>(limits.memory)),
      program_(std::move(program)),
      device_(&device),
      threads_(std::max(threads, 1u)) {
  const Team team(threads_);
  const AccountScope scope(account_);
  check_target();
  check_program();
  check_work(limits.work);
  account_->take(planned_bytes());
  import_constants();
  prepare_kernels();
  Bands bands{line_chains(program_, kernels_, threads_), {}};
  shared_scratch_ = lay_out_shared_scratch();
  lay_out_places(bands.chains);
  account_->take(wanted_scratch());
  arena_ = device_->allocate(program_.arena_bytes);
  allocate_scratch();
  build_tables();
  bands.memory = scratch_of(0);
  sequence_ = device_->prepare(invocations_, bands);
  check_files();
}

void Executable::check_target() const {
  const Target& here = device_->target();
  const Target& wanted = program_.target;
  if (wanted.device != here.device)
    throw Error(ExitCode::unsupported, "the program is for device '" + std::string(name_of(wanted.device)) +
                                           "', this one is '" + std::string(name_of(here.device)) + "'");
  if (!includes(here.features, wanted.features))
    throw Error(
        ExitCode::unsupported,
        "the program needs '" + text_of(wanted.features) + "', this device offers '" + text_of(here.features) + "'",
        wanted.device == DeviceKind::cpu ? "compile the graph for this machine, or for an older one with --isa"
                                         : "compile the graph for this device");
}

void Executable::check_program() const {
  if (program_.verified) return;
  const std::vector<std::string> problems = verify_program(program_);
  if (!problems.empty())
    throw Error(ExitCode::program, "the program cannot be run: " + problems.front(), "compile the graph again");
}

void Executable::check_work(std::uint64_t limit) const {
  if (limit == 0) return;
  Cost cost;
  for (const Step& step : program_.steps) cost += cost_of(spec_of(program_, step));
  if (cost.exceeds(limit))
    throw Error(ExitCode::resource,
                "a run of the graph takes " + std::to_string(cost.flops) + " operations and moves " +
                    std::to_string(cost.bytes) + " bytes, together the limit is " + std::to_string(limit),
                "raise the limit, or use smaller dimensions");
}

/// Everything that is known before kernels are prepared.
std::uint64_t Executable::planned_bytes() const {
  std::uint64_t bytes = program_.arena_bytes;
  for (const Bytes& constant : program_.constants) bytes += constant.size();
  for (const Binding& input : program_.inputs) bytes += byte_length(input.descriptor);
  for (const Binding& output : program_.outputs) bytes += byte_length(output.descriptor);
  return bytes;
}

void Executable::import_constants() {
  check_constants(program_);
  std::vector<std::size_t> alignments(program_.constants.size(), 1);
  for (const ProgramValue& value : program_.values)
    if (value.slot.kind == Slot::Kind::constant) {
      std::size_t& alignment = alignments[value.slot.index];
      const bool packed = value.layout == Layout::private_form;
      alignment = std::max<std::size_t>(alignment, packed ? arena_alignment : bits_of(value.descriptor.type) / 8);
    }
  constants_.reserve(program_.constants.size());
  for (std::size_t i = 0; i < program_.constants.size(); ++i)
    constants_.push_back(device_->import(program_.constants[i].view(), alignments[i]));
}

void Executable::prepare_kernels() {
  kernels_.reserve(program_.steps.size());
  for (const Step& step : program_.steps) {
    std::vector<std::span<const std::byte>> constants(step.inputs.size());
    for (std::size_t i = 0; i < step.inputs.size(); ++i) {
      if (step.inputs[i] == no_index) continue;
      const Slot& slot = program_.values[step.inputs[i]].slot;
      if (slot.kind == Slot::Kind::constant) constants[i] = program_.constants[slot.index].view();
    }
    kernels_.push_back(device_->make_kernel(step.kernel, spec_of(program_, step), constants));
  }
}

/// Steps that run one after another share scratch memory. Where they may run at the same time, neighbouring ones take
/// turns around a ring. Returns the bytes of all of it.
std::size_t Executable::lay_out_shared_scratch() {
  constexpr std::size_t most_in_ring = 4;  // as many of the largest as fit in the ring
  const bool overlap = row(device_->target().device).overlaps_steps;
  std::size_t largest = 0;
  for (const Kernel& kernel : kernels_) largest = std::max(largest, kernel.shared_bytes());
  const std::size_t ring = overlap ? most_in_ring * round_up(largest, arena_alignment) : largest;
  std::size_t next = 0, all = 0;
  for (const Kernel& kernel : kernels_) {
    const std::size_t bytes = kernel.shared_bytes();
    if (!overlap || ring - next < bytes) next = 0;
    scratch_offsets_.push_back(next);
    all = std::max(all, next + bytes);
    next += round_up(bytes, arena_alignment);
  }
  return all;
}

/// What a place has for itself is at the same addresses for all steps and chains, and as large as the largest that uses it:
/// most kernels have a place for each thread, some a single large one.
void Executable::lay_out_places(std::span<const LineChain> chains) {
  const auto add = [&](const PlaceScratch& scratch) {
    if (bytes_of_places_.size() < scratch.count) bytes_of_places_.resize(scratch.count);
    for (unsigned place = 0; place < scratch.count; ++place)
      bytes_of_places_[place] = std::max(bytes_of_places_[place], scratch.bytes);
  };
  for (const Kernel& kernel : kernels_) add(kernel.places);
  for (const LineChain& chain : chains) add(chain.memory());  // which has that of the chain's kernels
}

/// The processor fetches no further ahead than to the end of a page, so no place gets lines of another one.
constexpr std::size_t page = 4096;

std::size_t Executable::wanted_scratch() const {
  std::size_t bytes = shared_scratch_;
  if (!bytes_of_places_.empty()) bytes += page;  // the memory may begin anywhere in a page
  for (const std::size_t of_place : bytes_of_places_) bytes += round_up(of_place, page);
  return bytes;
}

void Executable::allocate_scratch() {
  scratch_ = device_->allocate(wanted_scratch());
  std::byte* next = scratch_.address() + shared_scratch_;
  next += round_up(reinterpret_cast<std::uintptr_t>(next), page) - reinterpret_cast<std::uintptr_t>(next);
  for (const std::size_t of_place : bytes_of_places_) {
    places_.push_back(next);
    next += round_up(of_place, page);
  }
}

ScratchMemory Executable::scratch_of(std::size_t offset) const {
  ScratchMemory memory(scratch_.address() + offset);
  if (!places_.empty()) memory.places = places_.data();
  return memory;
}

void Executable::build_tables() {
  std::size_t input_count = 0, output_count = 0;
  for (const Step& step : program_.steps) {
    input_count += step.inputs.size();
    output_count += step.outputs.size();
  }
  input_addresses_.resize(input_count);
  output_addresses_.resize(output_count);
  invocations_.reserve(program_.steps.size());

  std::uint32_t next_input = 0, next_output = 0;
  for (std::size_t i = 0; i < program_.steps.size(); ++i) {
    const Step& step = program_.steps[i];
    const KernelArguments arguments{std::span(input_addresses_).subspan(next_input, step.inputs.size()),
                                    std::span(output_addresses_).subspan(next_output, step.outputs.size()),
                                    scratch_of(scratch_offsets_[i])};
    invocations_.push_back({&kernels_[i], arguments});
    for (const std::uint32_t index : step.inputs) {
      const std::uint32_t entry = next_input++;
      if (index == no_index) continue;  // an absent operand stays null
      const Slot& slot = program_.values[index].slot;
      switch (slot.kind) {
        case Slot::Kind::none:
        case Slot::Kind::lines:  // the sequence knows its address
          break;
        case Slot::Kind::input:
          patched_inputs_.push_back({entry, slot.index});
          break;
        case Slot::Kind::output:
          patched_input_outputs_.push_back({entry, slot.index});
          break;
        case Slot::Kind::constant:
          input_addresses_[entry] = constants_[slot.index].address();
          break;
        case Slot::Kind::arena:
          input_addresses_[entry] = arena_.address() + slot.offset;
          break;
      }
    }
    for (const std::uint32_t index : step.outputs) {
      const std::uint32_t entry = next_output++;
      const Slot& slot = program_.values[index].slot;
      if (slot.kind == Slot::Kind::output) patched_outputs_.push_back({entry, slot.index});
      if (slot.kind == Slot::Kind::arena) output_addresses_[entry] = arena_.address() + slot.offset;
    }
  }
}

void Executable::bind(std::span<const std::byte* const> inputs, std::span<std::byte* const> outputs) {
  assert(inputs.size() == program_.inputs.size() && outputs.size() == program_.outputs.size());
  for (const Patch& patch : patched_inputs_) input_addresses_[patch.entry] = inputs[patch.binding];
  for (const Patch& patch : patched_input_outputs_) input_addresses_[patch.entry] = outputs[patch.binding];
  for (const Patch& patch : patched_outputs_) output_addresses_[patch.entry] = outputs[patch.binding];
}

void Executable::touch_memory() {
  device_->clear(arena_);
  device_->clear(scratch_);
}

void Executable::check_files() const {
  for (const Bytes& constant : program_.constants) check_not_cut(constant);
}

void Executable::run(std::span<const std::byte* const> inputs, std::span<std::byte* const> outputs) {
  const Team team(threads_);
  bind(inputs, outputs);
  sequence_->submit();
  check_files();
}

void Executable::run_timed(std::span<const std::byte* const> inputs, std::span<std::byte* const> outputs,
                           std::span<StepTime> times) {
  const Team team(threads_);
  bind(inputs, outputs);
  sequence_->run_timed(times);
  check_files();
}

}  // namespace webnn::runtime
