// RUN: npu-opt %s --npu-round-constants | FileCheck %s

// To the nearest number, in the middle to the even one.
// CHECK-LABEL: func.func @f
// CHECK: arith.constant 9.99999974E-6 : f32
// CHECK: arith.constant 1.000000e+00 : f16
// CHECK: arith.constant 0x7F800000 : f32
// CHECK-NOT: truncf
// CHECK: return
func.func @f() -> (f32, f16, f32) {
  %epsilon = arith.constant 1.0e-05 : f64
  %middle = arith.constant 1.00048828125 : f64
  %large = arith.constant 1.0e+300 : f64
  %0 = arith.truncf %epsilon : f64 to f32
  %1 = arith.truncf %middle : f64 to f16
  %2 = arith.truncf %large : f64 to f32
  return %0, %1, %2 : f32, f16, f32
}

// Another rounding, and what is no constant, stay.
// CHECK-LABEL: func.func @g
// CHECK: arith.truncf %{{.*}} to_nearest_away : f64 to f32
// CHECK: arith.truncf %{{.*}} : f64 to f32
func.func @g(%x: f64) -> (f32, f32) {
  %c = arith.constant 1.0e-05 : f64
  %0 = arith.truncf %c to_nearest_away : f64 to f32
  %1 = arith.truncf %x : f64 to f32
  return %0, %1 : f32, f32
}
