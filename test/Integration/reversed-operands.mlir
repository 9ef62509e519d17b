// Operands that are read backwards, as front ends write them, on the NPU.

// RUN: npu-run %s --check --function=reverse --target=npu-v1 | FileCheck %s
// RUN: npu-run %s --check --function=reverse --target=npu-tiny | FileCheck %s
// RUN: npu-run %s --check --function=tosa_reverse --target=npu-tiny | FileCheck %s
// RUN: npu-run %s --check --function=torch_flip --target=npu-v1 | FileCheck %s
// RUN: npu-run %s --check --function=torch_flip --target=npu-v1:sramBytes=65536 | FileCheck %s
// RUN: npu-run %s --check --function=every_other --target=npu-v1 | FileCheck %s
// RUN: npu-run %s --check --function=conv --target=npu-v1 | FileCheck %s
// RUN: npu-run %s --check --function=conv --target=npu-v1-x4 | FileCheck %s
// RUN: npu-run %s --check --function=matmul --target=npu-v1 | FileCheck %s
// RUN: npu-run %s --check --function=products --target=npu-v1 | FileCheck %s
// RUN: npu-run %s --check --function=products --target=npu-tiny | FileCheck %s
// RUN: npu-run %s --check --function=long_rows --target=npu-v1 | FileCheck %s
// RUN: npu-run %s --check --function=onnx_slice | FileCheck %s

// CHECK: on the NPU: 1 of 1 dispatches
// CHECK: matches host

#id2 = affine_map<(d0, d1) -> (d0, d1)>
#id3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>

module attributes {onnx.opset = {ai.onnx = 24 : i64}} {
// stablehlo.reverse.
func.func @reverse(%x: tensor<5x37x70xf32>) -> tensor<5x37x70xf32> {
  %e = tensor.empty() : tensor<5x37x70xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, -d1 + 36, -d2 + 69)>, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<5x37x70xf32>) outs(%e : tensor<5x37x70xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<5x37x70xf32>
  return %0 : tensor<5x37x70xf32>
}
func.func @tosa_reverse(%x: tensor<4x33xi8>) -> tensor<4x33xi8> {
  %0 = tosa.reverse %x {axis = 1 : i32} : (tensor<4x33xi8>) -> tensor<4x33xi8>
  return %0 : tensor<4x33xi8>
}
// torch.flip, and a sum.
func.func @torch_flip(%x: tensor<4x33xf32>, %y: tensor<4x33xf32>) -> tensor<4x33xf32> {
  %c3 = arith.constant 3 : index
  %c32 = arith.constant 32 : index
  %e = tensor.empty() : tensor<4x33xf32>
  %0 = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<4x33xf32>) outs(%e : tensor<4x33xf32>) {
  ^bb0(%b: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = arith.subi %c3, %i : index
    %l = arith.subi %c32, %j : index
    %a = tensor.extract %x[%k, %l] : tensor<4x33xf32>
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<4x33xf32>
  return %0 : tensor<4x33xf32>
}
func.func @every_other(%x: tensor<16x9xi16>) -> tensor<8x9xi16> {
  %e = tensor.empty() : tensor<8x9xi16>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (-d0 * 2 + 15, d1)>, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<16x9xi16>) outs(%e : tensor<8x9xi16>) {
  ^bb0(%a: i16, %o: i16):
    linalg.yield %a : i16
  } -> tensor<8x9xi16>
  return %0 : tensor<8x9xi16>
}
// A convolution by its definition, with a flipped kernel.
func.func @conv(%x: tensor<1x3x20x21xf32>, %w: tensor<8x3x3x5xf32>) -> tensor<1x8x18x17xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x8x18x17xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x8x18x17xf32>) -> tensor<1x8x18x17xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(n, f, h, w, c, kh, kw) -> (n, c, h - kh + 2, w - kw + 4)>, affine_map<(n, f, h, w, c, kh, kw) -> (f, c, kh, kw)>, affine_map<(n, f, h, w, c, kh, kw) -> (n, f, h, w)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x3x20x21xf32>, tensor<8x3x3x5xf32>) outs(%f : tensor<1x8x18x17xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x8x18x17xf32>
  return %0 : tensor<1x8x18x17xf32>
}
// Both operands of a product.
func.func @matmul(%x: tensor<65x130xf16>, %w: tensor<130x48xf16>) -> tensor<65x48xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<65x48xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<65x48xf32>) -> tensor<65x48xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, -k + 129)>, affine_map<(m, n, k) -> (k, -n + 47)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<65x130xf16>, tensor<130x48xf16>) outs(%f : tensor<65x48xf32>) {
  ^bb0(%a: f16, %b: f16, %o: f32):
    %p = arith.extf %a : f16 to f32
    %q = arith.extf %b : f16 to f32
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<65x48xf32>
  return %0 : tensor<65x48xf32>
}
func.func @products(%x: tensor<6x50xi32>) -> tensor<6xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<6xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<6xi32>) -> tensor<6xi32>
  %0 = linalg.generic {indexing_maps = [#id2, affine_map<(d0, d1) -> (5 - d0, 49 - d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%x, %x : tensor<6x50xi32>, tensor<6x50xi32>) outs(%f : tensor<6xi32>) {
  ^bb0(%a: i32, %b: i32, %o: i32):
    %m = arith.muli %a, %b : i32
    %s = arith.addi %o, %m : i32
    linalg.yield %s : i32
  } -> tensor<6xi32>
  return %0 : tensor<6xi32>
}
// Tiles of long rows.
func.func @long_rows(%x: tensor<2x100000xf32>) -> tensor<2x100000xf32> {
  %e = tensor.empty() : tensor<2x100000xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (-d0 + 1, -d1 + 99999)>, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<2x100000xf32>) outs(%e : tensor<2x100000xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.negf %a : f32
    linalg.yield %m : f32
  } -> tensor<2x100000xf32>
  return %0 : tensor<2x100000xf32>
}

func.func @onnx_slice(%x: tensor<10x9xf32>) -> !onnx.unknown {
  %starts = onnx.constant dense<[1, -1]> : tensor<2xi64>
  %ends = onnx.constant dense<[8, -100]> : tensor<2xi64>
  %axes = onnx.constant dense<[0, 1]> : tensor<2xi64>
  %steps = onnx.constant dense<[2, -3]> : tensor<2xi64>
  %0 = onnx.node "Slice"(%x, %starts, %ends, %axes, %steps) : (tensor<10x9xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> !onnx.unknown
  return %0 : !onnx.unknown
}
}
