// Elementwise operators applied to each element of the result before it is stored. The functions here are a template:
// for a program with post-ops, kernels/epilogue.hpp generates another `epilogue` that calls them. Requires the
// constant TYPE, the type of the result and of all operands.
struct PostOperand {
  uint64_t address;
  int strides[8];
};
layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer PostTable {
  uint rank, unused;
  uint shape[8];
  PostOperand operands[];
};

float post_operand(const uint slot, const uint form, const uint i) {
  PostTable post = PostTable(push.post);
  uint place = form == SAME ? i : 0;
  if (form != SAME && form != SINGLE) WALK(place, i, post.rank, post.shape, post.operands[slot].strides)
  return load_real(post.operands[slot].address, TYPE, place);
}

/// A result as separate operators would pass it on: rounded to the type of all results. Most steps take results as they
/// are (kernels/epilogue.cpp).
float stored(const float value) { return as_stored(TYPE, value); }

layout(constant_id = constant_is_template) const bool IS_TEMPLATE = false;  // never set: it keeps the functions in the module

/// Element `i` of the result as it is to be stored.
float epilogue(const float value, const uint i) {
  if (IS_TEMPLATE) return stored(real_binary(i, real_unary(i, value, value, value), post_operand(i, i, i)));
  return value;
}
