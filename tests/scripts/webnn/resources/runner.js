'use strict';

// A runner in the style of newer Web Platform Tests: what is supported is asked first, and each case is a test that a
// test declares.

let requiredRanks;

const getZeroTolerance = () => ({metricType: 'ULP', value: 0});

const halfToNumber = (bits) => {
  const sign = bits & 0x8000 ? -1 : 1, exponent = (bits >> 10) & 31, fraction = bits & 1023;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
};

const validateContextSupportsGraph = (context, graph) => {
  throw new Error('needs an implementation');
};

const buildAndExecuteGraph = async (context, builder, graph) => {
  throw new Error('needs an implementation');
};

const assertResultsEquals = (toleranceFunc, actual, graph, intermediateOperands) => {
  throw new Error('needs results');
};

async function getRequiredRanks() {
  const response = await fetch('/webnn/resources/ranks.json');
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  requiredRanks = JSON.parse((await response.text()).replace(/\/\/.*/g, ''));
  if ((await fetch('/webnn/resources/absent.json')).ok) throw new Error('there is no such file');
}

async function webnn_conformance_test(tests, buildAndExecuteGraphFunc, toleranceFunc) {
  const testsToRun = [];
  promise_setup(async () => {
    const context = await navigator.ml.createContext();
    await getRequiredRanks();
    testsToRun.push(...tests.filter(({graph}) => validateContextSupportsGraph(context, graph)));
  });
  promise_test(async () => {
    testsToRun.forEach((test) => {
      const [operator] = test.graph.operators;
      promise_test(async () => {
        const context = await navigator.ml.createContext();
        const builder = new MLGraphBuilder(context);
        const {result, intermediateOperands} = await buildAndExecuteGraphFunc(context, builder, test.graph);
        assertResultsEquals(toleranceFunc, result, test.graph, intermediateOperands);
      }, `${requiredRanks[operator.name] >= 1 ? '[required]' : '[optional]'} ${test.name}`);
    });
  });
}
