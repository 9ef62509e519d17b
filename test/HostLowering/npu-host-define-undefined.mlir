// RUN: npu-opt --npu-host-define-undefined %s | FileCheck %s

// An index out of range is the nearest one in range; constants were checked by the verifier.
// CHECK-LABEL: func.func @extract
// CHECK-SAME:      %[[X:.*]]: tensor<4x8xf32>, %[[I:.*]]: index
// CHECK-DAG:     %[[FIRST:.*]] = arith.constant 0 : index
// CHECK-DAG:     %[[LAST:.*]] = arith.constant 3 : index
// CHECK:         %[[LOW:.*]] = arith.maxsi %[[I]], %[[FIRST]]
// CHECK:         %[[HIGH:.*]] = arith.minsi %[[LOW]], %[[LAST]]
// CHECK:         tensor.extract %[[X]][%[[HIGH]], %{{.*}}]
func.func @extract(%x: tensor<4x8xf32>, %i: index) -> f32 {
  %c2 = arith.constant 2 : index
  %0 = tensor.extract %x[%i, %c2] : tensor<4x8xf32>
  return %0 : f32
}

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
