// The sums of a register block whose products are added up in pairs, for one instruction set. Included after float_io.inl.hpp.
#include <cstddef>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace webnn::runtime::simd::HWY_NAMESPACE {

/// The sums of a register block with one vector of columns, or half of one, of type `D`: even products are in one lane, odd
/// ones in the next. So a load of two elements serves twice as many products; with a load for each, products of one vector
/// would wait for loads. A line of the panel is [columns][2].
template <class D, std::size_t rows>
struct PairedBlock {
  static constexpr std::size_t lanes_of_vector = hn::MaxLanes(Float()), width = 2 * hn::MaxLanes(D()), products = 2;
  static constexpr std::size_t vectors = HWY_MAX(width / lanes_of_vector, 1);

  V sums[rows * vectors];

  HWY_INLINE PairedBlock() {}

  HWY_INLINE void clear() {
    unrolled<rows * vectors>([&](std::size_t i) UNROLLED { sums[i] = hn::Zero(Float()); });
  }
  template <class Rows>
  HWY_INLINE void add(const Rows& from, const float* HWY_RESTRICT line) {
    V weights[vectors];
    unrolled<vectors>([&](std::size_t i) UNROLLED { weights[i] = load(line + i * lanes_of_vector); });
    unrolled<rows>([&](std::size_t r) UNROLLED {
      const V factors = load_pair(from.at(r));
      unrolled<vectors>([&](std::size_t i) UNROLLED {
        sums[r * vectors + i] = hn::MulAdd(factors, weights[i], sums[r * vectors + i]);
      });
    });
  }
  HWY_INLINE void add_to(float* HWY_RESTRICT totals, bool are_first) const {
    unrolled<rows * vectors>([&](std::size_t i) UNROLLED {
      float* const at = totals + i * lanes_of_vector;
      store(are_first ? sums[i] : hn::Add(load(at), sums[i]), at);
    });
  }
  HWY_INLINE void add_from(const float* HWY_RESTRICT totals) {
    unrolled<rows * vectors>([&](std::size_t i)
                                 UNROLLED { sums[i] = hn::Add(sums[i], load(totals + i * lanes_of_vector)); });
  }
  /// The sums of a row: of both lanes of each pair.
  HWY_INLINE hn::Vec<D> sum(std::size_t r) const {
    const Float d;
    const V lower = sums[r * vectors], upper = sums[r * vectors + vectors - 1];
    const V both = hn::Add(hn::ConcatEven(d, upper, lower), hn::ConcatOdd(d, upper, lower));
    if constexpr (vectors == 1) {
      return hn::LowerHalf(D(), both);
    } else {
      return both;
    }
  }
};

}  // namespace webnn::runtime::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
