// RUN: npu-opt %s --convert-func-to-kernel="target=npu-v1" --convert-linalg-to-npu | FileCheck %s

// Predicates, choices and limits as frontends write them. That each is exact is tested by
// unittests/Integration/AnyPredicateTest.cpp.

#id = affine_map<(d0) -> (d0)>

// torch-mlir's ReLU: of a NaN the NaN, of -0 +0, which is what a maximum does.
// CHECK-LABEL: npu.kernel @relu
// CHECK-NOT: npu.select
// CHECK: npu.binary max %arg0 -> %{{.*}} {imm = 0.000000e+00 : f32}
// CHECK-NEXT: npu.return
func.func @relu(%x: tensor<16xf32>) -> tensor<16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<16xf32>) outs(%e : tensor<16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.cmpf ugt, %a, %zero : f32
    %2 = arith.select %1, %a, %zero : f32
    linalg.yield %2 : f32
  } -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

// The same, turned round and negated.
// CHECK-LABEL: npu.kernel @relu_turned
// CHECK: npu.binary max %arg0 -> %{{.*}} {imm = 0.000000e+00 : f32}
// CHECK-NEXT: npu.return
func.func @relu_turned(%x: tensor<16xf32>) -> tensor<16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<16xf32>) outs(%e : tensor<16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.cmpf oge, %zero, %a : f32
    %2 = arith.select %1, %zero, %a : f32
    linalg.yield %2 : f32
  } -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

// An ordered comparison chooses 0 for a NaN, and `uge` chooses -0 for itself: these are no maxima.
// CHECK-LABEL: npu.kernel @no_maxima
// CHECK: %[[P:.*]] = npu.binary cmpgt %arg0 -> %{{.*}} {imm = 0.000000e+00 : f32}
// CHECK: %[[A:.*]] = npu.select %[[P]], %arg0, %{{.*}} ->
// CHECK: %[[Q:.*]] = npu.binary cmplt %arg0 -> %{{.*}} {imm = 0.000000e+00 : f32}
// CHECK: %[[B:.*]] = npu.select %[[Q]], %{{.*}}, %arg0 ->
// CHECK: npu.return %[[A]], %[[B]]
func.func @no_maxima(%x: tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16xf32>
  %0:2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x : tensor<16xf32>) outs(%e, %e : tensor<16xf32>, tensor<16xf32>) {
  ^bb0(%a: f32, %o: f32, %p: f32):
    %1 = arith.cmpf ogt, %a, %zero : f32
    %2 = arith.select %1, %a, %zero : f32
    %3 = arith.cmpf uge, %a, %zero : f32
    %4 = arith.select %3, %a, %zero : f32
    linalg.yield %2, %4 : f32, f32
  } -> (tensor<16xf32>, tensor<16xf32>)
  return %0#0, %0#1 : tensor<16xf32>, tensor<16xf32>
}

// ReLU6 by two choices, each of which keeps a NaN.
// CHECK-LABEL: npu.kernel @relu6
// CHECK: npu.clamp %arg0 -> %{{.*}} {hi = 6.000000e+00 : f32, lo = 0.000000e+00 : f32}
// CHECK-NEXT: npu.return
func.func @relu6(%x: tensor<16xf32>) -> tensor<16xf32> {
  %zero = arith.constant 0.0 : f32
  %six = arith.constant 6.0 : f32
  %e = tensor.empty() : tensor<16xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<16xf32>) outs(%e : tensor<16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.cmpf ole, %a, %zero : f32
    %2 = arith.select %1, %zero, %a : f32
    %3 = arith.cmpf ult, %2, %six : f32
    %4 = arith.select %3, %2, %six : f32
    linalg.yield %4 : f32
  } -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

// torch-mlir's clamp: a NaN becomes a limit, so these are choices by what an unordered predicate
// negates, from exchanged operands.
// CHECK-LABEL: npu.kernel @clamp
// CHECK: %[[P:.*]] = npu.binary cmpge %arg0 -> %{{.*}} {imm = -1.000000e+00 : f32}
// CHECK: %[[A:.*]] = npu.select %[[P]], %arg0, %{{.*}} ->
// CHECK: %[[Q:.*]] = npu.binary cmple %[[A]] -> %{{.*}} {imm = 1.000000e+00 : f32}
// CHECK: npu.select %[[Q]], %[[A]], %{{.*}} ->
func.func @clamp(%x: tensor<16xf32>) -> tensor<16xf32> {
  %lo = arith.constant -1.0 : f32
  %hi = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<16xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<16xf32>) outs(%e : tensor<16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.cmpf ult, %a, %lo : f32
    %2 = arith.select %1, %lo, %a : f32
    %3 = arith.cmpf ugt, %2, %hi : f32
    %4 = arith.select %3, %hi, %2 : f32
    linalg.yield %4 : f32
  } -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

// Leaky ReLU, a sign by two comparisons, and TOSA's minimum that ignores a NaN.
// CHECK-LABEL: npu.kernel @others
// CHECK: npu.binary mul %arg0 -> %{{.*}} {imm = 0.00999999977 : f32}
// CHECK: npu.select
// CHECK: npu.cast extui
// CHECK: %[[SIGN:.*]] = npu.binary sub
// CHECK: %[[P:.*]] = npu.binary cmplt %arg0, %arg1
// CHECK: %[[C:.*]] = npu.select %[[P]], %arg0, %arg1
// CHECK: %[[Q:.*]] = npu.binary cmpne %arg1, %arg1
// CHECK: npu.select %[[Q]], %arg0, %[[C]]
func.func @others(%x: tensor<16xf32>, %y: tensor<16xf32>) -> (tensor<16xf32>, tensor<16xi8>, tensor<16xf32>) {
  %zero = arith.constant 0.0 : f32
  %slope = arith.constant 0.01 : f32
  %e = tensor.empty() : tensor<16xf32>
  %i = tensor.empty() : tensor<16xi8>
  %0:3 = linalg.generic {indexing_maps = [#id, #id, #id, #id, #id], iterator_types = ["parallel"]}
      ins(%x, %y : tensor<16xf32>, tensor<16xf32>) outs(%e, %i, %e : tensor<16xf32>, tensor<16xi8>, tensor<16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32, %p: i8, %q: f32):
    %1 = arith.cmpf uge, %a, %zero : f32
    %2 = arith.mulf %a, %slope : f32
    %3 = arith.select %1, %a, %2 : f32
    %4 = arith.cmpf ogt, %a, %zero : f32
    %5 = arith.cmpf olt, %a, %zero : f32
    %6 = arith.extui %4 : i1 to i8
    %7 = arith.extui %5 : i1 to i8
    %8 = arith.subi %6, %7 : i8
    %9 = arith.minnumf %a, %b : f32
    linalg.yield %3, %8, %9 : f32, i8, f32
  } -> (tensor<16xf32>, tensor<16xi8>, tensor<16xf32>)
  return %0#0, %0#1, %0#2 : tensor<16xf32>, tensor<16xi8>, tensor<16xf32>
}

// A predicate that something else reads is negated; a constant is a number, so that only the other
// operand can be none.
// CHECK-LABEL: npu.kernel @unordered
// CHECK: %[[LE:.*]] = npu.binary cmple %arg0, %arg1
// CHECK: %[[UGT:.*]] = npu.binary xor %[[LE]] -> %{{.*}} {imm = true}
// CHECK: %[[LT:.*]] = npu.binary cmplt %arg0, %arg1
// CHECK: %[[GT:.*]] = npu.binary cmpgt %arg0, %arg1
// CHECK: %[[ONE:.*]] = npu.binary or %[[LT]], %[[GT]]
// CHECK: %[[UNO:.*]] = npu.binary cmpne %arg0, %arg0
// CHECK: npu.return %[[UGT]], %[[ONE]], %[[UNO]]
func.func @unordered(%x: tensor<16xf32>, %y: tensor<16xf32>) -> (tensor<16xi1>, tensor<16xi1>, tensor<16xi1>) {
  %two = arith.constant 2.0 : f32
  %e = tensor.empty() : tensor<16xi1>
  %0:3 = linalg.generic {indexing_maps = [#id, #id, #id, #id, #id], iterator_types = ["parallel"]}
      ins(%x, %y : tensor<16xf32>, tensor<16xf32>) outs(%e, %e, %e : tensor<16xi1>, tensor<16xi1>, tensor<16xi1>) {
  ^bb0(%a: f32, %b: f32, %o: i1, %p: i1, %q: i1):
    %1 = arith.cmpf ugt, %a, %b : f32
    %2 = arith.cmpf one, %a, %b : f32
    %3 = arith.cmpf uno, %a, %two : f32
    linalg.yield %1, %2, %3 : i1, i1, i1
  } -> (tensor<16xi1>, tensor<16xi1>, tensor<16xi1>)
  return %0#0, %0#1, %0#2 : tensor<16xi1>, tensor<16xi1>, tensor<16xi1>
}

// Unsigned numbers have the order of signed ones with their signs turned round.
// CHECK-LABEL: npu.kernel @unsigned
// CHECK: %[[A:.*]] = npu.binary xor %arg0 -> %{{.*}} {imm = -128 : i8}
// CHECK: npu.binary cmplt %[[A]] -> %{{.*}} {imm = -123 : i8}
// CHECK: %[[B:.*]] = npu.binary xor %arg0 -> %{{.*}} {imm = -128 : i8}
// CHECK: %[[C:.*]] = npu.binary max %[[B]] -> %{{.*}} {imm = -123 : i8}
// CHECK: npu.binary xor %[[C]] -> %{{.*}} {imm = -128 : i8}
func.func @unsigned(%x: tensor<16xi8>) -> (tensor<16xi1>, tensor<16xi8>) {
  %five = arith.constant 5 : i8
  %e = tensor.empty() : tensor<16xi1>
  %i = tensor.empty() : tensor<16xi8>
  %0:2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<16xi8>) outs(%e, %i : tensor<16xi1>, tensor<16xi8>) {
  ^bb0(%a: i8, %o: i1, %p: i8):
    %1 = arith.cmpi ult, %a, %five : i8
    %2 = arith.maxui %a, %five : i8
    linalg.yield %1, %2 : i1, i8
  } -> (tensor<16xi1>, tensor<16xi8>)
  return %0#0, %0#1 : tensor<16xi1>, tensor<16xi8>
}

// An integer's choice is a limit without ado.
// CHECK-LABEL: npu.kernel @integer_limits
// CHECK: npu.clamp %arg0
// CHECK-NEXT: npu.return
func.func @integer_limits(%x: tensor<16xi32>) -> tensor<16xi32> {
  %lo = arith.constant -128 : i32
  %hi = arith.constant 127 : i32
  %e = tensor.empty() : tensor<16xi32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<16xi32>) outs(%e : tensor<16xi32>) {
  ^bb0(%a: i32, %o: i32):
    %1 = arith.cmpi slt, %a, %lo : i32
    %2 = arith.select %1, %lo, %a : i32
    %3 = arith.cmpi sge, %2, %hi : i32
    %4 = arith.select %3, %hi, %2 : i32
    linalg.yield %4 : i32
  } -> tensor<16xi32>
  return %0 : tensor<16xi32>
}
