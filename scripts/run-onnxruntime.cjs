// usage: NODE_PATH=<folder>/node_modules node run-onnxruntime.cjs <model.onnx> <input.bin> <dimensions, by commas> <output.bin> [<level>]
// Runs a model with one f32 input and one f32 output in ONNX Runtime, with a level of graph optimizations, "all" by default.
const fs = require("fs");
const ort = require("onnxruntime-node");

async function main() {
  const [model, input, dimensions, output, level] = process.argv.slice(2);
  const options = { intraOpNumThreads: 1, logSeverityLevel: 3, graphOptimizationLevel: level || "all" };
  const session = await ort.InferenceSession.create(model, options);
  const bytes = fs.readFileSync(input);
  const data = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  const tensor = new ort.Tensor("float32", data, dimensions.split(",").map(Number));
  const results = await session.run({ [session.inputNames[0]]: tensor });
  const result = results[session.outputNames[0]];
  fs.writeFileSync(output, Buffer.from(result.data.buffer, result.data.byteOffset, result.data.byteLength));
}

main();
