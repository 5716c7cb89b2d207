// Products of a few rows with a packed panel of columns, for one instruction set: the inner loop of kernels that
// multiply matrices. All sums stay in registers from the first product to the last. Included after float_io.inl.hpp.
#include <cstddef>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace webnn::runtime::simd::HWY_NAMESPACE {

/// Columns of a panel: two vectors. A panel is [depth][panel_columns].
inline constexpr std::size_t panel_columns = HWY_TARGET == HWY_AVX3 ? 32 : 16;
/// Rows whose sums fit into the registers beside a line of the panel.
inline constexpr std::size_t product_rows = HWY_TARGET == HWY_AVX3 ? 12 : 6;

/// to[row][column] = the sum of a[row][k] * panel[k][column] over all k; a has a row every `a_row` floats, and `to` one
/// every panel_columns.
template <std::size_t rows>
void multiply_panel(const float* HWY_RESTRICT a, std::size_t a_row, std::size_t depth, const float* HWY_RESTRICT panel,
                    float* HWY_RESTRICT to) {
  V left[rows], right[rows];
  HWY_UNROLL(12)
  for (std::size_t row = 0; row < rows; ++row) left[row] = right[row] = hn::Zero(Float());
  for (std::size_t k = 0; k < depth; ++k, panel += panel_columns) {
    const V l = load(panel), r = load(panel + panel_columns / 2);
    HWY_UNROLL(12)
    for (std::size_t row = 0; row < rows; ++row) {
      const V factor = set(a[row * a_row + k]);
      left[row] = hn::MulAdd(factor, l, left[row]);
      right[row] = hn::MulAdd(factor, r, right[row]);
    }
  }
  HWY_UNROLL(12)
  for (std::size_t row = 0; row < rows; ++row) {
    store(left[row], to + row * panel_columns);
    store(right[row], to + row * panel_columns + panel_columns / 2);
  }
}

using PanelProduct = void(const float* a, std::size_t a_row, std::size_t depth, const float* panel, float* to);
/// multiply_panel by its number of rows, 1 to product_rows.
inline constexpr PanelProduct* panel_products[] = {
    nullptr,           multiply_panel<1>, multiply_panel<2>, multiply_panel<3>,  multiply_panel<4>,  multiply_panel<5>,
    multiply_panel<6>,
#if HWY_TARGET == HWY_AVX3
    multiply_panel<7>, multiply_panel<8>, multiply_panel<9>, multiply_panel<10>, multiply_panel<11>, multiply_panel<12>,
#endif
};
static_assert(sizeof(panel_products) / sizeof(panel_products[0]) == product_rows + 1);

}  // namespace webnn::runtime::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
