// Graphs of many nodes: compilation and binding take linear time. Allocations stand for time here, because they can be
// counted; what compares each output with each other allocates nothing, so those counts of comparisons are asked too.
#include <doctest/doctest.h>

#include "api/webnn.hpp"
#include "tests/harness/machine/allocation_counter.hpp"
#include "tests/harness/skip.hpp"

namespace webnn::tests::many_outputs_test {
namespace {

using Shape = void (*)(GraphBuilder& builder, const Operand& x, int nodes, NamedOperands& outputs);

void outputs_each(GraphBuilder& builder, const Operand& x, int nodes, NamedOperands& outputs) {
  for (int i = 0; i < nodes; ++i)
    outputs.emplace("y" + std::to_string(i), builder.mul(x, builder.constant(DataType::float32, i + 0.5)));
}
void chain(GraphBuilder& builder, const Operand& x, int nodes, NamedOperands& outputs) {
  Operand last = x;
  for (int i = 0; i < nodes; ++i) last = i % 2 ? builder.add(last, x) : builder.matmul(last, x);
  outputs.emplace("y", last);
}
void ladder(GraphBuilder& builder, const Operand& x, int nodes, NamedOperands& outputs) {
  Operand last = x;
  for (int i = 0; i < nodes / 3; ++i) last = builder.add(builder.sin(last), builder.cos(last));
  outputs.emplace("y", last);
}

std::uint64_t allocations_for(Shape shape, int nodes) {
  Context context({.threads = 1});
  const AllocationCounter counter;
  GraphBuilder builder(context);
  const Operand x = builder.input("x", DataType::float32, {2, 2});
  NamedOperands outputs;
  shape(builder, x, nodes, outputs);
  const Graph graph = builder.build(outputs);
  NamedTensors inputs, results;
  inputs.emplace("x", context.createTensor({.shape = {2, 2}, .writable = true}));
  for (const NamedDescriptor& output : graph.outputs())
    results.emplace(output.name, context.createTensor({.shape = {2, 2}, .readable = true}));
  context.compute(graph, inputs, results);
  return counter.everywhere();
}

}  // namespace

TEST_CASE("security: graphs of many nodes and outputs are compiled and bound in linear time") {
  if (!allocations_are_counted()) return skip("a sanitizer has its own operator new");
  for (const Shape shape : {outputs_each, chain, ladder}) {
    allocations_for(shape, 30);  // what is made once
    const double few = double(allocations_for(shape, 500)), many = double(allocations_for(shape, 2000));
    CHECK(many < 4.5 * few);
  }
}

}  // namespace webnn::tests::many_outputs_test
