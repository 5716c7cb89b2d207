// Finds the native part: beside the package, in the package of this system and processor, or where WEBNN_ADDON says.
import {createRequire} from "node:module";

const require = createRequire(import.meta.url);

function load() {
  const system = `${process.platform}-${process.arch}`;
  if (process.env.WEBNN_ADDON) return require(process.env.WEBNN_ADDON);
  const failures = [];
  for (const place of [`webnn-${system}/webnn.node`, "../native/webnn.node"]) {
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
