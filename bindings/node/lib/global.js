// `import "webnn/global"`: navigator.ml and the classes where browsers have them.
import * as webnn from "./index.js";

const {ml, version, ...classes} = webnn;
const hide = (name, value) =>
    Object.defineProperty(globalThis, name, {value, writable: true, enumerable: false, configurable: true});

for (const [name, value] of Object.entries(classes)) hide(name, value);
// Node.js has it from 21 on.
if (typeof globalThis.Navigator === "undefined") hide("Navigator", class Navigator {});
if (typeof globalThis.navigator === "undefined") hide("navigator", Object.create(Navigator.prototype));

const accessor = {
  get ml() {
    if (!(this instanceof Navigator)) throw new TypeError("Illegal invocation: not a Navigator");
    return ml;
  },
};
Object.defineProperty(Navigator.prototype, "ml", Object.getOwnPropertyDescriptor(accessor, "ml"));
