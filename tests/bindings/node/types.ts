// A program in TypeScript as for a browser, which types.mjs compiles but nobody runs. What is wrong is marked.
import "webnn/global";
import {ml, MLGraphBuilder as Builder} from "webnn";
import {compare, compile, inspect, loadGraph, profile} from "webnn/tools";

const descriptor: MLOperandDescriptor = {dataType: "float32", shape: [1, 3, 8, 8]};

function block(builder: MLGraphBuilder, input: MLOperand, filter: MLOperand, bias?: MLOperand): MLOperand {
  const options: MLConv2dOptions = {padding: [1, 1, 1, 1], strides: [1, 1], inputLayout: "nchw", filterLayout: "oihw"};
  if (bias) options.bias = bias;
  const limits: MLClampOptions = {minValue: 0, maxValue: 6n, label: "relu6"};
  return builder.clamp(builder.conv2d(input, filter, options), limits);
}

async function main(): Promise<void> {
  const options: MLContextOptions = {powerPreference: "low-power", accelerated: false};
  const context: MLContext = await navigator.ml.createContext(options);
  const isSame: ML = ml;
  void isSame;
  const limits: MLOpSupportLimits = context.opSupportLimits();
  const types: MLOperandDataType[] = limits.conv2d.input.dataTypes;
  if (!types.includes("float16") || limits.preferredInputLayout === "nhwc") return;

  const builder = new MLGraphBuilder(context);
  const x = builder.input("x", descriptor);
  const filter = builder.constant({dataType: "float32", shape: [4, 3, 3, 3]}, new Float32Array(108));
  const [left, right] = builder.split(block(builder, x, filter), 2, {axis: 1});
  const outputs: MLNamedOperands = {y: builder.concat([left, builder.mul(right, builder.constant("float32", 2))], 1)};
  const pooled: MLOperand = builder.averagePool2d(left, {windowDimensions: [2, 2], layout: "nchw"} satisfies MLPool2dOptions);
  builder.reduceMean(pooled, {axes: [2, 3], keepDimensions: true} satisfies MLReduceOptions);
  builder.lstm(x, filter, filter, 2, 4, {direction: "both", layout: "iofg", activations: ["sigmoid", "tanh", "tanh"]});
  const graph: MLGraph = await builder.build(outputs);

  const input: MLTensor = await context.createTensor({...descriptor, writable: true});
  const output = await context.createTensor({dataType: "float32", shape: [1, 4, 8, 8], readable: true});
  context.writeTensor(input, new Float32Array(192));
  context.writeTensor(input, new SharedArrayBuffer(768));
  const named: MLNamedTensors = {x: input};
  context.dispatch(graph, named, {y: output});
  const read: ArrayBuffer = await context.readTensor(output);
  const nothing: undefined = await context.readTensor(output, new Float32Array(read));
  void nothing;
  context.lost.then((info: MLContextLostInfo) => info.message);
  output.destroy();

  const loaded = await loadGraph(context, new URL("model.onnx", "file:///"), {dimensions: {batch: 1}});
  const [first] = loaded.inputs;
  const size: number = first.shape[0];
  void size;

  const {bytes}: {bytes: number} = await compile("model.onnx", "model.wnnc", {device: "gpu", dimensions: {batch: 1}});
  const names: (string | number)[] = (await inspect("model.onnx")).inputs[0].shape;
  const slowest = (await profile("model.wnnc", {runs: bytes})).steps.sort((a, b) => b.milliseconds - a.milliseconds)[0].kernel;
  const [{difference}] = await compare({context, file: "model.onnx"}, {context, file: "model.wnnc"});
  void [names, slowest, difference];

  // @ts-expect-error: there is no such type
  builder.input("z", {dataType: "float64", shape: [1]});
  // @ts-expect-error: an operand is needed
  builder.relu();
  // @ts-expect-error: there is no such layout
  builder.conv2d(x, filter, {inputLayout: "chw"});
  // @ts-expect-error: nobody makes one alone
  new MLTensor();
  // @ts-expect-error: shapes are fixed
  output.shape[0] = 1;
  // @ts-expect-error: a builder needs a context
  new Builder();
}

void main;
