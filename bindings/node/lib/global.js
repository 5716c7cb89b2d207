// `import "webnn/global"`: navigator.ml and the classes where browsers have them.
import * as webnn from "./index.js";

const {ml, ...classes} = webnn;
for (const [name, value] of Object.entries(classes))
  Object.defineProperty(globalThis, name, {value, writable: true, enumerable: false, configurable: true});
// Node.js has `navigator` from 21 on.
if (typeof globalThis.navigator === "undefined")
  Object.defineProperty(globalThis, "navigator", {value: {}, writable: true, enumerable: false, configurable: true});
Object.defineProperty(globalThis.navigator, "ml", {value: ml, enumerable: true, configurable: true});
