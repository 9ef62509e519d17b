// RUN: npu-opt --npu-host-round-once %s | FileCheck %s

// 32 bits: 24 stay, and the last of them says whether any of the 8 others is set.
// CHECK-LABEL: func.func @signed
// CHECK-SAME:      %[[X:.*]]: i32

// CHECK:         %[[CUT:.*]] = arith.andi %[[X]], %c255_i32
// CHECK:         %[[KEPT:.*]] = arith.andi %[[X]], %c-256_i32
// CHECK:         %[[IS_EXACT:.*]] = arith.cmpi eq, %[[CUT]]
// CHECK:         %[[BIT:.*]] = arith.select %[[IS_EXACT]], %{{.*}}, %c256_i32
// CHECK:         %[[ODD:.*]] = arith.ori %[[KEPT]], %[[BIT]]
// CHECK:         %[[DISTANCE:.*]] = arith.addi %[[X]], %c16777216_i32
// CHECK:         %[[IS_SMALL:.*]] = arith.cmpi ult, %[[DISTANCE]], %c33554432_i32
// CHECK:         %[[ROUNDED:.*]] = arith.select %[[IS_SMALL]], %[[X]], %[[ODD]]
// CHECK:         %[[WIDE:.*]] = arith.sitofp %[[ROUNDED]] : i32 to f32
// CHECK:         llvm.fptrunc %[[WIDE]] : f32 to bf16
func.func @signed(%x: i32) -> bf16 {
  %0 = arith.sitofp %x : i32 to bf16
  return %0 : bf16
}

// CHECK-LABEL: func.func @unsigned
// CHECK:         arith.cmpi ult, %{{.*}}, %c9007199254740992_i64
// CHECK:         arith.uitofp %{{.*}} : i64 to f64
// CHECK:         llvm.fptrunc %{{.*}} : f64 to bf16
func.func @unsigned(%x: i64) -> bf16 {
  %0 = arith.uitofp %x : i64 to bf16
  return %0 : bf16
}

// f32 holds all of 16 bits, and f16 is infinite where f32 does not hold the integer.
// CHECK-LABEL: func.func @others
// CHECK-NEXT:    arith.sitofp %{{.*}} : i16 to bf16
// CHECK-NEXT:    arith.sitofp %{{.*}} : i64 to f16
// CHECK-NEXT:    return
func.func @others(%x: i16, %y: i64) -> (bf16, f16) {
  %0 = arith.sitofp %x : i16 to bf16
  %1 = arith.sitofp %y : i64 to f16
  return %0, %1 : bf16, f16
}

// Upstream's canonicalization leaves one rounding of these two.
// CHECK-LABEL: func.func @twice
// CHECK-NEXT:    arith.sitofp %{{.*}} : i32 to f32
// CHECK-NEXT:    llvm.fptrunc %{{.*}} : f32 to f16
// CHECK-NEXT:    return
func.func @twice(%x: i32) -> f16 {
  %0 = arith.sitofp %x : i32 to f32
  %1 = arith.truncf %0 : f32 to f16
  return %1 : f16
}
