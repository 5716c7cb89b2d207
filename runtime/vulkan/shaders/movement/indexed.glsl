// Indices into an axis: a negative one counts from the end, and one that is still out of range is clamped to the edge.
int resolve(int64_t index, int size) {
  return int(clamp(index < 0 ? index + size : index, int64_t(0), int64_t(size - 1)));
}
