// Work in rounds: where there is much to do, each invocation does several units of it, because GPUs start workgroups at
// a limited rate.
layout(constant_id = constant_rounds) const uint ROUNDS = 1;

/// The unit of a round. Neighbouring lanes have neighbouring units.
uint unit_of_round(uint round) {
  return (group_index() * ROUNDS + round) * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
}
