// RUN: npu-opt %s --npu-expand-scalar-ops | FileCheck %s

#id = affine_map<(d0) -> (d0)>

// A quotient of two functions that the vector unit has.
// CHECK-LABEL: func.func @tan
func.func @tan(%x: tensor<8xf32>, %out: tensor<8xf32>) -> tensor<8xf32> {
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%out : tensor<8xf32>) {
  ^bb0(%in: f32, %o: f32):
    // CHECK: %[[S:.*]] = math.sin %[[X:.*]] : f32
    // CHECK: %[[C:.*]] = math.cos %[[X]] : f32
    // CHECK: arith.divf %[[S]], %[[C]] : f32
    %1 = math.tan %in : f32
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// Narrow types are rounded once.
// CHECK-LABEL: func.func @log1p
func.func @log1p(%x: tensor<8xf16>, %out: tensor<8xf16>) -> tensor<8xf16> {
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf16>) outs(%out : tensor<8xf16>) {
  ^bb0(%in: f16, %o: f16):
    // CHECK: %[[X:.*]] = arith.extf %{{.*}} : f16 to f32
    // CHECK: %[[U:.*]] = arith.addf %[[X]], %{{.*}} : f32
    // CHECK: math.log %[[U]] : f32
    // CHECK-NOT: f16
    // CHECK: %[[R:.*]] = arith.truncf %{{.*}} : f32 to f16
    // CHECK-NEXT: linalg.yield %[[R]]
    %1 = math.log1p %in : f16
    linalg.yield %1 : f16
  } -> tensor<8xf16>
  return %0 : tensor<8xf16>
}

// None of these stays; f64 does.
// CHECK-LABEL: func.func @others
// CHECK-NOT: math.{{expm1|sinh|cosh|asinh|acosh|atanh|atan|asin|acos|trunc}}
// CHECK-LABEL: func.func @wide
func.func @others(%x: tensor<8xf32>, %out: tensor<8xf32>) -> tensor<8xf32> {
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%out : tensor<8xf32>) {
  ^bb0(%in: f32, %o: f32):
    %1 = math.expm1 %in : f32
    %2 = math.sinh %1 : f32
    %3 = math.cosh %2 : f32
    %4 = math.asinh %3 : f32
    %5 = math.acosh %4 : f32
    %6 = math.atanh %5 : f32
    %7 = math.atan %6 : f32
    %8 = math.asin %7 : f32
    %9 = math.acos %8 : f32
    %10 = math.trunc %9 : f32
    linalg.yield %10 : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

func.func @wide(%x: tensor<8xf64>, %out: tensor<8xf64>) -> tensor<8xf64> {
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf64>) outs(%out : tensor<8xf64>) {
  ^bb0(%in: f64, %o: f64):
    // CHECK: math.sinh %{{.*}} : f64
    %1 = math.sinh %in : f64
    linalg.yield %1 : f64
  } -> tensor<8xf64>
  return %0 : tensor<8xf64>
}

// An integer remainder.
// CHECK-LABEL: func.func @remainder
func.func @remainder(%x: tensor<8xi32>, %y: tensor<8xi32>, %out: tensor<8xi32>) -> tensor<8xi32> {
  %0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x, %y : tensor<8xi32>, tensor<8xi32>) outs(%out : tensor<8xi32>) {
  ^bb0(%a: i32, %b: i32, %o: i32):
    // CHECK: %[[Q:.*]] = arith.divsi %[[A:.*]], %[[B:.*]] : i32
    // CHECK: %[[P:.*]] = arith.muli %[[Q]], %[[B]] : i32
    // CHECK: arith.subi %[[A]], %[[P]] : i32
    %1 = arith.remsi %a, %b : i32
    linalg.yield %1 : i32
  } -> tensor<8xi32>
  return %0 : tensor<8xi32>
}

// Unsigned bytes are divided as signed words.
// CHECK-LABEL: func.func @unsigned
func.func @unsigned(%x: tensor<8xi8>, %y: tensor<8xi8>, %out: tensor<8xi8>) -> tensor<8xi8> {
  %0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x, %y : tensor<8xi8>, tensor<8xi8>) outs(%out : tensor<8xi8>) {
  ^bb0(%a: i8, %b: i8, %o: i8):
    // CHECK: arith.extui %{{.*}} : i8 to i32
    // CHECK: arith.extui %{{.*}} : i8 to i32
    // CHECK: arith.divsi %{{.*}} : i32
    // CHECK: arith.trunci %{{.*}} : i32 to i8
    // CHECK-NOT: arith.rem
    %1 = arith.divui %a, %b : i8
    %2 = arith.remui %1, %b : i8
    linalg.yield %2 : i8
  } -> tensor<8xi8>
  return %0 : tensor<8xi8>
}

// Leading zeros, the upper half of the bits first; zero has as many as there are bits.
// CHECK-LABEL: func.func @leading_zeros
// CHECK: ^bb0(%[[X:.*]]: i8, %{{.*}}: i8):
// CHECK: %[[U:.*]] = arith.shrui %[[X]], %c4_i8
// CHECK: %[[Z:.*]] = arith.cmpi eq, %[[U]], %c0_i8
// CHECK: %[[L:.*]] = arith.shli %[[X]], %c4_i8
// CHECK: %[[Y:.*]] = arith.select %[[Z]], %[[L]], %[[X]]
// CHECK: %[[C:.*]] = arith.select %[[Z]], %c4_i8{{.*}}, %c0_i8
// CHECK: arith.shrui %[[Y]], %c6_i8
// CHECK: arith.addi %[[C]], %c2_i8
// CHECK: arith.shrui %{{.*}}, %c7_i8
// CHECK: %[[S:.*]] = arith.cmpi sge, %{{.*}}, %c0_i8
// CHECK: %[[O:.*]] = arith.extui %[[S]] : i1 to i8
// CHECK: arith.addi %{{.*}}, %[[O]]
// CHECK-NOT: math.ctlz
func.func @leading_zeros(%x: tensor<8xi8>, %out: tensor<8xi8>) -> tensor<8xi8> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<8xi8>) outs(%out : tensor<8xi8>) {
  ^bb0(%in: i8, %o: i8):
    %1 = math.ctlz %in : i8
    linalg.yield %1 : i8
  } -> tensor<8xi8>
  return %0 : tensor<8xi8>
}

// Unsigned words by a signed division of half the dividend; what is left over says whether it is one more.
// CHECK-LABEL: func.func @unsigned_words
func.func @unsigned_words(%x: tensor<8xi32>, %y: tensor<8xi32>, %out: tensor<8xi32>) -> tensor<8xi32> {
  %0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x, %y : tensor<8xi32>, tensor<8xi32>) outs(%out : tensor<8xi32>) {
  ^bb0(%a: i32, %b: i32, %o: i32):
    // CHECK: %[[H:.*]] = arith.shrui %[[A:.*]], %[[ONE:.*]] : i32
    // CHECK: %[[Q:.*]] = arith.divsi %[[H]], %[[B:.*]] : i32
    // CHECK: %[[T:.*]] = arith.shli %[[Q]], %[[ONE]] : i32
    // CHECK: %[[LARGE:.*]] = arith.cmpi slt, %[[B]]
    // CHECK: %[[L:.*]] = arith.select %[[LARGE]], %{{.*}}, %[[T]] : i32
    // CHECK: %[[P:.*]] = arith.muli %[[L]], %[[B]] : i32
    // CHECK: %[[R:.*]] = arith.subi %[[A]], %[[P]] : i32
    // CHECK: %[[MORE:.*]] = arith.cmpi uge, %[[R]], %[[B]] : i32
    // CHECK: arith.select %[[MORE]]
    // CHECK-NOT: arith.{{divui|remui|ceildivui}}
    %1 = arith.divui %a, %b : i32
    %2 = arith.remui %a, %1 : i32
    %3 = arith.ceildivui %2, %b : i32
    linalg.yield %3 : i32
  } -> tensor<8xi32>
  return %0 : tensor<8xi32>
}

// i64 has no signed division on the vector unit, either.
// CHECK-LABEL: func.func @unsigned_long
func.func @unsigned_long(%x: tensor<8xi64>, %y: tensor<8xi64>, %out: tensor<8xi64>) -> tensor<8xi64> {
  %0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x, %y : tensor<8xi64>, tensor<8xi64>) outs(%out : tensor<8xi64>) {
  ^bb0(%a: i64, %b: i64, %o: i64):
    // CHECK: arith.divui %{{.*}} : i64
    // CHECK: arith.remui %{{.*}} : i64
    %1 = arith.divui %a, %b : i64
    %2 = arith.remui %1, %b : i64
    linalg.yield %2 : i64
  } -> tensor<8xi64>
  return %0 : tensor<8xi64>
}

// Powers with an exponent that differs from element to element. The logarithm is a sum of two numbers.
// CHECK-LABEL: func.func @power
func.func @power(%x: tensor<8xf32>, %y: tensor<8xf32>, %out: tensor<8xf32>) -> tensor<8xf32> {
  %0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x, %y : tensor<8xf32>, tensor<8xf32>) outs(%out : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    // CHECK: %[[M:.*]] = math.absf %{{.*}} : f32
    // CHECK: math.log %[[M]] : f32
    // CHECK: math.exp2
    // CHECK-NOT: math.powf
    %1 = math.powf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// A constant exponent that is a few products stays that; of another one, its parity is known.
// CHECK-LABEL: func.func @constant_powers
func.func @constant_powers(%x: tensor<8xf32>, %out: tensor<8xf32>) -> tensor<8xf32> {
  %three = arith.constant 3.0 : f32
  %other = arith.constant 2.4 : f32
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%out : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    // CHECK: %[[S:.*]] = arith.mulf %[[X:.*]], %[[X]] : f32
    // CHECK-NEXT: arith.mulf %[[X]], %[[S]] : f32
    // CHECK: math.log
    // CHECK-NOT: math.floor
    // CHECK: linalg.yield
    %1 = math.powf %a, %three : f32
    %2 = math.powf %1, %other : f32
    linalg.yield %2 : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// Narrow types are rounded once, by either function; f64 stays.
// CHECK-LABEL: func.func @narrow_binary
func.func @narrow_binary(%x: tensor<8xbf16>, %y: tensor<8xbf16>, %out: tensor<8xbf16>) -> tensor<8xbf16> {
  %0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x, %y : tensor<8xbf16>, tensor<8xbf16>) outs(%out : tensor<8xbf16>) {
  ^bb0(%a: bf16, %b: bf16, %o: bf16):
    // CHECK: arith.extf %{{.*}} : bf16 to f32
    // CHECK: arith.extf %{{.*}} : bf16 to f32
    // CHECK-NOT: arith.remf
    // CHECK-NOT: bf16
    // CHECK: %[[R:.*]] = arith.truncf %{{.*}} : f32 to bf16
    // CHECK-NEXT: linalg.yield %[[R]]
    %1 = arith.remf %a, %b : bf16
    linalg.yield %1 : bf16
  } -> tensor<8xbf16>
  return %0 : tensor<8xbf16>
}

// CHECK-LABEL: func.func @wide_binary
func.func @wide_binary(%x: tensor<8xf64>, %y: tensor<8xf64>, %out: tensor<8xf64>) -> tensor<8xf64> {
  %0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x, %y : tensor<8xf64>, tensor<8xf64>) outs(%out : tensor<8xf64>) {
  ^bb0(%a: f64, %b: f64, %o: f64):
    // CHECK: math.powf %{{.*}} : f64
    // CHECK: arith.remf %{{.*}} : f64
    %1 = math.powf %a, %b : f64
    %2 = arith.remf %1, %b : f64
    linalg.yield %2 : f64
  } -> tensor<8xf64>
  return %0 : tensor<8xf64>
}
