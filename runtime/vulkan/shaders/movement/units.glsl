// Units that are moved as they are: an element, or neighbours that together have up to 16 bytes.

void move_unit(uint64_t to, uint target, uint64_t from, uint source, const uint size) {
  if (size == 16) Quads(to).at[target] = Quads(from).at[source];
  else store_bits(to, size, target, load_bits(from, size, source));
}
