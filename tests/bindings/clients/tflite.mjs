// Writes a small TensorFlow Lite model, by the file format's schema: a convolution of an image with bias and ReLU, then
// softmax over channels. Numbers are random, but the same in each run.
import {randomNumbers} from "./clients.mjs";

// Positions of fields in the schema's tables, and its numbers of operators, types and options.
const CONV_2D = 3, SOFTMAX = 25, CONV_2D_OPTIONS = 1, SOFTMAX_OPTIONS = 9, SAME = 0, RELU = 1, FLOAT32 = 0;

/** The bytes of the model; `flatbuffers` is the package. The input is [1, 8, 8, 3], the output [1, 8, 8, 4]. */
export function tfliteModel(flatbuffers) {
  const builder = new flatbuffers.Builder(4096), random = randomNumbers(5);

  /** A table; fields are [position, adder of the builder, value], or undefined. */
  function table(count, fields) {
    builder.startObject(count);
    for (const [position, add, value] of fields) builder[add](position, value, 0);
    return builder.endObject();
  }
  const offset = (position, value) => [position, "addFieldOffset", value];
  const int32 = (position, value) => [position, "addFieldInt32", value];
  const int8 = (position, value) => [position, "addFieldInt8", value];
  function vector(values, size, add) {
    builder.startVector(size, values.length, size);
    for (const value of [...values].reverse()) builder[add](value);
    return builder.endVector();
  }
  const offsets = (values) => vector(values, 4, "addOffset"), integers = (values) => vector(values, 4, "addInt32");
  function bytes(numbers) {
    const data = new Uint8Array(Float32Array.from(numbers).buffer);
    builder.startVector(1, data.length, 16);
    for (const byte of [...data].reverse()) builder.addInt8(byte);
    return builder.endVector();
  }

  const tensors = [
    {name: "image", shape: [1, 8, 8, 3]},
    {name: "filter", shape: [4, 3, 3, 3], numbers: Array.from({length: 108}, () => random() - 0.5)},
    {name: "bias", shape: [4], numbers: [0.1, -0.2, 0.3, 0]},
    {name: "features", shape: [1, 8, 8, 4]},
    {name: "probabilities", shape: [1, 8, 8, 4]},
  ];
  // Buffer 0 is the empty one, of tensors without numbers.
  const buffers = [table(1, []), ...tensors.filter(({numbers}) => numbers).map(({numbers}) => table(1, [offset(0, bytes(numbers))]))];
  let buffer = 0;
  const tensorTables = tensors.map(({name, shape, numbers}) => {
    const shapes = integers(shape), text = builder.createString(name);
    return table(6, [offset(0, shapes), int8(1, FLOAT32), int32(2, numbers ? ++buffer : 0), offset(3, text)]);
  });
  const codes = [CONV_2D, SOFTMAX].map((code) => table(4, [int8(0, code), int32(2, 1), int32(3, code)]));
  const operators = [
    [[0, 1, 2], [3], CONV_2D_OPTIONS, () => table(6, [int8(0, SAME), int32(1, 1), int32(2, 1), int8(3, RELU), int32(4, 1), int32(5, 1)])],
    [[3], [4], SOFTMAX_OPTIONS, () => table(1, [[0, "addFieldFloat32", 1]])],
  ].map(([inputs, outputs, type, options], index) => {
    const [given, results, chosen] = [integers(inputs), integers(outputs), options()];
    return table(5, [int32(0, index), offset(1, given), offset(2, results), int8(3, type), offset(4, chosen)]);
  });
  const [tensorList, inputs, outputs, operatorList] = [offsets(tensorTables), integers([0]), integers([4]), offsets(operators)];
  const name = builder.createString("main");
  const graph = table(5, [offset(0, tensorList), offset(1, inputs), offset(2, outputs), offset(3, operatorList), offset(4, name)]);
  const [codeList, graphs, bufferList] = [offsets(codes), offsets([graph]), offsets(buffers)];
  builder.finish(table(8, [int32(0, 3), offset(1, codeList), offset(2, graphs), offset(4, bufferList)]), "TFL3");
  return builder.asUint8Array();
}
