// Conformance vectors: the tests' own graphs and expected outputs, with the tolerance that their own functions compute.

import {currentOperators} from './conventions.mjs';
import {expectedData, inputData} from './json.mjs';
import {shapeOf} from './shapes.mjs';
import {Unknown} from './webnn.mjs';

/** What tolerance functions get for the operands inside a graph. */
function intermediateOperands(graph) {
  const operand = (name) => ({
    get shape() {
      const shape = shapeOf(graph, name);
      if (!shape) throw new Unknown(`the tolerance needs the shape of ${name}`);
      return shape;
    },
  });
  return new Proxy({}, {get: (target, name) => operand(name)});
}

function tensors(named, dataOf) {
  const tensor = ({data, descriptor: {shape, dataType}, constant}) =>
      ({data: dataOf(data, dataType), descriptor: {shape, dataType}, ...(constant ? {constant: true} : {})});
  return Object.fromEntries(Object.entries(named).map(([name, one]) => [name, tensor(one)]));
}

function vectorOf(name, graph, {metricType, value}) {
  if (value === undefined) throw new Unknown('the tolerance has no value');
  return {
    name,
    tolerance: {metricType, value: Number(value)},
    graph: {
      inputs: tensors(graph.inputs, inputData),
      operators: currentOperators(graph),
      expectedOutputs: tensors(graph.expectedOutputs, expectedData),
    },
  };
}

/** Replaces the two ends of the tests' runner, executing a graph and comparing its results; adds to `vectors`. */
export function conformanceHooks(vectors) {
  return (harness) => ({
    validateContextSupportsGraph: () => {},
    buildAndExecuteGraph: async (context, builder, graph) =>
        ({result: {}, intermediateOperands: intermediateOperands(graph)}),
    assertResultsEquals: (toleranceOf, actual, graph, operands) =>
        vectors.push(vectorOf(harness.current, graph, toleranceOf(graph, operands))),
  });
}
