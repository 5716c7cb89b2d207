// Time steps of lstm and gru, for one instruction set; included by recurrent.cpp. A tile is a few batches times one
// vector of units with all their gates; its sums stay in registers from the weights to the new state.
#include <cstddef>
#include <cstdint>
#include <hwy/highway.h>

// clang-format off
#include "runtime/cpu/simd/elementwise/elementwise_math.inl.hpp"
#include "runtime/cpu/simd/float_io.inl.hpp"
#include "runtime/cpu/simd/product/sum_blocks.inl.hpp"
// clang-format on
#include "runtime/cpu/simd/recurrent/recurrent.hpp"

HWY_BEFORE_NAMESPACE();
namespace webnn::runtime::simd::HWY_NAMESPACE {

inline constexpr std::size_t group_units = 16;
/// The maximum batches of a tile: with four gates, all sums fit in registers.
inline constexpr std::size_t most_rows = VECTOR_REGISTERS >= 32 ? 6 : 3;

/// sums[row][i] += factors[row] * weights[i], where the vectors of weights are `step` elements apart.
template <class D, std::size_t rows, std::size_t vectors, class Weight>
HWY_INLINE void add_products(D d, const Weight* weights, std::size_t step, const float* factors, std::size_t x_row,
                             hn::Vec<D> (&sums)[rows][vectors]) {
  hn::Vec<D> factor[rows];
  HWY_UNROLL(6)
  for (std::size_t row = 0; row < rows; ++row) factor[row] = hn::Set(d, factors[row * x_row]);
  HWY_UNROLL(16)
  for (std::size_t i = 0; i < vectors; ++i) {
    const hn::Vec<D> w = load(d, weights + i * step);
    HWY_UNROLL(6)
    for (std::size_t row = 0; row < rows; ++row) sums[row][i] = hn::MulAdd(factor[row], w, sums[row][i]);
  }
}

/// sums[row][i] = sum over k of x[row][k] * panel[k][i]. A line of a panel is `line` elements, its vectors are `step`
/// apart; rows of x are `x_row` floats apart. The caller adds the other terms afterwards: if the sum started with a
/// large bias, every small product would be rounded to the bias's last digit.
template <class D, std::size_t rows, std::size_t vectors, class Weight>
HWY_INLINE void sum_products(D d, const Weight* panel, std::size_t line, std::size_t step, std::size_t depth,
                             const float* x, std::size_t x_row, hn::Vec<D> (&sums)[rows][vectors]) {
  HWY_UNROLL(6)
  for (std::size_t row = 0; row < rows; ++row) {
    HWY_UNROLL(16)
    for (std::size_t i = 0; i < vectors; ++i) sums[row][i] = hn::Zero(d);
  }
  std::size_t k = 0;
  // A second accumulator hides the latency of the additions, if there are registers for it, a factor and a weight.
  if constexpr (rows <= 2 && rows * vectors <= 8 && rows * (2 * vectors + 1) < VECTOR_REGISTERS) {
    hn::Vec<D> more[rows][vectors];
    HWY_UNROLL(2)
    for (std::size_t row = 0; row < rows; ++row) {
      HWY_UNROLL(16)
      for (std::size_t i = 0; i < vectors; ++i) more[row][i] = hn::Zero(d);
    }
    for (; k + 2 <= depth; k += 2) {
      add_products(d, panel + k * line, step, x + k, x_row, sums);
      add_products(d, panel + (k + 1) * line, step, x + k + 1, x_row, more);
    }
    HWY_UNROLL(2)
    for (std::size_t row = 0; row < rows; ++row) {
      HWY_UNROLL(16)
      for (std::size_t i = 0; i < vectors; ++i) sums[row][i] = hn::Add(sums[row][i], more[row][i]);
    }
  }
  for (; k < depth; ++k) add_products(d, panel + k * line, step, x + k, x_row, sums);
}

/// sum_products for a vector of units of all gates.
template <std::size_t rows, std::size_t gates>
HWY_INLINE void multiply(const float* panel, std::size_t line, std::size_t depth, const float* x, std::size_t x_row,
                         V (&sums)[rows][gates]) {
  sum_products(Float(), panel, line, group_units, depth, x, x_row, sums);
}
template <std::size_t rows, std::size_t gates>
HWY_INLINE void multiply(const schema::Half* panel, std::size_t line, std::size_t depth, const float* x,
                         std::size_t x_row, V (&sums)[rows][gates]) {
  if constexpr (hn::MaxLanes(Float()) > hn::MaxLanes(Float8())) {
    constexpr std::size_t part = group_units / 2;
    hn::Vec<Float8> low[rows][gates], high[rows][gates];
    if constexpr (rows <= 2) {  // all sums at once
      hn::Vec<Float8> parts[rows][2 * gates];
      sum_products(Float8(), panel, line, part, depth, x, x_row, parts);
      HWY_UNROLL(2)
      for (std::size_t row = 0; row < rows; ++row) {
        HWY_UNROLL(4)
        for (std::size_t gate = 0; gate < gates; ++gate) {
          low[row][gate] = parts[row][2 * gate];
          high[row][gate] = parts[row][2 * gate + 1];
        }
      }
    } else {
      sum_products(Float8(), panel, line, group_units, depth, x, x_row, low);
      sum_products(Float8(), panel + part, line, group_units, depth, x, x_row, high);
    }
    HWY_UNROLL(6)
    for (std::size_t row = 0; row < rows; ++row) {
      HWY_UNROLL(4)
      for (std::size_t gate = 0; gate < gates; ++gate)
        sums[row][gate] = hn::Combine(Float(), high[row][gate], low[row][gate]);
    }
  } else {
    sum_products(Float(), panel, line, group_units, depth, x, x_row, sums);
  }
}

/// multiply for `units` vectors of units, side by side: lines of the cache that are longer than a vector are read once.
template <std::size_t rows, std::size_t gates, std::size_t units, class Weight>
HWY_INLINE void multiply(const Weight* panel, std::size_t line, std::size_t depth, const float* x, std::size_t x_row,
                         V (&sums)[units][rows][gates]) {
  if constexpr (units == 1) {
    multiply(panel, line, depth, x, x_row, sums[0]);
  } else {
    constexpr std::size_t lanes_of_vector = hn::MaxLanes(Float());
    static_assert(units * lanes_of_vector == group_units);
    V all[rows][gates * units];
    sum_products(Float(), panel, line, lanes_of_vector, depth, x, x_row, all);
    HWY_UNROLL(4)
    for (std::size_t unit = 0; unit < units; ++unit) {
      HWY_UNROLL(6)
      for (std::size_t row = 0; row < rows; ++row) {
        HWY_UNROLL(4)
        for (std::size_t gate = 0; gate < gates; ++gate) sums[unit][row][gate] = all[row][gate * units + unit];
      }
    }
  }
}

/// Calls body.template operator()<rows>(first row) for tiles that together cover `count` rows.
template <typename Body>
HWY_INLINE void for_each_tile(std::size_t count, Body&& body) {
  std::size_t row = 0;
  for (; row + most_rows <= count; row += most_rows) body.template operator()<most_rows>(row);
  for (; row + 2 <= count; row += 2) body.template operator()<2>(row);
  if (row < count) body.template operator()<1>(row);
}

/// Projects groups [begin, end). All rows take their products with one block of a panel before the next, so that it is in
/// the L1 cache.
template <std::size_t gates, class Weight>
void project(const Projection<Weight>& p, std::size_t begin, std::size_t end) {
  constexpr std::size_t line = gates * group_units;
  const std::size_t block = block_length(p.depth, long_block);
  for (std::size_t group = begin; group < end; ++group)
    for (std::size_t k = 0; k < p.depth; k += block)
      for (std::size_t unit = 0; unit < group_units; unit += lanes()) {
        const std::size_t at = group * line + unit, depth = HWY_MIN(block, p.depth - k);
        const Weight* panel = p.panels + (group * p.depth + k) * line + unit;
        for_each_tile(p.rows, [&]<std::size_t rows>(std::size_t first) HWY_ATTR {
          V sums[rows][gates];
          multiply(panel, line, depth, p.x + first * p.depth + k, p.depth, sums);
          HWY_UNROLL(6)
          for (std::size_t row = 0; row < rows; ++row) {
            HWY_UNROLL(4)
            for (std::size_t gate = 0; gate < gates; ++gate) {
              float* const to = p.to + (first + row) * p.row + at + gate * group_units;
              store(k == 0 ? sums[row][gate] : hn::Add(sums[row][gate], load(to)), to);
            }
          }
        });
      }
}

HWY_INLINE V activate(Activation activation, V x) {
  switch (activation) {
    case Activation::sigmoid:
      return logistic(x);
    case Activation::tanh:
      return hyperbolic_tangent(x);
    case Activation::relu:
      break;
  }
  return hn::IfThenElse(hn::Le(x, hn::Zero(Float())), hn::Zero(Float()), x);  // NaN stays NaN
}

/// Loads or stores units of a state: a vector, or what is left of one.
HWY_INLINE V load_units(const float* p, std::size_t count) {
  return count >= lanes() ? load(p) : load_first(p, count, hn::Zero(Float()));
}
HWY_INLINE void store_units(V v, float* p, std::size_t count) {
  if (count >= lanes()) {
    store(v, p);
  } else {
    store_first(v, p, count);
  }
}

/// For tiles of batches and units of groups [begin, end), calls body.template operator()<rows, units>(first batch, group,
/// first unit in the group); `units`: vectors of units in a tile.
template <typename Body>
HWY_INLINE void for_each_state_tile(std::size_t batches, std::size_t hidden, std::size_t begin, std::size_t end,
                                    Body&& body) {
  for (std::size_t group = begin; group < end; ++group) {
    if (batches == 1) {
      body.template operator()<1, group_units / hn::MaxLanes(Float())>(0, group, 0);
      continue;
    }
    for (std::size_t in_group = 0; in_group < group_units; in_group += lanes()) {
      if (group * group_units + in_group >= hidden) return;
      for_each_tile(batches, [&]<std::size_t rows>(std::size_t batch)
                                 HWY_ATTR { body.template operator()<rows, 1>(batch, group, in_group); });
    }
  }
}

/// Calls body(sums, units in the group before, unit, units left) for each vector of units of a tile.
template <std::size_t units, class Sums, typename Body>
HWY_INLINE void for_each_vector(Sums (&sums)[units], std::size_t hidden, std::size_t group, std::size_t first,
                                Body&& body) {
  HWY_UNROLL(4)
  for (std::size_t i = 0; i < units; ++i) {
    const std::size_t in_group = first + i * lanes(), unit = group * group_units + in_group;
    if (unit < hidden) body(sums[i], in_group, unit, hidden - unit);
  }
}

/// The biases are added last: a product is not rounded to the last digit of a bias that is larger.
HWY_INLINE V add_terms(V sum, const float* projected, const float* bias) {
  return hn::Add(hn::Add(sum, load(projected)), load(bias));
}

/// c' = f * c + i * g, h' = o * filter(c'); the gates i, o, f and g come in this order.
template <class Weight>
void lstm_step(const LstmStep<Weight>& s, std::size_t begin, std::size_t end) {
  constexpr std::size_t gates = 4, line = gates * group_units;
  for_each_state_tile(
      s.batches, s.hidden, begin, end,
      [&]<std::size_t rows, std::size_t units>(std::size_t batch, std::size_t group, std::size_t first) HWY_ATTR {
        V all[units][rows][gates];
        multiply(s.panels + group * s.hidden * line + first, line, s.hidden, s.h + batch * s.hidden, s.hidden, all);
        for_each_vector(all, s.hidden, group, first,
                        [&](V(&sums)[rows][gates], std::size_t in_group, std::size_t unit, std::size_t left) HWY_ATTR {
                          const float* const projected = s.projected + batch * s.row + group * line + in_group;
                          const float* const bias = s.bias + group * line + in_group;
                          HWY_UNROLL(6)
                          for (std::size_t row = 0; row < rows; ++row) {
                            HWY_UNROLL(4)
                            for (std::size_t gate = 0; gate < gates; ++gate)
                              sums[row][gate] = add_terms(sums[row][gate], projected + row * s.row + gate * group_units,
                                                          bias + gate * group_units);
                            const std::size_t at = (batch + row) * s.hidden + unit;
                            const V c = load_units(s.c + at, left);
                            V i = sums[row][0], o = sums[row][1], f = sums[row][2];
                            if (s.peepholes != nullptr) {
                              i = hn::MulAdd(load_units(s.peepholes + unit, left), c, i);
                              o = hn::MulAdd(load_units(s.peepholes + s.hidden + unit, left), c, o);
                              f = hn::MulAdd(load_units(s.peepholes + 2 * s.hidden + unit, left), c, f);
                            }
                            const V added = hn::Mul(activate(s.gate, i), activate(s.candidate, sums[row][3]));
                            const V next = hn::MulAdd(activate(s.gate, f), c, added);
                            store_units(next, s.c + at, left);
                            store_units(hn::Mul(activate(s.gate, o), activate(s.filter, next)), s.next_h + at, left);
                          }
                        });
      });
}

/// z * h + (1 - z) * n
HWY_INLINE V mixed(V z, V h, V n) { return hn::MulAdd(z, h, hn::NegMulAdd(z, n, n)); }

/// A time step where r acts on the product of the new gate's weights: h' = z * h + (1 - z) * candidate(x_n + r * h_n).
template <class Weight>
void gru_step(const GruStep<Weight>& s, std::size_t begin, std::size_t end) {
  constexpr std::size_t gates = 3, line = gates * group_units;
  for_each_state_tile(
      s.batches, s.hidden, begin, end,
      [&]<std::size_t rows, std::size_t units>(std::size_t batch, std::size_t group, std::size_t first) HWY_ATTR {
        V all[units][rows][gates];
        multiply(s.panels + group * s.hidden * line + first, line, s.hidden, s.h + batch * s.hidden, s.hidden, all);
        for_each_vector(
            all, s.hidden, group, first,
            [&](V(&sums)[rows][gates], std::size_t in_group, std::size_t unit, std::size_t left) HWY_ATTR {
              const float* const projected = s.projected + batch * s.row + group * line + in_group;
              const float* const bias = s.bias + group * line + in_group;
              HWY_UNROLL(6)
              for (std::size_t row = 0; row < rows; ++row) {
                sums[row][0] = add_terms(sums[row][0], projected + row * s.row, bias);
                sums[row][1] = add_terms(sums[row][1], projected + row * s.row + group_units, bias + group_units);
                sums[row][2] = hn::Add(sums[row][2], load(s.n_bias + group * group_units + in_group));
                const std::size_t at = (batch + row) * s.hidden + unit;
                const V of_product = hn::MulAdd(activate(s.gate, sums[row][1]), sums[row][2],
                                                load(projected + row * s.row + 2 * group_units));
                const V n = activate(s.candidate, hn::Add(of_product, load(bias + 2 * group_units)));
                store_units(mixed(activate(s.gate, sums[row][0]), load_units(s.h + at, left), n), s.next_h + at, left);
              }
            });
      });
}

/// A time step where r acts on the hidden state, in two halves: first z and r * h, which all units of the second half
/// need.
template <class Weight>
void gru_step_gates(const GruStep<Weight>& s, std::size_t begin, std::size_t end) {
  constexpr std::size_t line = 3 * group_units;
  for_each_state_tile(
      s.batches, s.hidden, begin, end,
      [&]<std::size_t rows, std::size_t units>(std::size_t batch, std::size_t group, std::size_t first) HWY_ATTR {
        V all[units][rows][2];
        multiply(s.panels + group * s.hidden * line + first, line, s.hidden, s.h + batch * s.hidden, s.hidden, all);
        for_each_vector(
            all, s.hidden, group, first,
            [&](V(&sums)[rows][2], std::size_t in_group, std::size_t unit, std::size_t left) HWY_ATTR {
              const float* const projected = s.projected + batch * s.row + group * line + in_group;
              const float* const bias = s.bias + group * line + in_group;
              HWY_UNROLL(6)
              for (std::size_t row = 0; row < rows; ++row) {
                sums[row][0] = add_terms(sums[row][0], projected + row * s.row, bias);
                sums[row][1] = add_terms(sums[row][1], projected + row * s.row + group_units, bias + group_units);
                const std::size_t at = (batch + row) * s.hidden + unit;
                store_units(activate(s.gate, sums[row][0]), s.z + at, left);
                store_units(hn::Mul(activate(s.gate, sums[row][1]), load_units(s.h + at, left)), s.reset + at, left);
              }
            });
      });
}
template <class Weight>
void gru_step_state(const GruStep<Weight>& s, std::size_t begin, std::size_t end) {
  constexpr std::size_t line = 3 * group_units, n_gate = 2 * group_units;
  for_each_state_tile(
      s.batches, s.hidden, begin, end,
      [&]<std::size_t rows, std::size_t units>(std::size_t batch, std::size_t group, std::size_t first) HWY_ATTR {
        V all[units][rows][1];
        multiply(s.panels + group * s.hidden * line + n_gate + first, line, s.hidden, s.reset + batch * s.hidden,
                 s.hidden, all);
        for_each_vector(
            all, s.hidden, group, first,
            [&](V(&sums)[rows][1], std::size_t in_group, std::size_t unit, std::size_t left) HWY_ATTR {
              HWY_UNROLL(6)
              for (std::size_t row = 0; row < rows; ++row) {
                const std::size_t at = (batch + row) * s.hidden + unit;
                const std::size_t gate = group * line + n_gate + in_group;
                const V n = activate(
                    s.candidate, add_terms(sums[row][0], s.projected + (batch + row) * s.row + gate, s.bias + gate));
                store_units(mixed(load_units(s.z + at, left), load_units(s.h + at, left), n), s.next_h + at, left);
              }
            });
      });
}

}  // namespace webnn::runtime::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
