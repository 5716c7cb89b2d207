// Rows of elements, of which a workgroup folds ROWS at a time: its lanes divide each row, or a part of it, among
// themselves. The plan is made by kernels/groups/row_groups.cpp.
//
// The including shader defines Folded, the type of what is folded, and combine().
layout(constant_id = constant_rows_of_group) const uint ROWS = 1;             // a power of two
layout(constant_id = constant_interleaved) const bool INTERLEAVED = false;  // neighbouring lanes have neighbouring rows
layout(constant_id = constant_row_vectors) const bool VECTORS = false;      // a lane's four elements are neighbours; else they are LANES apart

const uint GROUP = 128;  // invocations of a workgroup
const uint LANES = GROUP / ROWS;
const uint STEP = 4 * LANES;  // elements that all lanes of a row take together

shared Folded folded[GROUP];

uint own_lane() { return INTERLEAVED ? gl_LocalInvocationID.x / ROWS : gl_LocalInvocationID.x % LANES; }
uint own_row() { return INTERLEAVED ? gl_LocalInvocationID.x % ROWS : gl_LocalInvocationID.x / LANES; }
/// The first of the four elements that the invocation takes from those beginning at `begin`.
uint first_of_lane(uint begin) { return begin + (VECTORS ? 4 * own_lane() : own_lane()); }
/// The distance between the four.
const uint GAP = VECTORS ? 1 : LANES;
/// Whether the `k`-th of the four from `n` on is there; `n` itself is.
bool is_inside(uint n, uint k, uint end) { return VECTORS || n + k * GAP < end; }

Folded combine(const uint how, Folded a, Folded b);

/// Combines the values of all lanes of a row; each of them gets the result. All invocations of the workgroup must call
/// it. The order is always the same.
Folded fold(const uint how, Folded value) {
  if (LANES == 1) return value;
  const uint lane = own_lane(), place = gl_LocalInvocationID.x, near = INTERLEAVED ? ROWS : 1;
  folded[place] = value;
  barrier();
  for (uint width = LANES; width > 1;) {
    const uint next = (width + 3) / 4;
    if (lane < next) {
      Folded sum = folded[place];
      for (uint other = lane + next; other < width; other += next)
        sum = combine(how, sum, folded[place + (other - lane) * near]);
      folded[place] = sum;
    }
    barrier();
    width = next;
  }
  const Folded result = folded[INTERLEAVED ? own_row() : own_row() * LANES];
  barrier();
  return result;
}
