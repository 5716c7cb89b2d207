// What MLContext.opSupportLimits() answers: the specification's own "tensor limits" tables, so that tests which ask
// first and then build with every data type expect what the standard allows, no more and no less.
// https://www.w3.org/TR/webnn/#api-mlcontext-opsupportlimits

const MAX_RANK = 8;
const MAX_TENSOR_BYTES = 2 ** 31 - 1;

const ANY = ['float32', 'float16', 'int32', 'uint32', 'int64', 'uint64', 'int8', 'uint8'];
const TYPES = {
  any: ANY,
  float: ['float32', 'float16'],
  signed: ['float32', 'float16', 'int64', 'int32', 'int8'],
  wide: ['float32', 'float16', 'int32', 'uint32', 'int64', 'uint64'],
  index: ['int32', 'uint32', 'int64'],
  arg: ['int32', 'int64'],
  quantized: ['uint8', 'int8', 'uint32', 'int32'],
  resampled: ['float32', 'float16', 'uint8', 'int8'],
  uint8: ['uint8'],
};

// Operators, then their operands as NAME:TYPES:RANKS; an indented line goes on with the one above. Ranks are N,
// LOWEST-HIGHEST, LOWEST- or, left out, any.
const TABLE = `
add sub mul div max min pow                          a:any b:any output:any
equal notEqual greater greaterOrEqual lesser lesserOrEqual   a:any b:any output:uint8
logicalAnd logicalOr logicalXor                      a:uint8 b:uint8 output:uint8
logicalNot                                           a:uint8 output:uint8
isNaN isInfinite                                     a:float output:uint8
abs neg relu sign                                    input:signed output:signed
ceil cos erf exp floor log reciprocal roundEven sin sqrt tan   input:float output:float
elu gelu hardSigmoid hardSwish leakyRelu linear sigmoid softplus softsign tanh   input:float output:float
reduceL2 reduceLogSum reduceLogSumExp reduceMean     input:float output:float
reduceL1 reduceProduct reduceSum reduceSumSquare     input:wide output:wide
reduceMax reduceMin                                  input:any output:any
cast clamp expand identity pad reshape reverse slice tile transpose   input:any output:any
argMax argMin                                        input:any:1- output:arg
averagePool2d l2Pool2d                               input:float:4 output:float:4
maxPool2d                                            input:any:4 output:any:4
batchNormalization   input:float:1- mean:float:1 variance:float:1 scale:float:1 bias:float:1 output:float:1-
concat                                               inputs:any:1- output:any:1-
conv2d convTranspose2d                               input:float:4 filter:float:4 bias:float:1 output:float:4
cumulativeSum                                        input:wide:1- output:wide:1-
dequantizeLinear                                     input:quantized scale:float zeroPoint:quantized output:float
quantizeLinear                                       input:float scale:float zeroPoint:quantized output:quantized
gather                                               input:any:1- indices:index output:any
gatherElements                                       input:any:1- indices:index:1- output:any:1-
gatherND                                             input:any:1- indices:index:1- output:any
gemm                                                 a:float:2 b:float:2 c:float:0-2 output:float:2
gru   input:float:3 weight:float:3 recurrentWeight:float:3 bias:float:2 recurrentBias:float:2
      initialHiddenState:float:3 outputs:float:3-4
gruCell   input:float:2 weight:float:2 recurrentWeight:float:2 hiddenState:float:2 bias:float:1 recurrentBias:float:1
      output:float:2
lstm   input:float:3 weight:float:3 recurrentWeight:float:3 bias:float:2 recurrentBias:float:2 peepholeWeight:float:2
      initialHiddenState:float:3 initialCellState:float:3 outputs:float:3-4
lstmCell   input:float:2 weight:float:2 recurrentWeight:float:2 hiddenState:float:2 cellState:float:2 bias:float:1
      recurrentBias:float:1 peepholeWeight:float:1 outputs:float:2
instanceNormalization                                input:float:4 scale:float:1 bias:float:1 output:float:4
layerNormalization                                   input:float scale:float bias:float output:float
matmul                                               a:float:2- b:float:2- output:float:2-
prelu                                                input:signed slope:signed output:signed
resample2d                                           input:resampled:4 output:resampled:4
scatterElements                                      input:any:1- indices:index:1- updates:any:1- output:any:1-
scatterND                                            input:any:1- indices:index:1- updates:any output:any:1-
softmax                                              input:float:1- output:float:1-
split                                                input:any:1- outputs:any:1-
triangular                                           input:any:2- output:any:2-
where                                                condition:uint8 trueValue:any falseValue:any output:any
`;

function rankRange(text) {
  if (text === undefined) return {min: 0, max: MAX_RANK};
  const [min, max] = text.split('-');
  return {min: Number(min), max: max === undefined ? Number(min) : Number(max || MAX_RANK)};
}

const limitsOf = (types, ranks) => ({dataTypes: [...TYPES[types]], rankRange: rankRange(ranks)});

/** A fresh MLOpSupportLimits; tests may change what they are given. */
export function opSupportLimits() {
  const limits = {preferredInputLayout: 'nchw', maxTensorByteLength: MAX_TENSOR_BYTES};
  for (const place of ['input', 'constant', 'output']) limits[place] = limitsOf('any');
  for (const line of TABLE.trim().split(/\n(?! )/)) {
    const words = line.split(/\s+/);
    const operands = words.filter((word) => word.includes(':')).map((word) => word.split(':'));
    for (const operator of words.filter((word) => !word.includes(':')))
      limits[operator] = Object.fromEntries(operands.map(([name, types, ranks]) => [name, limitsOf(types, ranks)]));
  }
  return limits;
}
