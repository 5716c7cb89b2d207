#include "runtime/cpu/simd/product/packed_operand.hpp"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <utility>

#include "schema/elements/aligned_bytes.hpp"
#include "schema/elements/half.hpp"
#include "schema/error.hpp"
#include "schema/text.hpp"

namespace webnn::runtime::simd {

bool are_finite(std::span<const std::byte> floats) {
  for (std::size_t at = 0; at < floats.size(); at += sizeof(float)) {
    float item;
    std::memcpy(&item, floats.data() + at, sizeof item);
    if (!std::isfinite(item)) return false;
  }
  return !floats.empty();
}

template <class T>
PackedConstant Packing<T>::pack(std::span<const std::byte> bytes) const {
  AlignedBytes packed = AlignedBytes::unwritten(elements * sizeof(T));
  write(reinterpret_cast<const T*>(bytes.data()), reinterpret_cast<T*>(packed.data()));
  return {form, std::move(packed).take()};
}

template <class T>
PackedOperand<T>::PackedOperand(Packing<T> packing, const KernelSpec& spec, std::size_t operand, Constants constants,
                                ScratchLayout& scratch)
    : packing_(std::move(packing)), operand_(operand), is_packed_(spec.input_layout(operand) == Layout::private_form) {
  const std::span<const std::byte> constant =
      operand < constants.size() ? constants[operand] : std::span<const std::byte>();
  const std::size_t bytes = packing_.elements * sizeof(T);
  if (is_packed_) {
    if (spec.input_form(operand) != packing_.form || constant.size() != bytes)
      throw Error(ExitCode::program, std::string(row(spec.op).name) + " wants weights of " + std::to_string(bytes) +
                                         " bytes in the form " + in_quotes(packing_.form) + ", but has " +
                                         std::to_string(constant.size()) + " bytes in the form " +
                                         in_quotes(spec.input_form(operand)));
  } else if (!constant.empty()) {
    const auto packed = std::make_shared<const PackedConstant>(packing_.pack(constant));
    owned_ = {packed, reinterpret_cast<const T*>(packed->bytes.data())};
  } else {
    scratch_at_ = scratch.add(bytes);
  }
}

template <class T>
const T* PackedOperand<T>::in(const KernelArguments& arguments) const {
  const auto* operand = reinterpret_cast<const T*>(arguments.inputs[operand_]);
  if (is_packed_) return operand;
  if (owned_) return owned_.get();
  auto* packed = reinterpret_cast<T*>(arguments.scratch + scratch_at_);
  packing_.write(operand, packed);
  return packed;
}

template struct Packing<float>;
template struct Packing<Half>;
template struct Packing<std::uint8_t>;
template class PackedOperand<float>;
template class PackedOperand<Half>;
template class PackedOperand<std::uint8_t>;

}  // namespace webnn::runtime::simd
