// Elementwise operators on an element of the result before it is stored. The functions here are what they are made of:
// where a program has some, kernels/expression.hpp writes another `epilogue` that calls them. Needs the constant TYPE,
// that of the result and of all operands.
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
  const uint place = place_of(form, i, post.rank, post.shape, post.operands[slot].strides);
  return load_real(post.operands[slot].address, TYPE, place);
}

/// What a step gives, as the operators without each other would hand it on: rounded to the type of the result.
float stored(const float value) { return as_stored(TYPE, value); }

layout(constant_id = 20) const bool IS_TEMPLATE = false;  // never set: it keeps the functions in the module

/// Element `i` of the result as it is stored.
float epilogue(const float value, const uint i) {
  if (IS_TEMPLATE) return stored(real_binary(i, real_unary(i, value, value, value), post_operand(i, i, i)));
  return value;
}
