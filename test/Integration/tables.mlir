// Functions of quantized numbers as tables, as TOSA has them: each model is one dispatch on a chip without floats, bit for bit as the host has it.

// RUN: npu-run %s --check --npu-fallback=error --target=npu-tiny --function=sigmoid | FileCheck %s --check-prefixes=CHECK,ALONE
// RUN: npu-run %s --check --npu-fallback=error --target=npu-tiny --function=tail | FileCheck %s --check-prefixes=CHECK,TAIL
// RUN: npu-run %s --check --npu-fallback=error --target=npu-tiny:clusters=3,sramBytes=4096,accBytes=2048 --function=tail | FileCheck %s --check-prefixes=CHECK,TAIL
// RUN: npu-run %s --check --npu-fallback=error --target=npu-tiny --function=interpolated | FileCheck %s --check-prefixes=CHECK,ALONE
// RUN: npu-run %s --check --npu-fallback=error --target=npu-v1 --function=interpolated | FileCheck %s --check-prefixes=CHECK,ALONE
// RUN: npu-run %s --check --npu-fallback=error --target=npu-tiny --function=constant "--input=5xi8=-128 127 0 -1 7" --output=- | FileCheck %s --check-prefixes=CHECK,CONSTANT

// ALONE: on the NPU: 1 of 1 dispatches
// TAIL: on the NPU: 1 of 1 dispatches, [[M:[1-9][0-9]*]] of [[M]] MACs
// CHECK: matches host
// CONSTANT: 5xi8=-64 63 0 -1 3

func.func @sigmoid(%x: tensor<3x40x70xi8>, %t: tensor<256xi8>) -> tensor<3x40x70xi8> {
  %0 = tosa.table %x, %t : (tensor<3x40x70xi8>, tensor<256xi8>) -> tensor<3x40x70xi8>
  return %0 : tensor<3x40x70xi8>
}

// A product, its rescaling, and a function of that.
func.func @tail(%x: tensor<40x64xi8>, %w: tensor<64x70xi8>, %t: tensor<256xi8>) -> tensor<40x70xi8> {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<40x70xi32>
  %f = linalg.fill ins(%z : i32) outs(%e : tensor<40x70xi32>) -> tensor<40x70xi32>
  %m = linalg.matmul ins(%x, %w : tensor<40x64xi8>, tensor<64x70xi8>) outs(%f : tensor<40x70xi32>) -> tensor<40x70xi32>
  %multiplier = "tosa.const"() <{values = dense<1246789888> : tensor<1xi32>}> : () -> tensor<1xi32>
  %shift = "tosa.const"() <{values = dense<39> : tensor<1xi8>}> : () -> tensor<1xi8>
  %in_zp = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %out_zp = "tosa.const"() <{values = dense<-4> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.rescale %m, %multiplier, %shift, %in_zp, %out_zp {rounding_mode = SINGLE_ROUND, scale32 = true, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<40x70xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<40x70xi8>
  %0 = tosa.table %r, %t : (tensor<40x70xi8>, tensor<256xi8>) -> tensor<40x70xi8>
  return %0 : tensor<40x70xi8>
}

// With 16 bits a table is interpolated and rescaled.
func.func @interpolated(%x: tensor<40x70xi16>, %t: tensor<513xi16>) -> tensor<40x70xi16> {
  %multiplier = "tosa.const"() <{values = dense<1246789888> : tensor<1xi32>}> : () -> tensor<1xi32>
  %shift = "tosa.const"() <{values = dense<38> : tensor<1xi8>}> : () -> tensor<1xi8>
  %in_zp = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %out_zp = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
  %0 = tosa.table %x, %t : (tensor<40x70xi16>, tensor<513xi16>) -> tensor<40x70xi32>
  %1 = tosa.rescale %0, %multiplier, %shift, %in_zp, %out_zp {rounding_mode = DOUBLE_ROUND, scale32 = true, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<40x70xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi16>) -> tensor<40x70xi16>
  return %1 : tensor<40x70xi16>
}

// Known numbers: half of each, and what is below zero.
func.func @constant(%x: tensor<5xi8>) -> tensor<5xi8> {
  %t = arith.constant dense<[-64, -64, -63, -63, -62, -62, -61, -61, -60, -60, -59, -59, -58, -58, -57, -57, -56, -56, -55, -55, -54, -54, -53, -53, -52, -52, -51, -51, -50, -50, -49, -49, -48, -48, -47, -47, -46, -46, -45, -45, -44, -44, -43, -43, -42, -42, -41, -41, -40, -40, -39, -39, -38, -38, -37, -37, -36, -36, -35, -35, -34, -34, -33, -33, -32, -32, -31, -31, -30, -30, -29, -29, -28, -28, -27, -27, -26, -26, -25, -25, -24, -24, -23, -23, -22, -22, -21, -21, -20, -20, -19, -19, -18, -18, -17, -17, -16, -16, -15, -15, -14, -14, -13, -13, -12, -12, -11, -11, -10, -10, -9, -9, -8, -8, -7, -7, -6, -6, -5, -5, -4, -4, -3, -3, -2, -2, -1, -1, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13, 14, 14, 15, 15, 16, 16, 17, 17, 18, 18, 19, 19, 20, 20, 21, 21, 22, 22, 23, 23, 24, 24, 25, 25, 26, 26, 27, 27, 28, 28, 29, 29, 30, 30, 31, 31, 32, 32, 33, 33, 34, 34, 35, 35, 36, 36, 37, 37, 38, 38, 39, 39, 40, 40, 41, 41, 42, 42, 43, 43, 44, 44, 45, 45, 46, 46, 47, 47, 48, 48, 49, 49, 50, 50, 51, 51, 52, 52, 53, 53, 54, 54, 55, 55, 56, 56, 57, 57, 58, 58, 59, 59, 60, 60, 61, 61, 62, 62, 63, 63]> : tensor<256xi8>
  %0 = tosa.table %x, %t : (tensor<5xi8>, tensor<256xi8>) -> tensor<5xi8>
  return %0 : tensor<5xi8>
}
