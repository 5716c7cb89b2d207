#include "runtime/vulkan/recorded.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <set>

#include "runtime/vulkan/shaders.hpp"

namespace webnn::runtime::vulkan {
namespace {

std::uint64_t number_of(const std::byte* address) { return reinterpret_cast<std::uintptr_t>(address); }

std::uint64_t address_of(const Place& place, const KernelArguments& arguments) {
  switch (place.kind) {
    case Place::Kind::none:
      return 0;
    case Place::Kind::input:
      return number_of(arguments.inputs[place.index]) + place.offset;
    case Place::Kind::output:
      return number_of(arguments.outputs[place.index]) + place.offset;
    case Place::Kind::scratch:
      return number_of(arguments.scratch.memory) + place.offset;
  }
  return 0;
}

template <typename Number>
Number number_at(const RecordedDispatch& recorded, std::size_t word) {
  Number number = 0;
  if ((word * sizeof(std::uint32_t)) + sizeof number <= recorded.table.size())
    std::memcpy(&number, recorded.table.data() + word * sizeof(std::uint32_t), sizeof number);
  return number;
}

/// Memory that a dispatch accesses.
struct Reach {
  std::uint64_t begin, end;
  bool writes;
  bool is_result;
};

/// The scratch addresses at which the dispatches of each call begin their accesses, by call.
using ScratchStarts = std::map<std::uint32_t, std::set<std::uint64_t>>;

struct Addresses {
  std::vector<std::uint64_t> all;  // the nonzero ones
  explicit Addresses(const RecordedDispatch& recorded) {
    for (const Dispatch::Address& address : recorded.dispatch->addresses)
      if (const auto number = number_at<std::uint64_t>(recorded, address.word); number != 0) all.push_back(number);
  }
};

bool in_scratch(const RecordedDispatch& recorded, std::uint64_t address) {
  const std::uint64_t begin = number_of(recorded.arguments->scratch.memory);
  return begin != 0 && address >= begin && address < begin + recorded.sizes->scratch;
}

std::vector<Reach> reach_of(const RecordedDispatch& recorded, const ScratchStarts& starts) {
  std::vector<Reach> reached;
  const CallSizes& sizes = *recorded.sizes;
  for (const std::uint64_t address : Addresses(recorded).all) {
    const auto look = [&](std::uint64_t begin, std::uint64_t bytes, bool is_result) {
      if (begin != 0 && address >= begin && address - begin < bytes)
        reached.push_back({begin, begin + bytes, is_result, is_result});
    };
    for (std::size_t i = 0; i < sizes.inputs.size(); ++i)
      look(number_of(recorded.arguments->inputs[i]), sizes.inputs[i], false);
    for (std::size_t i = 0; i < sizes.outputs.size(); ++i)
      look(number_of(recorded.arguments->outputs[i]), sizes.outputs[i], true);
    if (!in_scratch(recorded, address)) continue;
    const std::set<std::uint64_t>& of_call = starts.at(recorded.call);
    const auto next = of_call.upper_bound(address);
    const std::uint64_t end =
        next == of_call.end() ? number_of(recorded.arguments->scratch.memory) + sizes.scratch : *next;
    reached.push_back({address, end, true, false});
  }
  return reached;
}

/// The box of elements that a dispatch of shaders/movement/copy.comp writes, along the axes of its target.
struct Box {
  std::vector<std::int64_t> strides, first, size;
};
std::optional<Box> written_box(const RecordedDispatch& recorded) {
  if (recorded.dispatch->shader.words.data() != shaders::copy().words.data()) return std::nullopt;
  constexpr std::size_t rank_word = 5, shape_word = 6, strides_word = 22, start_word = 31;  // of its struct Table
  const auto rank = number_at<std::uint32_t>(recorded, rank_word);
  std::int64_t rest = number_at<std::int32_t>(recorded, start_word);
  std::int64_t above = std::int64_t{1} << 32;  // elements covered by one position along the axis before
  Box box;
  for (std::size_t axis = 0; axis < std::min<std::size_t>(rank, max_rank); ++axis) {
    const std::int64_t stride = number_at<std::int32_t>(recorded, strides_word + axis);
    if (stride <= 0) return std::nullopt;
    box.strides.push_back(stride);
    box.first.push_back(rest / stride);
    box.size.push_back(number_at<std::uint32_t>(recorded, shape_word + axis));
    rest %= stride;
    if ((box.first.back() + box.size.back()) * stride > above) return std::nullopt;  // the box wraps around
    above = stride;
  }
  return box;
}

bool are_apart(const RecordedDispatch& a, const RecordedDispatch& b) {
  if (a.call != b.call) return false;
  const auto one = written_box(a), other = written_box(b);
  if (!one || !other || one->strides != other->strides) return false;
  for (std::size_t axis = 0; axis < one->strides.size(); ++axis)
    if (one->first[axis] + one->size[axis] <= other->first[axis] ||
        other->first[axis] + other->size[axis] <= one->first[axis])
      return true;
  return false;
}

bool conflict(const RecordedDispatch& a, std::span<const Reach> of_a, const RecordedDispatch& b,
              std::span<const Reach> of_b) {
  for (const Reach& one : of_a)
    for (const Reach& other : of_b) {
      if (!(one.writes || other.writes) || one.begin >= other.end || other.begin >= one.end) continue;
      const bool same_result = one.is_result && other.is_result && one.begin == other.begin;
      if (!(same_result && are_apart(a, b))) return true;
    }
  return false;
}

}  // namespace

CallSizes::CallSizes(const KernelSpec& spec, std::uint64_t scratch_bytes) : scratch(scratch_bytes) {
  for (const auto& input : spec.inputs) inputs.push_back(input ? byte_length(*input) : 0);
  for (const OperandDescriptor& output : spec.outputs) outputs.push_back(byte_length(output));
}

Accesses listed_accesses(const Dispatch& dispatch, const KernelArguments& arguments, std::uint32_t call) {
  Accesses accesses;
  for (const PlaceAccess& access : dispatch.accesses)
    accesses.push_back({address_of(access.place, arguments), access.bytes, access.writes, access.apart ? call : 0});
  return accesses;
}

void append_addresses(const Dispatch& dispatch, const KernelArguments& arguments, std::vector<std::uint64_t>& to) {
  for (const Dispatch::Address& address : dispatch.addresses) to.push_back(address_of(address.place, arguments));
}

std::vector<Hazard> find_recorded_hazards(std::span<const RecordedDispatch> dispatches,
                                          const std::vector<bool>& barriers) {
  ScratchStarts starts;
  for (const RecordedDispatch& recorded : dispatches)
    for (const std::uint64_t address : Addresses(recorded).all)
      if (in_scratch(recorded, address)) starts[recorded.call].insert(address);
  std::vector<std::vector<Reach>> reached;
  for (const RecordedDispatch& recorded : dispatches) reached.push_back(reach_of(recorded, starts));
  std::vector<Hazard> hazards;
  for (std::size_t second = 1; second < dispatches.size(); ++second)
    for (std::size_t first = second; first-- > 0 && !barriers[first + 1];)
      if (conflict(dispatches[first], reached[first], dispatches[second], reached[second]))
        hazards.push_back({first, second});
  return hazards;
}

}  // namespace webnn::runtime::vulkan
