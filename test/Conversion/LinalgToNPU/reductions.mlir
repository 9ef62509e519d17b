// RUN: npu-opt %s --convert-func-to-kernel --convert-linalg-to-npu --npu-verify-tensor-form | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// CHECK-DAG: #[[$ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[$ROW:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-DAG: #[[$WINDOW:.*]] = affine_map<(d0, d1, d2, d3) -> (d0 * 2 + d2 - 1, d1 + d3 * 2)>
// CHECK-DAG: #[[$SHIFTED:.*]] = affine_map<(d0, d1) -> (d0 - 1, d1)>

// What is combined is computed first, over the loops that it depends on; the initial value joins the result unless it is neutral.
// CHECK-LABEL: npu.kernel @norm
func.func @norm(%x: tensor<4x8xf16>, %s: tensor<4xf16>, %init: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: %[[S:.*]] = npu.unary exp %{{.*}} -> %{{.*}} : tensor<4xf16> -> tensor<4xf16>
  // CHECK: %[[D:.*]] = npu.binary sub %{{.*}}, %[[S]] -> %{{.*}} {indexing_maps = [#[[$ID]], #[[$ROW]], #[[$ID]]]}
  // CHECK: %[[R:.*]] = npu.reduce sum %[[D]] -> %{{.*}} {indexing_maps = [#[[$ID]], #[[$ROW]]]} : tensor<4x8xf16> -> tensor<4xf32>
  // CHECK: npu.binary add %{{.*}}, %[[R]] -> %{{.*}} : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %s : tensor<4x8xf16>, tensor<4xf16>) outs(%init : tensor<4xf32>) {
  ^bb0(%a: f16, %b: f16, %o: f32):
    %1 = math.exp %b : f16
    %2 = arith.subf %a, %1 : f16
    %3 = arith.extf %2 : f16 to f32
    %4 = arith.addf %o, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// One dimension after the other, the innermost first; the largest number beside NaNs; torch's choice by a comparison.
// CHECK-LABEL: npu.kernel @largest
func.func @largest(%x: tensor<4x8xf32>) -> (tensor<f32>, tensor<f32>) {
  // CHECK: %[[N:.*]] = npu.binary cmpne
  // CHECK: %[[A:.*]] = npu.select %[[N]]
  // CHECK: %[[B:.*]] = npu.reduce max %[[A]] -> %{{.*}} : tensor<4x8xf32> -> tensor<4xf32>
  // CHECK: npu.reduce max %[[B]] -> %{{.*}} : tensor<4xf32> -> tensor<f32>
  // CHECK: npu.reduce min %{{.*}} : tensor<4x8xf32> -> tensor<4xf32>
  // CHECK: %[[M:.*]] = npu.reduce min
  // CHECK: npu.binary min %[[M]] -> %{{.*}} {imm = 1.000000e+00 : f32, imm_first}
  %least = arith.constant 0xFF800000 : f32
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<f32>
  %i = linalg.fill ins(%least : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %j = linalg.fill ins(%one : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %0 = linalg.reduce { arith.maxnumf } ins(%x : tensor<4x8xf32>) outs(%i : tensor<f32>) dimensions = [0, 1]
  %1 = linalg.reduce ins(%x : tensor<4x8xf32>) outs(%j : tensor<f32>) dimensions = [0, 1]
    (%a: f32, %o: f32) {
      %2 = arith.cmpf ult, %a, %o : f32
      %3 = arith.select %2, %a, %o : f32
      linalg.yield %3 : f32
    }
  return %0, %1 : tensor<f32>, tensor<f32>
}

// Windows take in the padding in front of them; other pads are copies.
// CHECK-LABEL: npu.kernel @pool
func.func @pool(%x: tensor<9x9xi8>) -> (tensor<4x7xi8>, tensor<10x9xi8>) {
  // CHECK: npu.copy %{{.*}} -> %{{.*}} {indexing_maps = [#[[$SHIFTED]], #[[$ID]]], pad_value = 5 : i8} : tensor<9x9xi8> -> tensor<10x9xi8>
  // CHECK: npu.pool max %{{.*}} -> %{{.*}} {indexing_maps = [#[[$WINDOW]], #{{.*}}], pad_value = 5 : i8, window = array<i64: 3, 2>} : tensor<9x9xi8> -> tensor<4x7xi8>
  %five = arith.constant 5 : i8
  %least = arith.constant -128 : i8
  %p = tensor.pad %x low[1, 0] high[0, 0] {
  ^bb0(%a: index, %b: index):
    tensor.yield %five : i8
  } : tensor<9x9xi8> to tensor<10x9xi8>
  %w = tensor.empty() : tensor<3x2xi8>
  %e = tensor.empty() : tensor<4x7xi8>
  %i = linalg.fill ins(%least : i8) outs(%e : tensor<4x7xi8>) -> tensor<4x7xi8>
  %0 = linalg.generic {indexing_maps = [affine_map<(h, w, y, x) -> (h * 2 + y, w + x * 2)>, affine_map<(h, w, y, x) -> (y, x)>, affine_map<(h, w, y, x) -> (h, w)>],
                       iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%p, %w : tensor<10x9xi8>, tensor<3x2xi8>) outs(%i : tensor<4x7xi8>) {
  ^bb0(%a: i8, %u: i8, %o: i8):
    %1 = arith.maxsi %o, %a : i8
    linalg.yield %1 : i8
  } -> tensor<4x7xi8>
  return %0, %p : tensor<4x7xi8>, tensor<10x9xi8>
}

// A scan is a reduction of which every step is kept; the last one is an npu.reduce. What it starts with is added to all.
// CHECK-LABEL: npu.kernel @scan
func.func @scan(%x: tensor<4x8xi32>, %s: tensor<4xi32>) -> (tensor<4x8xi32>, tensor<4xi32>) {
  // CHECK: %[[S:.*]] = npu.scan sum %{{.*}} -> %{{.*}} {dimension = 1, indexing_maps = [#[[$ID]], #[[$ID]]]} : tensor<4x8xi32> -> tensor<4x8xi32>
  // CHECK: npu.binary add %{{.*}}, %[[S]] -> %{{.*}} {indexing_maps = [#[[$ROW]], #[[$ID]], #[[$ID]]]}
  // CHECK: npu.reduce sum
  %e = tensor.empty() : tensor<4x8xi32>
  %0:2 = linalg.generic {indexing_maps = [#id, #id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xi32>) outs(%e, %s : tensor<4x8xi32>, tensor<4xi32>) {
  ^bb0(%a: i32, %o: i32, %b: i32):
    %t = arith.addi %b, %a : i32
    linalg.yield %t, %t : i32, i32
  } -> (tensor<4x8xi32>, tensor<4xi32>)
  return %0#0, %0#1 : tensor<4x8xi32>, tensor<4xi32>
}

// The first position of what is the extreme of the same rows, or a NaN, needs no extreme.
// CHECK-LABEL: npu.kernel @positions
// CHECK-SAME: (%[[X:.*]]: tensor<4x8xf32>)
func.func @positions(%x: tensor<4x8xf32>) -> tensor<4xi32> {
  // CHECK-NOT: npu.reduce
  // CHECK: %[[R:.*]] = npu.arg_reduce argmax %[[X]] -> %{{.*}} {dimension = 1, indexing_maps = [#[[$ID]], #[[$ROW]]]} : tensor<4x8xf32> -> tensor<4xi32>
  // CHECK: npu.return %[[R]]
  %least = arith.constant 0xFF800000 : f32
  %none = arith.constant 8 : i32
  %me = tensor.empty() : tensor<4xf32>
  %mf = linalg.fill ins(%least : f32) outs(%me : tensor<4xf32>) -> tensor<4xf32>
  %m = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xf32>) outs(%mf : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.maximumf %a, %o : f32
    linalg.yield %t : f32
  } -> tensor<4xf32>
  %pe = tensor.empty() : tensor<4xi32>
  %pf = linalg.fill ins(%none : i32) outs(%pe : tensor<4xi32>) -> tensor<4xi32>
  %p = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %m : tensor<4x8xf32>, tensor<4xf32>) outs(%pf : tensor<4xi32>) {
  ^bb0(%a: f32, %b: f32, %o: i32):
    %q = arith.cmpf oeq, %a, %b : f32
    %r = arith.cmpf une, %a, %a : f32
    %s = arith.ori %q, %r : i1
    %j = linalg.index 1 : index
    %k = arith.index_cast %j : index to i32
    %t = arith.select %s, %k, %none : i32
    %u = arith.minsi %t, %o : i32
    linalg.yield %u : i32
  } -> tensor<4xi32>
  return %p : tensor<4xi32>
}

// Where nothing may be found, or the extreme is that of other elements, it stays a reduction.
// CHECK-LABEL: npu.kernel @other_positions
func.func @other_positions(%x: tensor<4x8xi32>, %y: tensor<4x8xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
  // CHECK-NOT: npu.arg_reduce
  // CHECK: npu.return
  %least = arith.constant -2147483648 : i32
  %none = arith.constant 8 : i32
  %six = arith.constant 6 : i32
  %e = tensor.empty() : tensor<4xi32>
  %mf = linalg.fill ins(%least : i32) outs(%e : tensor<4xi32>) -> tensor<4xi32>
  %m = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xi32>) outs(%mf : tensor<4xi32>) {
  ^bb0(%a: i32, %o: i32):
    %t = arith.maxsi %a, %o : i32
    linalg.yield %t : i32
  } -> tensor<4xi32>
  %pf = linalg.fill ins(%none : i32) outs(%e : tensor<4xi32>) -> tensor<4xi32>
  %p = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%y, %m : tensor<4x8xi32>, tensor<4xi32>) outs(%pf : tensor<4xi32>) {
  ^bb0(%a: i32, %b: i32, %o: i32):
    %q = arith.cmpi eq, %a, %b : i32
    %j = linalg.index 1 : index
    %k = arith.index_cast %j : index to i32
    %t = arith.select %q, %k, %none : i32
    %u = arith.minsi %t, %o : i32
    linalg.yield %u : i32
  } -> tensor<4xi32>
  %sf = linalg.fill ins(%six : i32) outs(%e : tensor<4xi32>) -> tensor<4xi32>
  %s = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %m : tensor<4x8xi32>, tensor<4xi32>) outs(%sf : tensor<4xi32>) {
  ^bb0(%a: i32, %b: i32, %o: i32):
    %q = arith.cmpi eq, %a, %b : i32
    %j = linalg.index 1 : index
    %k = arith.index_cast %j : index to i32
    %t = arith.select %q, %k, %none : i32
    %u = arith.minsi %t, %o : i32
    linalg.yield %u : i32
  } -> tensor<4xi32>
  return %p, %s : tensor<4xi32>, tensor<4xi32>
}
