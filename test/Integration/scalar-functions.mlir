// Powers, remainders and unsigned quotients as front ends write them, on the NPU.

// RUN: npu-run %s --check --npu-fallback=error --function=power "--input=8x16xf32=random(1)" "--input=16xf32=0 1 2 3 -1 -2 5 -7 8 4 -3 6 -4 7 9 -5" | FileCheck %s
// RUN: npu-run %s --check --npu-fallback=error --function=power --target=npu-v1:sramBytes=65536 "--input=8x16xf32=random(1)" "--input=16xf32=0 1 2 3 -1 -2 5 -7 8 4 -3 6 -4 7 9 -5" | FileCheck %s
// RUN: npu-run %s --check --function=unsigned_rest --target=npu-tiny "--input=random(1)" | FileCheck %s
// RUN: npu-run %s --check --npu-fallback=error --function=gamma "--input=random(1)" | FileCheck %s
// RUN: npu-run %s --check --npu-fallback=error --function=tosa_pow "--input=1x16xf32=0.5 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15" "--input=8x1xf32=0.25 -1.5 2 3.125 -4 0.1 6.5 7" | FileCheck %s
// RUN: npu-run %s --check --npu-fallback=error --function=onnx_pow "--input=8x16xf16=-1.5" "--input=16xf16=0 1 2 3 4 5 6 7 8 -9 -10 11 -12 13 -14 15" | FileCheck %s
// RUN: npu-run %s --check --npu-fallback=error --function=remainder "--input=random(1)" | FileCheck %s
// RUN: npu-run %s --check --npu-fallback=error --function=fmod "--input=random(1)" | FileCheck %s
// RUN: npu-run %s --check --npu-fallback=error --function=unsigned_quotient "--input=random(1)" | FileCheck %s
// RUN: npu-run %s --check --npu-fallback=error --function=unsigned_rest "--input=random(1)" | FileCheck %s

// CHECK: on the NPU: 1 of 1 dispatches
// CHECK: matches host

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (j)>

module attributes {onnx.opset = {ai.onnx = 24 : i64}} {
// torch.pow(tensor, tensor), stablehlo.power.
func.func @power(%x: tensor<8x16xf32>, %y: tensor<16xf32>) -> tensor<8x16xf32> {
  %e = tensor.empty() : tensor<8x16xf32>
  %0 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<8x16xf32>, tensor<16xf32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = math.powf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

// torch.pow(tensor, scalar) as a gamma correction has it.
func.func @gamma(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %gamma = arith.constant 0.45454545 : f32
  %e = tensor.empty() : tensor<8x16xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = math.absf %a : f32
    %r = math.powf %m, %gamma : f32
    linalg.yield %r : f32
  } -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

func.func @tosa_pow(%x: tensor<1x16xf32>, %y: tensor<8x1xf32>) -> tensor<8x16xf32> {
  %0 = tosa.pow %x, %y : (tensor<1x16xf32>, tensor<8x1xf32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

func.func @onnx_pow(%x: tensor<8x16xf16>, %y: tensor<16xf16>) -> !onnx.unknown {
  %0 = onnx.node "Pow"(%x, %y) : (tensor<8x16xf16>, tensor<16xf16>) -> !onnx.unknown
  return %0 : !onnx.unknown
}

// torch.remainder: what has another sign than the divisor is moved by it.
func.func @remainder(%x: tensor<8x16xf32>, %y: tensor<16xf32>) -> tensor<8x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x16xf32>
  %0 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<8x16xf32>, tensor<16xf32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.remf %a, %b : f32
    %rest = arith.cmpf une, %r, %zero : f32
    %rneg = arith.cmpf olt, %r, %zero : f32
    %bneg = arith.cmpf olt, %b, %zero : f32
    %differs = arith.cmpi ne, %rneg, %bneg : i1
    %moves = arith.andi %rest, %differs : i1
    %moved = arith.addf %r, %b : f32
    %1 = arith.select %moves, %moved, %r : f32
    linalg.yield %1 : f32
  } -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

// torch.fmod(tensor, scalar), after a scaling that makes the quotients large.
func.func @fmod(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %turn = arith.constant 6.2831855 : f32
  %scale = arith.constant 1.0e10 : f32
  %e = tensor.empty() : tensor<8x16xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.mulf %a, %scale : f32
    %r = arith.remf %s, %turn : f32
    linalg.yield %r : f32
  } -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

func.func @unsigned_quotient(%x: tensor<8x16xi32>, %y: tensor<16xi32>) -> tensor<8x16xi32> {
  %one = arith.constant 1 : i32
  %e = tensor.empty() : tensor<8x16xi32>
  %0 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<8x16xi32>, tensor<16xi32>) outs(%e : tensor<8x16xi32>) {
  ^bb0(%a: i32, %b: i32, %o: i32):
    %d = arith.maxui %b, %one : i32
    %q = arith.ceildivui %a, %d : i32
    linalg.yield %q : i32
  } -> tensor<8x16xi32>
  return %0 : tensor<8x16xi32>
}

// stablehlo.remainder of unsigned integers guards against a divisor of zero.
func.func @unsigned_rest(%x: tensor<8x16xi32>, %y: tensor<16xi32>) -> tensor<8x16xi32> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %e = tensor.empty() : tensor<8x16xi32>
  %0 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<8x16xi32>, tensor<16xi32>) outs(%e : tensor<8x16xi32>) {
  ^bb0(%a: i32, %b: i32, %o: i32):
    %isZero = arith.cmpi eq, %b, %zero : i32
    %safe = arith.select %isZero, %one, %b : i32
    %r = arith.remui %a, %safe : i32
    %1 = arith.select %isZero, %a, %r : i32
    linalg.yield %1 : i32
  } -> tensor<8x16xi32>
  return %0 : tensor<8x16xi32>
}
}
