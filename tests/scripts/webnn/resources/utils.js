'use strict';

// A runner in the style of the Web Platform Tests: build, execute, compare.

const ulpOf = {float32: 1, float16: 2};

const getHalvingTolerance = (graphResources, intermediateOperands) => {
  // One rounding for each element of the tensor that is halved.
  const [operator] = graphResources.operators.slice(-1);
  const shape = intermediateOperands[operator.arguments[0].a].shape;
  const [{descriptor}] = Object.values(graphResources.expectedOutputs);
  return {metricType: 'ULP', value: ulpOf[descriptor.dataType] * shape[0]};
};

const buildAndExecuteGraph = async (context, builder, graphResources) => {
  throw new Error('needs an implementation');
};

const assertResultsEquals = (toleranceFunc, actual, graphResources, intermediateOperands) => {
  throw new Error('needs results');
};

const webnn_conformance_test = (buildAndExecuteGraphFunc, toleranceFunc, testResources) => {
  promise_test(async () => {
    const context = await navigator.ml.createContext({deviceType: location.search.substring(1)});
    const builder = new MLGraphBuilder(context);
    const {result, intermediateOperands} =
        await buildAndExecuteGraphFunc(context, builder, testResources.graph);
    assertResultsEquals(toleranceFunc, result, testResources.graph, intermediateOperands);
  }, testResources.name);
};
