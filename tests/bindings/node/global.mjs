// `webnn/global` puts the interfaces where browsers have them.
import "../../../bindings/node/lib/global.js";
import {assert, finish, test} from "./check.mjs";

await test("navigator.ml and the classes", async () => {
  const context = await navigator.ml.createContext();
  assert.ok(context instanceof MLContext);
  const builder = new MLGraphBuilder(context);
  const graph = await builder.build({y: builder.abs(builder.input("x", {dataType: "float32", shape: [1]}))});
  assert.ok(graph instanceof MLGraph);
  assert.ok(await context.createTensor({dataType: "int32", shape: [1]}) instanceof MLTensor);
});

finish();
