// Shapes and ranks of tensors inside a test's graph, as far as they follow without an operator's own rules. Tolerance
// functions ask for shapes, older conventions for ranks; answers of tests never come from here.

const words = (text) => new Set(text.split(/\s+/));

/** Operators whose output has the shape of their first operand. */
const SAME_SHAPE = words(`abs batchNormalization cast ceil clamp cos cumulativeSum dequantizeLinear elu erf exp floor
  gelu hardSigmoid hardSwish identity instanceNormalization isInfinite isNaN layerNormalization leakyRelu linear log
  logicalNot neg quantizeLinear reciprocal relu reverse roundEven scatterElements scatterND sigmoid sign sin softmax
  softplus softsign sqrt tan tanh triangular`);

/** Operators whose outputs have the rank of their first operand. */
const SAME_RANK = new Set([...SAME_SHAPE, ...words(`averagePool2d concat conv2d convTranspose2d gatherElements gemm
  l2Pool2d maxPool2d pad resample2d slice split tile transpose`)]);

const BINARY = words('add sub mul div max min pow matmul prelu');

/** The tensors that the operator's arguments name, in order; values of other arguments are among them. */
const argumentsOf = (operator) => operator.arguments.flatMap((argument) => Object.values(argument)).flat();
const outputsOf = (operator) => [operator.outputs].flat();
const makerOf = (graph, name) => graph.operators.find((operator) => outputsOf(operator).includes(name));
const declaredShape = (graph, name) => (graph.inputs[name] ?? graph.expectedOutputs[name])?.descriptor.shape;

/** The shape of the tensor `name`, or undefined. */
export function shapeOf(graph, name) {
  return shapeUpwards(graph, name) ?? shapeDownwards(graph, name);
}

function shapeUpwards(graph, name) {
  const declared = declaredShape(graph, name);
  if (declared) return declared;
  const maker = makerOf(graph, name);
  if (maker && SAME_SHAPE.has(maker.name)) return shapeUpwards(graph, argumentsOf(maker)[0]);
  if (maker?.name === 'reshape') return maker.arguments[1].newShape;
  return undefined;
}

function shapeDownwards(graph, name) {
  const declared = declaredShape(graph, name);
  if (declared) return declared;
  for (const user of graph.operators) {
    if (!SAME_SHAPE.has(user.name) || argumentsOf(user)[0] !== name) continue;
    const shape = shapeDownwards(graph, outputsOf(user)[0]);
    if (shape) return shape;
  }
  return undefined;
}

/** The rank of the tensor `name`, or undefined. */
export function rankOf(graph, name) {
  const shape = shapeOf(graph, name);
  if (shape) return shape.length;
  const maker = makerOf(graph, name);
  if (maker && SAME_RANK.has(maker.name)) return rankOf(graph, argumentsOf(maker)[0]);
  if (!maker || !BINARY.has(maker.name)) return undefined;
  const ranks = argumentsOf(maker).slice(0, 2).map((operand) => rankOf(graph, operand));
  return ranks.includes(undefined) ? undefined : Math.max(...ranks);
}
