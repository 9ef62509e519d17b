// RUN: npu-opt %s --convert-func-to-kernel --convert-linalg-to-npu --npu-verify-tensor-form | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#col = affine_map<(d0, d1) -> (d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>
#none = affine_map<(d0, d1) -> ()>

// CHECK-DAG: #[[$ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[$ROW:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-DAG: #[[$COL:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-DAG: #[[$SWAP:.*]] = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-DAG: #[[$NONE:.*]] = affine_map<(d0, d1) -> ()>

// One op per body op; operands broadcast by their maps; constants are immediate.
// CHECK-LABEL: npu.kernel @chain
func.func @chain(%x: tensor<4x8xf32>, %r: tensor<4xf32>, %c: tensor<8xf32>) -> tensor<4x8xf32> {
  // CHECK: %[[A:.*]] = npu.binary add %{{.*}}, %{{.*}} -> %{{.*}} {indexing_maps = [#[[$ID]], #[[$ROW]], #[[$ID]]]} : tensor<4x8xf32>, tensor<4xf32> -> tensor<4x8xf32>
  // CHECK: %[[B:.*]] = npu.binary sub %[[A]] -> %{{.*}} {imm = 1.000000e+00 : f32, imm_first} : tensor<4x8xf32> -> tensor<4x8xf32>
  // CHECK: %[[C:.*]] = npu.unary exp %[[B]] -> %{{.*}} : tensor<4x8xf32> -> tensor<4x8xf32>
  // CHECK: %[[D:.*]] = npu.binary div %[[C]], %{{.*}} -> %{{.*}} {indexing_maps = [#[[$ID]], #[[$COL]], #[[$ID]]]}
  // CHECK: npu.return %[[D]]
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.generic {indexing_maps = [#id, #row, #col, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %r, %c : tensor<4x8xf32>, tensor<4xf32>, tensor<8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %d: f32, %o: f32):
    %1 = arith.addf %a, %b : f32
    %2 = arith.subf %one, %1 : f32
    %3 = math.exp %2 : f32
    %4 = arith.divf %3, %d : f32
    linalg.yield %4 : f32
  } -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// The last op of the chain writes a permuted result.
// CHECK-LABEL: npu.kernel @permuted
func.func @permuted(%x: tensor<4x8xf32>, %c: tensor<8xf32>) -> tensor<8x4xf32> {
  // CHECK: %[[A:.*]] = npu.binary add %{{.*}}, %{{.*}} -> %{{.*}} {indexing_maps = [#[[$ID]], #[[$COL]], #[[$ID]]]} : tensor<4x8xf32>, tensor<8xf32> -> tensor<4x8xf32>
  // CHECK: npu.unary tanh %[[A]] -> %{{.*}} {indexing_maps = [#[[$ID]], #[[$SWAP]]]} : tensor<4x8xf32> -> tensor<8x4xf32>
  %e = tensor.empty() : tensor<8x4xf32>
  %0 = linalg.generic {indexing_maps = [#id, #col, #swap], iterator_types = ["parallel", "parallel"]}
      ins(%x, %c : tensor<4x8xf32>, tensor<8xf32>) outs(%e : tensor<8x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.addf %a, %b : f32
    %2 = math.tanh %1 : f32
    linalg.yield %2 : f32
  } -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// Named ops are what their maps and bodies say. A transposition and a broadcast are copies.
// CHECK-LABEL: npu.kernel @named
func.func @named(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  // CHECK: npu.binary add %{{.*}}, %{{.*}} -> %{{.*}} : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<4x8xf32>
  %0 = linalg.add ins(%x, %y : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  // CHECK: npu.unary erf
  %1 = linalg.map { math.erf } ins(%0 : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>)
  // CHECK: npu.binary mul
  %2 = linalg.elementwise kind=#linalg.elementwise_kind<mul> ins(%1, %y : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}

// CHECK-LABEL: npu.kernel @transpose
func.func @transpose(%x: tensor<4x8xi8>) -> tensor<8x4xi8> {
  // CHECK: npu.copy %{{.*}} -> %{{.*}} {indexing_maps = [#{{.*}}, #{{.*}}]} : tensor<4x8xi8> -> tensor<8x4xi8>
  %e = tensor.empty() : tensor<8x4xi8>
  %0 = linalg.transpose ins(%x : tensor<4x8xi8>) outs(%e : tensor<8x4xi8>) permutation = [1, 0]
  return %0 : tensor<8x4xi8>
}

// CHECK-LABEL: npu.kernel @broadcast
func.func @broadcast(%x: tensor<8xf16>) -> tensor<4x8xf16> {
  // CHECK: npu.copy %{{.*}} -> %{{.*}} {indexing_maps = [#[[$COL]], #[[$ID]]]} : tensor<8xf16> -> tensor<4x8xf16>
  %e = tensor.empty() : tensor<4x8xf16>
  %0 = linalg.broadcast ins(%x : tensor<8xf16>) outs(%e : tensor<4x8xf16>) dimensions = [0]
  return %0 : tensor<4x8xf16>
}

// Splat constants and fills are immediate too; limits from both sides are one op.
// CHECK-LABEL: npu.kernel @splats
func.func @splats(%x: tensor<4x8xi16>) -> tensor<4x8xi16> {
  // CHECK-NOT: linalg.fill
  // CHECK: %[[A:.*]] = npu.binary mul %{{.*}} -> %{{.*}} {imm = 3 : i16}
  // CHECK: %[[B:.*]] = npu.binary add %[[A]] -> %{{.*}} {imm = 5 : i16}
  // CHECK: npu.clamp %[[B]] -> %{{.*}} {hi = 100 : i16, lo = -7 : i16} : tensor<4x8xi16> -> tensor<4x8xi16>
  %e = tensor.empty() : tensor<4x8xi16>
  %three = arith.constant dense<3> : tensor<8xi16>
  %five = arith.constant 5 : i16
  %lo = arith.constant -7 : i16
  %hi = arith.constant 100 : i16
  %f = linalg.fill ins(%five : i16) outs(%e : tensor<4x8xi16>) -> tensor<4x8xi16>
  %0 = linalg.generic {indexing_maps = [#id, #col, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %three, %f : tensor<4x8xi16>, tensor<8xi16>, tensor<4x8xi16>) outs(%e : tensor<4x8xi16>) {
  ^bb0(%a: i16, %b: i16, %c: i16, %o: i16):
    %1 = arith.muli %a, %b : i16
    %2 = arith.addi %1, %c : i16
    %3 = arith.minsi %2, %hi : i16
    %4 = arith.maxsi %3, %lo : i16
    linalg.yield %4 : i16
  } -> tensor<4x8xi16>
  return %0 : tensor<4x8xi16>
}

// The destination is an operand if the body reads it. Constants that cannot be immediate are
// tensors of one element.
// CHECK-LABEL: npu.kernel @select
func.func @select(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // CHECK: %[[P:.*]] = npu.binary cmpgt %{{.*}} -> %{{.*}} {imm = 0.000000e+00 : f32} : tensor<4x8xf32> -> tensor<4x8xi1>
  // CHECK: %[[Q:.*]] = npu.binary cmpne %{{.*}}, %{{.*}} -> %{{.*}} : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<4x8xi1>
  // CHECK: %[[R:.*]] = npu.binary and %[[P]], %[[Q]] -> %{{.*}} : tensor<4x8xi1>, tensor<4x8xi1> -> tensor<4x8xi1>
  // CHECK: %[[C:.*]] = arith.constant dense<2.000000e+00> : tensor<f32>
  // CHECK: npu.select %[[R]], %{{.*}}, %[[C]] -> %{{.*}} {indexing_maps = [#[[$ID]], #[[$ID]], #[[$NONE]], #[[$ID]]]} : tensor<4x8xi1>, tensor<4x8xf32>, tensor<f32> -> tensor<4x8xf32>
  %zero = arith.constant 0.0 : f32
  %two = arith.constant 2.0 : f32
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x8xf32>) outs(%y : tensor<4x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.cmpf ogt, %a, %zero : f32
    %2 = arith.cmpf une, %a, %o : f32
    %3 = arith.andi %1, %2 : i1
    %4 = arith.select %3, %a, %two : f32
    linalg.yield %4 : f32
  } -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// f16 stays f16; casts are ops of the chain; a tensor without dimensions broadcasts.
// CHECK-LABEL: npu.kernel @casts
func.func @casts(%x: tensor<4x8xf32>, %s: tensor<f16>) -> (tensor<4x8xf16>, tensor<4x8xi8>) {
  // CHECK: %[[A:.*]] = npu.cast truncf %{{.*}} -> %{{.*}} : tensor<4x8xf32> -> tensor<4x8xf16>
  // CHECK: %[[B:.*]] = npu.binary mul %[[A]], %{{.*}} -> %{{.*}} {indexing_maps = [#[[$ID]], #[[$NONE]], #[[$ID]]]} : tensor<4x8xf16>, tensor<f16> -> tensor<4x8xf16>
  // CHECK: %[[C:.*]] = npu.cast fptosi %[[B]] -> %{{.*}} : tensor<4x8xf16> -> tensor<4x8xi8>
  // CHECK: npu.return %[[B]], %[[C]]
  %e0 = tensor.empty() : tensor<4x8xf16>
  %e1 = tensor.empty() : tensor<4x8xi8>
  %0:2 = linalg.generic {indexing_maps = [#id, #none, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<4x8xf32>, tensor<f16>) outs(%e0, %e1 : tensor<4x8xf16>, tensor<4x8xi8>) {
  ^bb0(%a: f32, %b: f16, %o0: f16, %o1: i8):
    %1 = arith.truncf %a : f32 to f16
    %2 = arith.mulf %1, %b : f16
    %3 = arith.fptosi %2 : f16 to i8
    linalg.yield %2, %3 : f16, i8
  } -> (tensor<4x8xf16>, tensor<4x8xi8>)
  return %0#0, %0#1 : tensor<4x8xf16>, tensor<4x8xi8>
}

// The vector unit sign-extends what it reads.
// CHECK-LABEL: npu.kernel @unsigned_shift
func.func @unsigned_shift(%x: tensor<4x8xi8>) -> tensor<4x8xi8> {
  // CHECK: %[[W:.*]] = npu.cast extui %{{.*}} -> %{{.*}} : tensor<4x8xi8> -> tensor<4x8xi32>
  // CHECK: %[[S:.*]] = npu.binary shru %[[W]] -> %{{.*}} {imm = 3 : i32} : tensor<4x8xi32> -> tensor<4x8xi32>
  // CHECK: npu.cast trunci %[[S]] -> %{{.*}} : tensor<4x8xi32> -> tensor<4x8xi8>
  %c3 = arith.constant 3 : i8
  %e = tensor.empty() : tensor<4x8xi8>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x8xi8>) outs(%e : tensor<4x8xi8>) {
  ^bb0(%a: i8, %o: i8):
    %1 = arith.shrui %a, %c3 : i8
    linalg.yield %1 : i8
  } -> tensor<4x8xi8>
  return %0 : tensor<4x8xi8>
}

// Arithmetic modulo 2.
// CHECK-LABEL: npu.kernel @boolean
func.func @boolean(%x: tensor<4x8xi1>, %y: tensor<4x8xi1>) -> tensor<4x8xi1> {
  // CHECK: npu.binary xor
  // CHECK: npu.binary xor
  // CHECK: npu.binary and
  %e = tensor.empty() : tensor<4x8xi1>
  %0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<4x8xi1>, tensor<4x8xi1>) outs(%e : tensor<4x8xi1>) {
  ^bb0(%a: i1, %b: i1, %o: i1):
    %1 = arith.addi %a, %b : i1
    %2 = arith.subi %1, %b : i1
    %3 = arith.muli %2, %1 : i1
    linalg.yield %3 : i1
  } -> tensor<4x8xi1>
  return %0 : tensor<4x8xi1>
}

// A result that is an argument, and one that two results share in different orders.
// CHECK-LABEL: npu.kernel @copied
func.func @copied(%x: tensor<4x8xi1>, %y: tensor<4x8xbf16>) -> (tensor<4x8xi1>, tensor<4x8xbf16>, tensor<8x4xbf16>) {
  // CHECK: %[[NEG:.*]] = npu.unary neg
  // CHECK: npu.copy %arg0 -> %{{.*}} : tensor<4x8xi1> -> tensor<4x8xi1>
  // CHECK: npu.copy %[[NEG]] -> %{{.*}} {indexing_maps = [#{{.*}}, #{{.*}}]} : tensor<4x8xbf16> -> tensor<8x4xbf16>
  %e0 = tensor.empty() : tensor<4x8xi1>
  %e1 = tensor.empty() : tensor<4x8xbf16>
  %e2 = tensor.empty() : tensor<8x4xbf16>
  %0:3 = linalg.generic {
    indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>,
                     affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1, d0)>],
    iterator_types = ["parallel", "parallel"]} ins(%x, %y : tensor<4x8xi1>, tensor<4x8xbf16>)
      outs(%e0, %e1, %e2 : tensor<4x8xi1>, tensor<4x8xbf16>, tensor<8x4xbf16>) {
  ^bb0(%a: i1, %b: bf16, %o0: i1, %o1: bf16, %o2: bf16):
    %n = arith.negf %b : bf16
    linalg.yield %a, %n, %n : i1, bf16, bf16
  } -> (tensor<4x8xi1>, tensor<4x8xbf16>, tensor<8x4xbf16>)
  return %0#0, %0#1, %0#2 : tensor<4x8xi1>, tensor<4x8xbf16>, tensor<8x4xbf16>
}

// Rotary embeddings, and a power of two.
// CHECK-LABEL: npu.kernel @waves
func.func @waves(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  // CHECK: npu.unary sin
  // CHECK: npu.unary cos
  // CHECK: npu.unary exp2
  %0:3 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<8xf32>) outs(%e, %e, %e : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32, %p: f32, %q: f32):
    %s = math.sin %a : f32
    %c = math.cos %a : f32
    %t = math.exp2 %a : f32
    linalg.yield %s, %c, %t : f32, f32, f32
  } -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>)
  return %0#0, %0#1, %0#2 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// A pad adds to a slice where its tensor ends: the tensor is read one element before.
// CHECK-LABEL: npu.kernel @shifted
func.func @shifted(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // CHECK-NOT: tensor.extract_slice
  // CHECK: npu.copy %arg0 -> %{{.*}} {indexing_maps = [#[[SHIFT:.*]], #{{.*}}], pad_value = 1.000000e+00 : f32} : tensor<4x8xf32> -> tensor<4x8xf32>
  %one = arith.constant 1.0 : f32
  %s = tensor.extract_slice %x[0, 0] [4, 7] [1, 1] : tensor<4x8xf32> to tensor<4x7xf32>
  %p = tensor.pad %s low[0, 1] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %one : f32
  } : tensor<4x7xf32> to tensor<4x8xf32>
  return %p : tensor<4x8xf32>
}

// A pooling takes the padding in: where the slice ends, so does the tensor.
// CHECK-LABEL: npu.kernel @pooled_slice
func.func @pooled_slice(%x: tensor<4x9xf32>) -> tensor<4x8xf32> {
  // CHECK: %[[S:.*]] = tensor.extract_slice %arg0[0, 1] [4, 8] [1, 1]
  // CHECK: npu.pool max %[[S]] -> %{{.*}} {{{.*}}pad_value = 0xFF800000 : f32{{.*}}} : tensor<4x8xf32> -> tensor<4x8xf32>
  %least = arith.constant 0xFF800000 : f32
  %s = tensor.extract_slice %x[0, 1] [4, 8] [1, 1] : tensor<4x9xf32> to tensor<4x8xf32>
  %p = tensor.pad %s low[0, 0] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %least : f32
  } : tensor<4x8xf32> to tensor<4x9xf32>
  %e = tensor.empty() : tensor<4x8xf32>
  %w = tensor.empty() : tensor<2xf32>
  %f = linalg.fill ins(%least : f32) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j, w) -> (i, j + w)>, affine_map<(i, j, w) -> (w)>, affine_map<(i, j, w) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%p, %w : tensor<4x9xf32>, tensor<2xf32>) outs(%f : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %m: f32):
    %r = arith.maximumf %a, %m : f32
    linalg.yield %r : f32
  } -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
