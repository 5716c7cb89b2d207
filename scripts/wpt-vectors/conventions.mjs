// Conventions of older tests, written the way the specification says it today. Only what a test expects to succeed is
// touched, so that a refusal that a newer test expects stays one.
//
// - softmax took no axis: it was for two dimensions, over the last.
// - scale and zeroPoint of quantizeLinear and dequantizeLinear were broadcast; now they have the input's rank.

import {rankOf, shapeOf} from './shapes.mjs';

const QUANTIZATION = ['quantizeLinear', 'dequantizeLinear'];
const OLD_SOFTMAX_AXIS = 1;

const leadingOnes = (shape, rank) => [...Array(rank - shape.length).fill(1), ...shape];

/** The operators of a conformance graph: a scale of a lower rank is reshaped first. */
export function currentOperators(graph) {
  return graph.operators.flatMap((operator, place) => {
    if (operator.name === 'softmax' && operator.arguments.length === 1)
      return [{...operator, arguments: [...operator.arguments, {axis: OLD_SOFTMAX_AXIS}]}];
    if (!QUANTIZATION.includes(operator.name)) return [operator];
    const named = operator.arguments.flatMap((argument) => Object.entries(argument));
    const rank = rankOf(graph, named[0][1]);
    const reshapes = [];
    const ranked = named.map(([name, value]) => {
      const shape = name === 'scale' || name === 'zeroPoint' ? shapeOf(graph, value) : undefined;
      if (shape === undefined || rank === undefined || shape.length >= rank) return {[name]: value};
      const output = `${value}, ranked for operator ${place}`;
      const newShape = leadingOnes(shape, rank);
      reshapes.push({name: 'reshape', arguments: [{input: value}, {newShape}], outputs: output});
      return {[name]: output};
    });
    return [...reshapes, {...operator, arguments: ranked}];
  });
}

/** The arguments of a validation vector that expects outputs. */
export function currentArguments(op, args) {
  if (op === 'softmax' && args.length === 1) return [...args, OLD_SOFTMAX_AXIS];
  if (!QUANTIZATION.includes(op)) return args;
  const rank = args[0]?.operand?.shape.length;
  return args.map(
      (argument) => (argument?.operand?.shape.length < rank ?
                         {operand: {...argument.operand, shape: leadingOnes(argument.operand.shape, rank)}} :
                         argument));
}
