// Finds the native part: where WEBNN_ADDON says, in the package of this system and processor, or, in a checkout, in the
// release build.
import {createRequire} from "node:module";

const require = createRequire(import.meta.url);

function load() {
  const system = `${process.platform}-${process.arch}`;
  if (process.env.WEBNN_ADDON) return require(process.env.WEBNN_ADDON);
  const failures = [];
  for (const place of [`webnn-${system}/webnn.node`, "../../../build/release/node/webnn.node"]) {
    try {
      return require(place);
    } catch (error) {
      failures.push(error);
    }
  }
  const found = failures.find((error) => error.code !== "MODULE_NOT_FOUND");
  if (found) throw found;
  throw new Error(`webnn has no native part for ${system}; install the package webnn-${system}`);
}

export default load();
