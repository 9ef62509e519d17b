// Weights of few bits, each block with a scale and a zero point, that do not fit on chip as floats: they stay as they are in DRAM, and are made
// floats where the array reads them. Read are the activations, the weights once, and what makes floats of them; written is the result.

// RUN: npu-run %s --function=columns --check --compare-schedules | FileCheck %s --check-prefixes=CHECK,COLUMNS
// RUN: npu-run %s --function=bytes --check --compare-schedules | FileCheck %s --check-prefixes=CHECK,BYTES
// RUN: npu-run %s --function=halves --check --compare-schedules | FileCheck %s --check-prefixes=CHECK,HALVES

// A scale for each column: 4 * 16 * 512 bytes of activations for each of two strips of columns, 512 * 500 of weights, 4 * 500 of scales.
// COLUMNS: #npu.schedule<{{{.*}}for k = {{[0-9]+}} {{{.*}}@vector0 -> sram{{.*}}, @matmul1
// COLUMNS: together: {{.*}} DRAM: 290768 bytes read, 32000 written

// Blocks of 32: 4 * 16 * 512 bytes of activations, 512 * 500 of weights, 4 * 16 * 500 of scales.
// BYTES: #npu.schedule<{{{.*}}for i = {{[0-9]+}} {{{.*}}@vector0 -> sram{{.*}}, @matmul1
// BYTES: together: {{.*}} DRAM: 320768 bytes read, 32000 written

// Two in a byte, which take half of that, and two bytes by which they are shifted.
// HALVES: #npu.schedule<{{{.*}}for i = {{[0-9]+}} {for j = 16 {{{.*}}@vector0 -> sram{{.*}}, @matmul1
// HALVES: together: {{.*}} DRAM: 192770 bytes read, 32000 written

// CHECK: matches host

module attributes {onnx.opset = {ai.onnx = 21 : i64, com.microsoft = 1 : i64}} {
func.func @columns(%x: tensor<16x512xf32>, %w: tensor<512x500xi8>, %s: tensor<500xf32>) -> !onnx.unknown {
  %0 = onnx.node "DequantizeLinear"(%w, %s) {axis = 1 : i64} : (tensor<512x500xi8>, tensor<500xf32>) -> !onnx.unknown
  %1 = onnx.node "MatMul"(%x, %0) : (tensor<16x512xf32>, !onnx.unknown) -> !onnx.unknown
  return %1 : !onnx.unknown
}
func.func @bytes(%x: tensor<16x512xf32>, %w: tensor<500x16x32xui8>, %s: tensor<500x16xf32>) -> !onnx.unknown {
  %0 = onnx.node "MatMulNBits" of "com.microsoft"(%x, %w, %s) {K = 512 : i64, N = 500 : i64, block_size = 32 : i64, bits = 8 : i64}
      : (tensor<16x512xf32>, tensor<500x16x32xui8>, tensor<500x16xf32>) -> !onnx.unknown
  return %0 : !onnx.unknown
}
func.func @halves(%x: tensor<16x512xf32>, %w: tensor<500x16x16xui8>, %s: tensor<500x16xf32>) -> !onnx.unknown {
  %0 = onnx.node "MatMulNBits" of "com.microsoft"(%x, %w, %s) {K = 512 : i64, N = 500 : i64, block_size = 32 : i64, bits = 4 : i64}
      : (tensor<16x512xf32>, tensor<500x16x16xui8>, tensor<500x16xf32>) -> !onnx.unknown
  return %0 : !onnx.unknown
}
}
