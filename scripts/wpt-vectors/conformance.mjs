// Conformance vectors: the tests' own graphs and expected outputs, with the tolerance that their own functions compute.

import {currentOperators} from './conventions.mjs';
import {viewOf} from './elements.mjs';
import {Unknown} from './errors.mjs';
import {expectedData, inputData} from './json.mjs';
import {shapeOf} from './shapes.mjs';

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

/** What tests read of a graph's outputs: what is expected, as an implementation without an error gives it. */
function resultOf({expectedOutputs}) {
  return Object.fromEntries(Object.entries(expectedOutputs).map(([name, {data, descriptor}]) => {
    if (data === undefined) throw new Unknown(`the test reads ${name} and does not say what is expected`);
    return [name, viewOf(data, descriptor)];
  }));
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
    validateContextSupportsGraph: () => true,  // an older runner has it throw, a newer one asks
    buildAndExecuteGraph: async (context, builder, graph) =>
        ({result: resultOf(graph), intermediateOperands: intermediateOperands(graph)}),
    assertResultsEquals: (toleranceOf, actual, graph, operands) =>
        vectors.push(vectorOf(harness.current, graph, toleranceOf(graph, operands))),
  });
}
