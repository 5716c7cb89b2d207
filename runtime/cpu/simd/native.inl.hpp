// What instruction sets do differently, or beyond what Highway offers, behind functions that mean the same everywhere.
// Vector code that includes neither this nor the products of bytes (quantized/) names no instruction set.
#include <cstddef>
#include <cstdint>
#include <hwy/highway.h>
#include <utility>

HWY_BEFORE_NAMESPACE();
namespace webnn::runtime::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// The greater, or lesser, of two floats; `b` when they are equal or either is NaN.
template <class V>
HWY_INLINE V greater_of(V a, V b) {
#if HWY_ARCH_X86
  return hn::Max(a, b);
#else  // where it may return the number of a number and a NaN
  return hn::IfThenElse(hn::Gt(a, b), a, b);
#endif
}
template <class V>
HWY_INLINE V lesser_of(V a, V b) {
#if HWY_ARCH_X86
  return hn::Min(a, b);
#else
  return hn::IfThenElse(hn::Lt(a, b), a, b);
#endif
}

/// Whether partial loads and stores touch only the memory of the lanes in their mask.
inline constexpr bool masks_memory = HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2;

/// The first `count` (at most all) elements, followed by the lanes of `others`.
template <class D>
HWY_INLINE hn::Vec<D> load_first(D d, const float* p, std::size_t count, hn::Vec<D> others) {
  if constexpr (masks_memory) {
    const auto mask = hn::FirstN(d, count);
    return hn::IfThenElse(mask, hn::MaskedLoad(mask, d, p), others);
  } else {
    HWY_ALIGN float lanes[hn::MaxLanes(D())];
    hn::Store(others, d, lanes);
    for (std::size_t i = 0; i < HWY_MIN(count, hn::MaxLanes(d)); ++i) lanes[i] = p[i];
    return hn::Load(d, lanes);
  }
}
/// Stores the first `count` (at most all) lanes.
template <class D>
HWY_INLINE void store_first(hn::Vec<D> v, D d, float* p, std::size_t count) {
  if constexpr (masks_memory) {
    hn::BlendedStore(v, hn::FirstN(d, count), d, p);
  } else {
    HWY_ALIGN float lanes[hn::MaxLanes(D())];
    hn::Store(v, d, lanes);
    for (std::size_t i = 0; i < HWY_MIN(count, hn::MaxLanes(d)); ++i) p[i] = lanes[i];
  }
}

/// Keeps what was loaded in a register. GCC likes to make the load an operand of each instruction that uses it, and then
/// loads, of which there are two in a cycle, take longer than the arithmetic.
template <class V>
HWY_INLINE V in_register(V v) {
#if HWY_ARCH_X86 && HWY_COMPILER_GCC && HWY_TARGET <= HWY_AVX3  // with 16 registers it has reasons to
  asm("" : "+v"(v.raw));
#endif
  return v;
}

/// f(i) for i from 0 to n - 1. `f` is a lambda with UNROLLED after its parameters. Where GCC optimises there is no loop, so
/// that each i is a constant before GCC decides which arrays stay in registers. Elsewhere compilation would take minutes.
#define UNROLLED HWY_ATTR __attribute__((always_inline))
template <std::size_t n, class F>
HWY_INLINE void unrolled(F f) {
#if HWY_COMPILER_GCC_ACTUAL && defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  [&]<std::size_t... i>(std::index_sequence<i...>) UNROLLED { (f(i), ...); }
  (std::make_index_sequence<n>());
#else
  for (std::size_t i = 0; i < n; ++i) f(i);
#endif
}

/// What TableLookupBytesOr0 does with indices 16 to 127: it takes their lowest four bits, or else gives 0.
inline constexpr bool look_ups_wrap = HWY_ARCH_X86;

/// The bits that are right in ApproximateReciprocal and ApproximateReciprocalSqrt; a step of Newton's method doubles
/// them.
inline constexpr unsigned estimated_bits = !HWY_ARCH_X86 ? 8 : HWY_TARGET <= HWY_AVX3 ? 14 : 11;

/// Whether `look_up` is one instruction.
#define LOOKS_UP_16 (HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3)
#if LOOKS_UP_16
using Floats16 = hn::FixedTag<float, 16>;
/// table[lowest four bits of each index]
HWY_INLINE hn::Vec<Floats16> look_up(const float* table, hn::Vec<hn::RebindToSigned<Floats16>> indices) {
  return hn::Vec<Floats16>{_mm512_permutexvar_ps(indices.raw, _mm512_load_ps(table))};
}
#endif

/// x * 2^n for integral n in [-300, 300], rounded once. Where `look_up` is an instruction, n may be any number, and is
/// rounded down.
template <class V>
HWY_INLINE V scale(V x, V n) {
#if LOOKS_UP_16
  return V{_mm512_scalef_ps(x.raw, n.raw)};
#else  // in two multiplications, because 2^n may not be a normal number
  const hn::DFromV<V> d;
  const hn::RebindToSigned<decltype(d)> di;
  const auto exponent = hn::NearestInt(n);
  const auto half = hn::ShiftRight<1>(exponent);
  const auto power = [=](auto e) HWY_ATTR { return hn::BitCast(d, hn::ShiftLeft<23>(hn::Add(e, hn::Set(di, 127)))); };
  return hn::Mul(hn::Mul(x, power(half)), power(hn::Sub(exponent, half)));
#endif
}

}  // namespace webnn::runtime::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
