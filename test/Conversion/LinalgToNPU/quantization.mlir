// RUN: npu-opt %s --convert-func-to-kernel --convert-linalg-to-npu --npu-verify-tensor-form | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#col = affine_map<(d0, d1) -> (d1)>

// The usual chain in f32 is one requantization; what comes before it stays.
// CHECK-LABEL: npu.kernel @float_limits
func.func @float_limits(%x: tensor<4x8xi32>, %bias: tensor<8xi32>) -> tensor<4x8xi8> {
  // CHECK: %[[A:.*]] = npu.binary add
  // CHECK: %[[B:.*]] = npu.binary max %[[A]] -> %{{.*}} {imm = 0 : i32}
  // CHECK: %[[C:.*]] = npu.requantize %[[B]] -> %{{.*}} {hi = 127, lo = -128, scale = 1.230000e-02 : f32, zero_point = -3} : tensor<4x8xi32> -> tensor<4x8xi8>
  // CHECK: npu.return %[[C]]
  %zero = arith.constant 0 : i32
  %scale = arith.constant 1.230000e-02 : f32
  %zp = arith.constant -3.0 : f32
  %lo = arith.constant -128.0 : f32
  %hi = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<4x8xi8>
  %0 = linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %bias : tensor<4x8xi32>, tensor<8xi32>) outs(%e : tensor<4x8xi8>) {
  ^bb0(%a: i32, %b: i32, %o: i8):
    %1 = arith.addi %a, %b : i32
    %2 = arith.maxsi %1, %zero : i32
    %3 = arith.sitofp %2 : i32 to f32
    %4 = arith.mulf %3, %scale : f32
    %5 = math.roundeven %4 : f32
    %6 = arith.addf %5, %zp : f32
    %7 = arith.maximumf %6, %lo : f32
    %8 = arith.minimumf %7, %hi : f32
    %9 = arith.fptosi %8 : f32 to i8
    linalg.yield %9 : i8
  } -> tensor<4x8xi8>
  return %0 : tensor<4x8xi8>
}

// Limits and zero point in i32, one factor per channel.
// CHECK-LABEL: npu.kernel @integer_limits
func.func @integer_limits(%x: tensor<4x8xi32>, %scales: tensor<8xf32>) -> tensor<4x8xi16> {
  // CHECK: npu.requantize %{{.*}} scales(%{{.*}}) -> %{{.*}} {hi = 1000, indexing_maps = [#{{.*}}, #{{.*}}, #{{.*}}], lo = 0, zero_point = 5} : tensor<4x8xi32>, tensor<8xf32> -> tensor<4x8xi16>
  %zp = arith.constant 5 : i32
  %lo = arith.constant 0 : i32
  %hi = arith.constant 1000 : i32
  %e = tensor.empty() : tensor<4x8xi16>
  %0 = linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %scales : tensor<4x8xi32>, tensor<8xf32>) outs(%e : tensor<4x8xi16>) {
  ^bb0(%a: i32, %s: f32, %o: i16):
    %1 = arith.sitofp %a : i32 to f32
    %2 = arith.mulf %s, %1 : f32
    %3 = math.roundeven %2 : f32
    %4 = arith.fptosi %3 : f32 to i32
    %5 = arith.addi %4, %zp : i32
    %6 = arith.maxsi %5, %lo : i32
    %7 = arith.minsi %6, %hi : i32
    %8 = arith.trunci %7 : i32 to i16
    linalg.yield %8 : i16
  } -> tensor<4x8xi16>
  return %0 : tensor<4x8xi16>
}

// TOSA's scaling with limits that are the type's is one rescaling.
// CHECK-LABEL: npu.kernel @rescale
func.func @rescale(%x: tensor<4x8xi32>) -> tensor<4x8xi8> {
  // CHECK: npu.rescale %{{.*}} -> %{{.*}} {double_round, multiplier = 1431655765, output_zp = -3, shift = 40} : tensor<4x8xi32> -> tensor<4x8xi8>
  // CHECK-NEXT: npu.return
  %m = arith.constant 1431655765 : i32
  %s = arith.constant 40 : i8
  %zp = arith.constant -3 : i32
  %lo = arith.constant -128 : i32
  %hi = arith.constant 127 : i32
  %e = tensor.empty() : tensor<4x8xi8>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x8xi32>) outs(%e : tensor<4x8xi8>) {
  ^bb0(%a: i32, %o: i8):
    %1 = tosa.apply_scale %a, %m, %s {rounding_mode = DOUBLE_ROUND} : (i32, i32, i8) -> i32
    %2 = arith.addi %1, %zp : i32
    %3 = arith.maxsi %2, %lo : i32
    %4 = arith.minsi %3, %hi : i32
    %5 = arith.trunci %4 : i32 to i8
    linalg.yield %5 : i8
  } -> tensor<4x8xi8>
  return %0 : tensor<4x8xi8>
}

// What is widened only to be scaled is read as it is, with its zero point.
// CHECK-LABEL: npu.kernel @rescale_narrow
// CHECK-SAME: (%[[A:.*]]: tensor<4x8xi8>, %[[B:.*]]: tensor<4x8xi16>, %[[C:.*]]: tensor<4x8xi8>, %[[D:.*]]: tensor<4x8xi8>)
func.func @rescale_narrow(%x: tensor<4x8xi8>, %y: tensor<4x8xi16>, %u: tensor<4x8xi8>, %v: tensor<4x8xi8>) -> (tensor<4x8xi32>, tensor<4x8xi32>, tensor<4x8xi32>, tensor<4x8xi32>) {
  // CHECK-DAG: npu.rescale %[[A]] -> %{{.*}} {input_zp = -7, multiplier = 1431655765, shift = 30} : tensor<4x8xi8> -> tensor<4x8xi32>
  // CHECK-DAG: npu.rescale %[[B]] -> %{{.*}} {multiplier = 1431655765, shift = 30} : tensor<4x8xi16> -> tensor<4x8xi32>
  // Numbers without a sign, and zero points that an instruction does not hold, stay ops.
  // CHECK-DAG: npu.cast extui %[[C]]
  // CHECK-DAG: npu.cast extsi %[[D]]
  // CHECK-DAG: npu.binary sub %{{.*}} -> %{{.*}} {imm = 40000 : i32}
  // CHECK: npu.return
  %m = arith.constant 1431655765 : i32
  %s = arith.constant 30 : i8
  %zp = arith.constant -7 : i32
  %far = arith.constant 40000 : i32
  %e = tensor.empty() : tensor<4x8xi32>
  %0:4 = linalg.generic {indexing_maps = [#id, #id, #id, #id, #id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y, %u, %v : tensor<4x8xi8>, tensor<4x8xi16>, tensor<4x8xi8>, tensor<4x8xi8>) outs(%e, %e, %e, %e : tensor<4x8xi32>, tensor<4x8xi32>, tensor<4x8xi32>, tensor<4x8xi32>) {
  ^bb0(%a: i8, %b: i16, %c: i8, %d: i8, %o: i32, %p: i32, %q: i32, %r: i32):
    %1 = arith.extsi %a : i8 to i32
    %2 = arith.subi %1, %zp : i32
    %3 = tosa.apply_scale %2, %m, %s {rounding_mode = SINGLE_ROUND} : (i32, i32, i8) -> i32
    %4 = arith.extsi %b : i16 to i32
    %5 = tosa.apply_scale %4, %m, %s {rounding_mode = SINGLE_ROUND} : (i32, i32, i8) -> i32
    %6 = arith.extui %c : i8 to i32
    %7 = tosa.apply_scale %6, %m, %s {rounding_mode = SINGLE_ROUND} : (i32, i32, i8) -> i32
    %8 = arith.extsi %d : i8 to i32
    %9 = arith.subi %8, %far : i32
    %10 = tosa.apply_scale %9, %m, %s {rounding_mode = SINGLE_ROUND} : (i32, i32, i8) -> i32
    linalg.yield %3, %5, %7, %10 : i32, i32, i32, i32
  } -> (tensor<4x8xi32>, tensor<4x8xi32>, tensor<4x8xi32>, tensor<4x8xi32>)
  return %0#0, %0#1, %0#2, %0#3 : tensor<4x8xi32>, tensor<4x8xi32>, tensor<4x8xi32>, tensor<4x8xi32>
}

// Other limits are limits of the op; factors per channel are operands.
// CHECK-LABEL: npu.kernel @rescale_limits
func.func @rescale_limits(%x: tensor<4x8xi32>, %m: tensor<8xi32>, %s: tensor<8xi8>) -> tensor<4x8xi8> {
  // CHECK: npu.rescale %{{.*}} scales(%{{.*}}, %{{.*}}) -> %{{.*}} {hi = 100, {{.*}}lo = 0} : tensor<4x8xi32>, tensor<8xi32>, tensor<8xi8> -> tensor<4x8xi8>
  // CHECK-NEXT: npu.return
  %lo = arith.constant 0 : i32
  %hi = arith.constant 100 : i32
  %e = tensor.empty() : tensor<4x8xi8>
  %0 = linalg.generic {indexing_maps = [#id, #col, #col, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %m, %s : tensor<4x8xi32>, tensor<8xi32>, tensor<8xi8>) outs(%e : tensor<4x8xi8>) {
  ^bb0(%a: i32, %b: i32, %c: i8, %o: i8):
    %1 = tosa.apply_scale %a, %b, %c {rounding_mode = SINGLE_ROUND} : (i32, i32, i8) -> i32
    %2 = arith.maxsi %1, %lo : i32
    %3 = arith.minsi %2, %hi : i32
    %4 = arith.trunci %3 : i32 to i8
    linalg.yield %4 : i8
  } -> tensor<4x8xi8>
  return %0 : tensor<4x8xi8>
}

// So are the limits of an activation after it, a relu or a clamp, unless something else sees what was rescaled.
// CHECK-LABEL: npu.kernel @rescale_activation
func.func @rescale_activation(%x: tensor<4x8xi32>) -> (tensor<4x8xi8>, tensor<4x8xi8>, tensor<4x8xi8>, tensor<4x8xi8>) {
  // CHECK-DAG: npu.rescale %{{.*}} -> %{{.*}} {hi = 127, lo = -3, multiplier = 1431655765, output_zp = -3, shift = 40} : tensor<4x8xi32> -> tensor<4x8xi8>
  // CHECK-DAG: npu.rescale %{{.*}} -> %{{.*}} {hi = 60, lo = 0, multiplier = 1431655765, shift = 40} : tensor<4x8xi32> -> tensor<4x8xi8>
  // CHECK-DAG: npu.rescale %{{.*}} -> %{{.*}} {multiplier = 1431655765, shift = 39} : tensor<4x8xi32> -> tensor<4x8xi8>
  // CHECK-DAG: npu.binary max
  // CHECK: npu.return
  %m = arith.constant 1431655765 : i32
  %s = arith.constant 40 : i8
  %other = arith.constant 39 : i8
  %zp = arith.constant -3 : i32
  %lo = arith.constant -128 : i32
  %hi = arith.constant 127 : i32
  %three = arith.constant -3 : i8
  %zero = arith.constant 0 : i8
  %sixty = arith.constant 60 : i8
  %e = tensor.empty() : tensor<4x8xi8>
  %0:4 = linalg.generic {indexing_maps = [#id, #id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x8xi32>) outs(%e, %e, %e, %e : tensor<4x8xi8>, tensor<4x8xi8>, tensor<4x8xi8>, tensor<4x8xi8>) {
  ^bb0(%a: i32, %o: i8, %p: i8, %q: i8, %r: i8):
    %1 = tosa.apply_scale %a, %m, %s {rounding_mode = SINGLE_ROUND} : (i32, i32, i8) -> i32
    %2 = arith.addi %1, %zp : i32
    %3 = arith.maxsi %2, %lo : i32
    %4 = arith.minsi %3, %hi : i32
    %5 = arith.trunci %4 : i32 to i8
    %6 = arith.maxsi %5, %three : i8
    %7 = arith.maxsi %1, %lo : i32
    %8 = arith.minsi %7, %hi : i32
    %9 = arith.trunci %8 : i32 to i8
    %10 = arith.maxsi %9, %zero : i8
    %11 = arith.minsi %10, %sixty : i8
    %12 = tosa.apply_scale %a, %m, %other {rounding_mode = SINGLE_ROUND} : (i32, i32, i8) -> i32
    %13 = arith.maxsi %12, %lo : i32
    %14 = arith.minsi %13, %hi : i32
    %15 = arith.trunci %14 : i32 to i8
    %16 = arith.maxsi %15, %zero : i8
    linalg.yield %6, %11, %15, %16 : i8, i8, i8, i8
  } -> (tensor<4x8xi8>, tensor<4x8xi8>, tensor<4x8xi8>, tensor<4x8xi8>)
  return %0#0, %0#1, %0#2, %0#3 : tensor<4x8xi8>, tensor<4x8xi8>, tensor<4x8xi8>, tensor<4x8xi8>
}

// A negative multiplier is an operand, as those of attributes are not negative: products of TOSA have it.
// CHECK-LABEL: npu.kernel @negative_multiplier
func.func @negative_multiplier(%x: tensor<4x8xi32>) -> tensor<4x8xi32> {
  // CHECK-DAG: %[[M:.*]] = arith.constant dense<-1010580540> : tensor<i32>
  // CHECK-DAG: %[[S:.*]] = arith.constant dense<31> : tensor<i8>
  // CHECK: npu.rescale %{{.*}} scales(%[[M]], %[[S]]) -> %{{.*}} : tensor<4x8xi32>, tensor<i32>, tensor<i8> -> tensor<4x8xi32>
  %m = arith.constant -1010580540 : i32
  %s = arith.constant 31 : i8
  %e = tensor.empty() : tensor<4x8xi32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x8xi32>) outs(%e : tensor<4x8xi32>) {
  ^bb0(%a: i32, %o: i32):
    %1 = tosa.apply_scale %a, %m, %s {rounding_mode = SINGLE_ROUND} : (i32, i32, i8) -> i32
    linalg.yield %1 : i32
  } -> tensor<4x8xi32>
  return %0 : tensor<4x8xi32>
}

// Without limits the conversion saturates by itself, which is not a requantization by the letter.
// CHECK-LABEL: npu.kernel @no_limits
func.func @no_limits(%x: tensor<4x8xi32>) -> tensor<4x8xi8> {
  // CHECK: npu.cast sitofp
  // CHECK: npu.binary mul
  // CHECK: npu.unary roundeven
  // CHECK: npu.cast fptosi
  %scale = arith.constant 0.5 : f32
  %e = tensor.empty() : tensor<4x8xi8>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x8xi32>) outs(%e : tensor<4x8xi8>) {
  ^bb0(%a: i32, %o: i8):
    %1 = arith.sitofp %a : i32 to f32
    %2 = arith.mulf %1, %scale : f32
    %3 = math.roundeven %2 : f32
    %4 = arith.fptosi %3 : f32 to i8
    linalg.yield %4 : i8
  } -> tensor<4x8xi8>
  return %0 : tensor<4x8xi8>
}
