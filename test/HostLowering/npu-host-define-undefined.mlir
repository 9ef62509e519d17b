// RUN: npu-opt --npu-host-define-undefined %s | FileCheck %s

// A quotient by zero is 0; neither that nor an overflow traps.
// CHECK-LABEL: func.func @divide
// CHECK-SAME:      %[[X:.*]]: i32, %[[Y:.*]]: i32
// CHECK:         %[[IS_ZERO:.*]] = arith.cmpi eq, %[[Y]]
// CHECK-DAG:     arith.constant -1 : i32
// CHECK-DAG:     arith.constant -2147483648 : i32
// CHECK:         %[[SAFE:.*]] = arith.select %{{.*}}, %{{.*}}, %[[Y]]
// CHECK:         %[[QUOTIENT:.*]] = arith.divsi %[[X]], %[[SAFE]]
// CHECK:         arith.select %[[IS_ZERO]], %{{.*}}, %[[QUOTIENT]]
func.func @divide(%x: i32, %y: i32) -> i32 {
  %0 = arith.divsi %x, %y : i32
  return %0 : i32
}

// The remainder of the division by one is 0 already.
// CHECK-LABEL: func.func @remainder
// CHECK-SAME:      %[[X:.*]]: i32, %[[Y:.*]]: i32
// CHECK:         %[[SAFE:.*]] = arith.select %{{.*}}, %{{.*}}, %[[Y]]
// CHECK:         %[[REMAINDER:.*]] = arith.remui %[[X]], %[[SAFE]]
// CHECK-NEXT:    return %[[REMAINDER]]
func.func @remainder(%x: i32, %y: i32) -> i32 {
  %0 = arith.remui %x, %y : i32
  return %0 : i32
}

// CHECK-LABEL: func.func @shift_left
// CHECK-SAME:      %[[X:.*]]: i8, %[[N:.*]]: i8
// CHECK:         %[[IS_OUT:.*]] = arith.cmpi ugt, %[[N]], %{{.*}}
// CHECK:         %[[SHIFTED:.*]] = arith.shli %[[X]]
// CHECK:         arith.select %[[IS_OUT]], %{{.*}}, %[[SHIFTED]]
func.func @shift_left(%x: i8, %n: i8) -> i8 {
  %0 = arith.shli %x, %n : i8
  return %0 : i8
}

// CHECK-LABEL: func.func @arithmetic_shift_right
// CHECK:         arith.maxsi
// CHECK:         arith.minsi
// CHECK:         arith.shrsi
func.func @arithmetic_shift_right(%x: i8, %n: i8) -> i8 {
  %0 = arith.shrsi %x, %n : i8
  return %0 : i8
}

// Constants cost nothing.
// CHECK-LABEL: func.func @constants
// CHECK-NOT:     arith.select
// CHECK:         return
func.func @constants(%x: i32) -> i32 {
  %c3 = arith.constant 3 : i32
  %0 = arith.divsi %x, %c3 : i32
  %1 = arith.shli %0, %c3 : i32
  return %1 : i32
}

// Unless they are what is undefined.
// CHECK-LABEL: func.func @undefined_constants
// CHECK:         arith.minsi
// CHECK:         arith.shrsi
// CHECK:         arith.shli
// CHECK:         arith.select
// CHECK:         arith.divsi
// CHECK:         arith.select
func.func @undefined_constants(%x: i8) -> (i8, i8, i8) {
  %c8 = arith.constant 8 : i8
  %c0 = arith.constant 0 : i8
  %0 = arith.shrsi %x, %c8 : i8
  %1 = arith.shli %x, %c8 : i8
  %2 = arith.divsi %x, %c0 : i8
  return %0, %1, %2 : i8, i8, i8
}

// CHECK-LABEL: func.func @convert
// CHECK:         %[[X:.*]] = arith.extf %{{.*}} : f16 to f32
// CHECK:         %[[IS_HIGH:.*]] = arith.cmpf oge, %[[X]]
// CHECK:         %[[IS_LOW:.*]] = arith.cmpf olt, %[[X]]
// CHECK:         %[[IS_NAN:.*]] = arith.cmpf uno, %[[X]], %[[X]]
// CHECK:         %[[IN_RANGE:.*]] = arith.select %{{.*}}, %{{.*}}, %[[X]] : f32
// CHECK:         %[[INTEGER:.*]] = arith.fptosi %[[IN_RANGE]] : f32 to i32
// CHECK:         %[[OR_LEAST:.*]] = arith.select %[[IS_LOW]], %{{.*}}, %[[INTEGER]]
// CHECK:         arith.select %[[IS_HIGH]], %{{.*}}, %[[OR_LEAST]]
func.func @convert(%x: f16) -> i32 {
  %0 = arith.fptosi %x : f16 to i32
  return %0 : i32
}

// Divisions by the index dialect are the same.
// CHECK-LABEL: func.func @index_dialect
// CHECK:         arith.select
// CHECK:         arith.divsi
// CHECK:         arith.remui
// CHECK:         arith.select
// CHECK:         arith.shli
// CHECK-NOT:     index.
func.func @index_dialect(%x: index, %y: index) -> (index, index, index) {
  %0 = index.divs %x, %y
  %1 = index.remu %x, %y
  %2 = index.shl %x, %y
  return %0, %1, %2 : index, index, index
}

// 0 to a negative power is a quotient by zero.
// CHECK-LABEL: func.func @power
// CHECK-SAME:      %[[X:.*]]: i32, %[[N:.*]]: i32
// CHECK:         %[[IS_ZERO:.*]] = arith.cmpi eq, %[[X]]
// CHECK:         %[[IS_NEGATIVE:.*]] = arith.cmpi slt, %[[N]]
// CHECK:         %[[DIVIDES:.*]] = arith.andi %[[IS_ZERO]], %[[IS_NEGATIVE]]
// CHECK:         %[[SAFE:.*]] = arith.select %[[DIVIDES]], %{{.*}}, %[[N]]
// CHECK:         %[[POWER:.*]] = math.ipowi %[[X]], %[[SAFE]]
// CHECK:         arith.select %[[DIVIDES]], %{{.*}}, %[[POWER]]
func.func @power(%x: i32, %n: i32) -> i32 {
  %0 = math.ipowi %x, %n : i32
  return %0 : i32
}

// What flags rule out happens.
// CHECK-LABEL: func.func @flags
// CHECK:         arith.addi %{{.*}}, %{{.*}} : i32
// CHECK:         arith.divui %{{.*}}, %{{.*}} : i32
// CHECK:         arith.mulf %{{.*}}, %{{.*}} : f32
func.func @flags(%x: i32, %f: f32) -> (i32, i32, f32) {
  %c3 = arith.constant 3 : i32
  %0 = arith.addi %x, %c3 overflow<nsw, nuw> : i32
  %1 = arith.divui %x, %c3 exact : i32
  %2 = arith.mulf %f, %f fastmath<fast> : f32
  return %0, %1, %2 : i32, i32, f32
}
