// The index in a broadcasting operand of the element for element i of the result.
const uint SAME = 0;    // an operand of the result's shape
const uint SINGLE = 1;  // of a single element
const uint STRIDED = 2;
// Likewise strided, for four neighbouring elements of the result, the first of which is a multiple of four:
const uint NEIGHBOURS = 3;  // likewise in the operand
const uint REPEATED = 4;    // one element of the operand

/// Sets `place` for element `i`. A macro, because arrays that a function takes are copied, and those that are indexed
/// by a loop do not stay in registers. `i` must be inside of the shape.
#define WALK(place, i, rank, shape, strides)               \
  {                                                        \
    place = 0;                                             \
    uint rest = i;                                         \
    for (uint axis = rank; axis-- > 1;) {                  \
      const uint size = shape[axis], outer = rest / size;  \
      place += (rest - outer * size) * uint(strides[axis]); \
      rest = outer;                                        \
    }                                                      \
    place += rest * uint(strides[0]);                      \
  }

uint place_of(const uint form, uint i, uint rank, uint shape[8], int strides[8]) {
  if (form == SAME) return i;
  if (form == SINGLE) return 0;
  uint place = 0;
  uint rest = i;
  for (uint axis = rank; axis-- > 0;) {
    const uint size = shape[axis];
    place += (rest % size) * uint(strides[axis]);
    rest /= size;
  }
  return place;
}
