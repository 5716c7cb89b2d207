// A WebNN that computes nothing: for the pages of written modules, in a browser that has none or does not enable it.
Object.defineProperty(navigator, 'ml', {
  value: {
    createContext: async () => ({
      createTensor: async descriptor => ({...descriptor, destroy() {}}),
      writeTensor() {},
      dispatch() {},
      readTensor: async ({shape}) => new ArrayBuffer(8 * shape.reduce((product, size) => product * size, 1)),
    }),
  },
});
globalThis.MLGraphBuilder = class {
  input() {}
  constant() {}
  async build() {
    return 'the graph';
  }
};
// Every operator gives an operand, which can be taken apart as a list too.
Object.setPrototypeOf(MLGraphBuilder.prototype, new Proxy({}, {get: () => () => []}));
