// The choice of the code that multiplies tiles; see the header.
#include "runtime/cpu/simd/product/tile_product.hpp"

#ifdef TILE_ISAS

#define HWY_TARGET_INCLUDE "runtime/cpu/simd/product/tile_product.inl.hpp"
#include "runtime/cpu/simd/for_tiles.hpp"

namespace webnn::runtime::simd {

MultiplyTiles* tile_multiplication(Isa isa) { return VECTOR_CODE(isa, tile_product::multiply); }

}  // namespace webnn::runtime::simd

#else

namespace webnn::runtime::simd {

MultiplyTiles* tile_multiplication(Isa) { return nullptr; }

}  // namespace webnn::runtime::simd

#endif
