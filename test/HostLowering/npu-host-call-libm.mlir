// RUN: npu-opt %s --npu-host-call-libm | FileCheck %s

// CHECK-DAG: func.func private @log1pf(f32) -> f32
// CHECK-DAG: func.func private @expm1(f64) -> f64
// CHECK-LABEL: func.func @f(
// CHECK: %[[WIDE:.*]] = arith.extf %{{.*}} : bf16 to f32
// CHECK: call @log1pf(%[[WIDE]])
// CHECK: call @expm1(
// Other functions have intrinsics.
// CHECK: math.exp
func.func @f(%x: bf16, %y: f64) -> (bf16, f64, f64) {
  %0 = math.log1p %x : bf16
  %1 = math.expm1 %y : f64
  %2 = math.exp %y : f64
  return %0, %1, %2 : bf16, f64, f64
}
