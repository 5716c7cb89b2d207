// recognise: operators that a model spells out with several others -> the single operator; see rewrites/recognise.cpp,
// attention.cpp and reductions.cpp.
//
//   mul(x, div(clamp(add(x, 3)) {minValue=0, maxValue=6}, 6)) -> hardSwish(x)
//   div(x, sqrt(add(reduceMean(mul(x, x)) {axes=[1], keepDimensions=true}, 0.1)))
//                                                             -> @rmsNormalization(x) {axes=[1], epsilon=0.1}
//   reduceMean(mul(x, x)) {axes=[1]} -> mul(reduceSumSquare(x) {axes=[1]}, 0.001)
//   matmul(softmax(mul(matmul(q, k), 0.125)) {axis=3}, v)     -> @attention(q, k, v) {scale=0.125, ...}
//   reshape(gemm(reshape(x) {newShape=[6, 4]}, w)) {newShape=[2, 3, 5]} -> matmul(x, w)
//
// An operator that no kernel takes whole stays spelled out: `decompose` may have written it that way. Nor is an
// operator formed whose kernels are slow, unless those of the parts are slow as well.
#include "compiler/passes/parts/choose_kernel.hpp"
#include "compiler/passes/passes.hpp"
#include "compiler/rewrites/rewrite.hpp"

namespace webnn::compiler {
namespace {

enum class Speed : std::uint8_t { none, slow, fast };

Speed speed_of(const Graph& graph, NodeId id, const Options& options) {
  const KernelSpec spec = graph.spec(id);
  const auto kernel = choose_kernel(spec, options);
  if (!kernel) return Speed::none;
  return is_slow(*kernel, spec, options) ? Speed::slow : Speed::fast;
}

}  // namespace

void recognise(Unit& unit) {
  static const RewriteSet activations(recognise_rewrites()), attention(attention_rewrites()),
      reductions(reductions_rewrites());
  const auto no_slower = [&](const Graph& graph, NodeId replaced, NodeId added) {
    const Speed speed = speed_of(graph, added, unit.options);
    return speed == Speed::fast || (speed == Speed::slow && speed_of(graph, replaced, unit.options) != Speed::fast);
  };
  activations.apply(unit.graph, no_slower);
  attention.apply(unit.graph, no_slower);
  reductions.apply(unit.graph, no_slower);
}

}  // namespace webnn::compiler
