// usage: NODE_PATH=<folder>/node_modules node run-onnxruntime.cjs <model.onnx> <run.json>
// Runs a model in ONNX Runtime. run.json: {"inputs": [{"name", "type", "dims", "file"}], "prefix", "level"}, where the level is
// that of graph optimizations. Writes <prefix><number>.bin for each output, and their names, types and shapes to
// <prefix>outputs.json. Exits with the code 2 if ONNX Runtime refuses the model.
const fs = require("fs");
const ort = require("onnxruntime-node");

const arrays = {
  float32: Float32Array, float64: Float64Array, float16: Uint16Array, bool: Uint8Array,
  int8: Int8Array, int16: Int16Array, int32: Int32Array, int64: BigInt64Array,
  uint8: Uint8Array, uint16: Uint16Array, uint32: Uint32Array, uint64: BigUint64Array,
};

async function main() {
  const [model, path] = process.argv.slice(2);
  const run = JSON.parse(fs.readFileSync(path));
  const session = await ort.InferenceSession.create(
    model, { graphOptimizationLevel: run.level, intraOpNumThreads: 1, logSeverityLevel: 4 });
  const feeds = {};
  for (const { name, type, dims, file } of run.inputs) {
    const bytes = fs.readFileSync(file);
    const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
    feeds[name] = new ort.Tensor(type, new arrays[type](buffer), dims);
  }
  const results = await session.run(feeds);
  const outputs = session.outputNames.map((name, number) => {
    const { data, type, dims } = results[name];
    fs.writeFileSync(`${run.prefix}${number}.bin`, Buffer.from(data.buffer, data.byteOffset, data.byteLength));
    return { name, type, dims };
  });
  fs.writeFileSync(`${run.prefix}outputs.json`, JSON.stringify(outputs));
}

main().catch((error) => {
  console.error(String(error.message || error));
  process.exit(2);
});
