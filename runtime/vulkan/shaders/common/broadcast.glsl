// The index in a broadcasting operand of the element for element i of the result. FORM is 0 for an operand of the
// result's shape, 1 for a single element, 2 for anything else.
uint place_of(const uint form, uint i, uint rank, uint shape[8], int strides[8]) {
  if (form == 0) return i;
  if (form == 1) return 0;
  uint place = 0;
  uint rest = i;
  for (uint axis = rank; axis-- > 0;) {
    const uint size = shape[axis];
    place += (rest % size) * uint(strides[axis]);
    rest /= size;
  }
  return place;
}
