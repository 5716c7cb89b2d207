// Barriers of recorded calls: those that the lists of accesses ask for are proved by what is recorded, and an access
// left out of a list or a barrier left out of a plan is found. No GPU is needed: plans are data, and addresses are made
// up.
#include "runtime/vulkan/recorded.hpp"

#include <algorithm>
#include <cstring>
#include <doctest/doctest.h>

#include "api/kernels.hpp"
#include "tests/harness/random/row_call.hpp"

namespace webnn::tests::recorded_test {
namespace {

using namespace runtime::vulkan;
using runtime::KernelArguments;

/// Memory that is nowhere.
class Addresses {
 public:
  std::byte* take(std::uint64_t bytes) {
    const std::uint64_t address = next_;
    next_ += (bytes + 4095) / 4096 * 4096 + 4096;
    return reinterpret_cast<std::byte*>(address);  // NOLINT: nobody follows it
  }

 private:
  std::uint64_t next_ = std::uint64_t{1} << 40;
};

struct Call {
  Dispatches list;
  CallSizes sizes;
  std::vector<const std::byte*> inputs;
  std::vector<std::byte*> outputs;
  std::byte* scratch = nullptr;

  KernelArguments arguments() const { return {inputs, outputs, scratch}; }
};

/// The bytes of one place go to another one.
Call copy_of(std::uint64_t bytes, const std::byte* from, std::byte* to) {
  KernelSpec spec;
  spec.op = "reshape"_op;
  const OperandDescriptor descriptor{DataType::uint8, Shape{std::uint32_t(bytes)}};
  spec.inputs.push_back(descriptor);
  spec.outputs.push_back(descriptor);
  Call call;
  call.list = gpu_kernels().find(*api::find_kernel("vulkan.view"))->dispatches(spec, {DeviceKind::vulkan});
  call.sizes = CallSizes(spec, 0);
  call.inputs = {from};
  call.outputs = {to};
  return call;
}

/// Calls one after another, as they would be recorded.
struct Chain {
  std::vector<Call> calls;

  std::vector<bool> planned() const {
    std::vector<Accesses> all;
    for (std::uint32_t i = 0; i < calls.size(); ++i)
      for (const Dispatch& dispatch : calls[i].list.dispatches)
        all.push_back(listed_accesses(dispatch, calls[i].arguments(), i + 1));
    return find_barriers(all);
  }
  std::vector<Hazard> hazards(const std::vector<bool>& barriers) const {
    std::vector<KernelArguments> arguments;
    for (const Call& call : calls) arguments.push_back(call.arguments());
    std::vector<std::vector<std::uint32_t>> tables;
    for (std::size_t i = 0; i < calls.size(); ++i)
      for (const Dispatch& dispatch : calls[i].list.dispatches) {
        std::vector<std::uint64_t> addresses;
        append_addresses(dispatch, arguments[i], addresses);
        std::vector<std::uint32_t>& table = tables.emplace_back(dispatch.table.begin(), dispatch.table.end());
        for (std::size_t n = 0; n < addresses.size(); ++n)
          std::memcpy(&table[dispatch.addresses[n].word], &addresses[n], sizeof addresses[n]);
      }
    std::vector<RecordedDispatch> recorded;
    for (std::size_t i = 0; i < calls.size(); ++i)
      for (const Dispatch& dispatch : calls[i].list.dispatches)
        recorded.push_back({&dispatch, std::as_bytes(std::span(tables[recorded.size()])), &arguments[i],
                            &calls[i].sizes, std::uint32_t(i + 1)});
    return find_recorded_hazards(recorded, barriers);
  }
};

/// The call between others that write one of its operands before, read one of its results after, and write over the
/// operand last. All of them one for each operand and result; the call is number 1 of each chain.
std::vector<Chain> chains_around(const RandomCall& random, const KernelRow& kernel) {
  Addresses addresses;
  Call call;
  call.list = gpu_kernels().find({&kernel})->dispatches(random.spec, {DeviceKind::vulkan});
  call.list.unroll();
  call.sizes = CallSizes(random.spec, call.list.scratch_bytes);
  for (const std::uint64_t bytes : call.sizes.inputs)
    call.inputs.push_back(bytes == 0 ? nullptr : addresses.take(bytes));
  for (const std::uint64_t bytes : call.sizes.outputs) call.outputs.push_back(addresses.take(bytes));
  if (call.sizes.scratch != 0) call.scratch = addresses.take(call.sizes.scratch);
  std::byte* const elsewhere = addresses.take(std::uint64_t{1} << 32);
  std::byte* const nowhere = addresses.take(std::uint64_t{1} << 32);
  std::vector<Chain> chains;
  for (std::size_t i = 0; i < call.inputs.size(); ++i)
    for (std::size_t o = 0; o < call.outputs.size(); ++o) {
      if (!call.inputs[i]) continue;
      std::byte* const input = const_cast<std::byte*>(call.inputs[i]);
      chains.push_back({{copy_of(call.sizes.inputs[i], elsewhere, input), call,
                         copy_of(call.sizes.outputs[o], call.outputs[o], nowhere),
                         copy_of(call.sizes.inputs[i], elsewhere, input)}});
    }
  return chains;
}

/// Whether the shader has a specialisation constant of this number.
bool declares(const ShaderCode& shader, std::uint32_t number) {
  constexpr std::uint32_t op_decorate = 71, spec_id = 1;
  for (std::size_t at = 5; at < shader.words.size(); at += shader.words[at] >> 16)
    if ((shader.words[at] & 0xffffu) == op_decorate && shader.words[at + 2] == spec_id &&
        shader.words[at + 3] == number)
      return true;
  return false;
}

struct Counts {
  int removed_barriers = 0, found_accesses = 0, idle_accesses = 0;
};

/// Every barrier is needed, and every access without which a plan is another one is missed.
void check_chain(const Chain& chain, Counts& counts) {
  const std::vector<bool> barriers = chain.planned();
  REQUIRE(chain.hazards(barriers).empty());
  for (std::size_t i = 0; i < barriers.size(); ++i) {
    if (!barriers[i]) continue;
    std::vector<bool> fewer = barriers;
    fewer[i] = false;
    ++counts.removed_barriers;
    REQUIRE_FALSE(chain.hazards(fewer).empty());
  }
  const std::size_t dispatches = chain.calls[1].list.dispatches.size();
  for (std::size_t d = 0; d < std::min<std::size_t>(dispatches, 8); ++d) {
    const std::size_t accesses = chain.calls[1].list.dispatches[d].accesses.size();
    for (std::size_t a = 0; a < accesses; ++a) {
      Chain forgetful = chain;
      auto& list = forgetful.calls[1].list.dispatches[d].accesses;
      list.erase(list.begin() + std::ptrdiff_t(a));
      const std::vector<bool> planned = forgetful.planned();
      if (planned == barriers) {
        ++counts.idle_accesses;
        continue;
      }
      ++counts.found_accesses;
      REQUIRE_FALSE(forgetful.hazards(planned).empty());
    }
  }
}

}  // namespace

TEST_CASE("vulkan recorded: what every kernel's plan lists is what its tables reach, and what is left out is found") {
  std::mt19937 engine(20261122);
  for (const KernelRow& kernel : api::kernel_table()) {
    if (kernel.device != DeviceKind::vulkan) continue;
    CAPTURE(kernel.name);
    const Target target{DeviceKind::vulkan, kernel.features};
    Counts counts;
    int taken = 0;
    for (std::uint16_t i = 0; i < all_operators().size(); ++i) {
      const Operator& op = row(OperatorId{i});
      if (!is_for(kernel, op)) continue;
      std::vector<DataType> types;
      for (std::size_t t = 0; t < data_type_count; ++t)
        if (kernel.types.contains(DataType(t)) && op.operands[0].types.contains(DataType(t)))
          types.push_back(DataType(t));
      for (int attempt = 0, wanted = kernel.op.empty() ? 1 : 4; attempt < 1000 && wanted > 0; ++attempt) {
        const DataType type = types[engine() % types.size()];
        RandomCall call = random_call(OperatorId{i}, type, engine);
        call.spec.constants = random_constants(kernel, call.spec, engine);
        RandomCall longer = call;
        if (engine() % 2 && append_random_post_op(longer, engine) && takes(kernel, longer.spec, target))
          call = std::move(longer);
        if (!takes(kernel, call.spec, target)) continue;
        choose_layouts(kernel, call.spec, engine);
        if (!takes_layouts(kernel, call.spec)) continue;
        arrange_operands(kernel, call, engine);
        CAPTURE(op.name);
        // A driver ignores a constant that the shader lacks, which then computes with its own value.
        for (const Dispatch& dispatch :
             gpu_kernels().find({&kernel})->dispatches(call.spec, {DeviceKind::vulkan}).dispatches)
          for (const auto& [number, value] : dispatch.specialization.values()) {
            CAPTURE(dispatch.shader.name);
            CAPTURE(number);
            if (number > Specialization::most_own) CHECK(declares(dispatch.shader, number));
          }
        for (const Chain& chain : chains_around(call, kernel)) check_chain(chain, counts);
        --wanted;
        ++taken;
      }
    }
    CHECK(taken > 0);
    CHECK(counts.removed_barriers > 0);
    CHECK(counts.found_accesses > 0);
  }
}

TEST_CASE("vulkan recorded: a part of concat that is written behind a barrier is waited for") {
  // The second operand is written just before, so that a barrier stands between the two parts of the result.
  for (const std::uint32_t axis : {0u, 1u}) {
    RandomCall call;
    const TestTensor part = counting(DataType::float32, {3, 5});
    call.inputs = {part, part, part};
    call.spec = operator_spec("concat", call.inputs, {{"axis", int(axis)}});
    std::vector<Chain> chains = chains_around(call, row(*api::find_kernel("vulkan.concat")));
    REQUIRE(chains.size() == 3);
    for (std::size_t operand = 0; operand < chains.size(); ++operand) {
      Chain& chain = chains[operand];
      const std::vector<bool> barriers = chain.planned();
      CHECK(chain.hazards(barriers).empty());
      CHECK(std::count(barriers.begin() + 1, barriers.begin() + 4, true) == 1);  // the parts are not kept apart
      auto& dispatches = chain.calls[1].list.dispatches;
      for (std::size_t i = 1; i < dispatches.size(); ++i) dispatches[i].accesses.pop_back();
      CHECK(chain.hazards(chain.planned()).empty() == (operand == 0));
    }
  }
}

}  // namespace webnn::tests::recorded_test
