// usage: NODE_PATH=<folder>/node_modules node decode-onnxruntime.cjs <f16 | int8 | int4> <prompt.onnx> <step.onnx>
// Prints the tokens that ONNX Runtime gives, with its graph optimizations off, for the models of scripts/decoder.py with 16
// new tokens and with one, and how far each is ahead of the next best one: what test/Integration/decoder.test expects.
const ort = require("onnxruntime-node");

async function main() {
  const [kind, ...models] = process.argv.slice(2);
  const options = { graphOptimizationLevel: "disabled", intraOpNumThreads: 1, logSeverityLevel: 4 };
  const [prompt, step] = await Promise.all(models.map((model) => ort.InferenceSession.create(model, options)));
  const [type, Numbers] = kind === "f16" ? ["float16", Uint16Array] : ["float32", Float32Array];
  const tokens = [], leads = [];
  let ids = Array.from({ length: 16 }, (_, i) => BigInt((29 * i + 7) % 96)), past = 0, result;
  for (let number = 0; number < 9; ++number) {
    const feeds = {
      ids: new ort.Tensor("int64", BigInt64Array.from(ids), [1, ids.length]),
      past: new ort.Tensor("int32", Int32Array.from([past]), [1]),
    };
    for (const name of ["0.key", "0.value", "1.key", "1.value"])
      feeds[`past${name}`] = result?.[`present${name}`] ?? new ort.Tensor(type, new Numbers(1024), [1, 2, 32, 16]);
    result = await (past ? step : prompt).run(feeds);
    past += ids.length;
    ids = [result.token.data[0]];
    tokens.push(ids[0]);
    const [first, second] = Array.from(result.logits.data).sort((a, b) => b - a);
    leads.push((first - second).toFixed(3));
  }
  console.log([kind, ...tokens].join(" "));
  console.log(leads.join(" "));
}

main().catch((error) => {
  console.error(String(error.message || error));
  process.exit(1);
});
