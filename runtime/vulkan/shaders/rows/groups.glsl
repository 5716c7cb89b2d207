// Rows of elements that are folded by a single invocation, or by a workgroup together.
layout(constant_id = constant_shares_row) const bool TOGETHER = false;

const uint MOST_LANES = 64;
shared Wide lanes[MOST_LANES];

uint row_index() { return TOGETHER ? group_index() : invocation_index(); }
uint first_element() { return TOGETHER ? gl_LocalInvocationID.x : 0; }
/// The first element that the invocation takes from the part of the row beginning at `first`.
uint first_of_part(uint first) { return first + first_element(); }
uint element_step() { return TOGETHER ? gl_WorkGroupSize.x : 1; }

Wide combine(const uint how, Wide a, Wide b);

/// Combines the values of all lanes of a workgroup; every lane gets the result. All lanes of the workgroup must call
/// it.
Wide fold_lanes(const uint how, Wide value) {
  if (!TOGETHER) return value;
  const uint lane = gl_LocalInvocationID.x;
  lanes[lane] = value;
  barrier();
  for (uint width = gl_WorkGroupSize.x / 2; width > 0; width /= 2) {
    if (lane < width) lanes[lane] = combine(how, lanes[lane], lanes[lane + width]);
    barrier();
  }
  const Wide result = lanes[0];
  barrier();
  return result;
}
