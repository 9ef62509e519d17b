// RUN: npu-opt %s --convert-func-to-kernel --convert-linalg-to-npu --npu-verify-tensor-form | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// CHECK-DAG: #[[$ROW:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-DAG: #[[$ZERO:.*]] = affine_map<(d0, d1) -> (0)>
// CHECK-DAG: #[[$ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>

// As TOSA's TABLE of i8 becomes linalg.
// CHECK-LABEL: npu.kernel @bytes
// CHECK-SAME: (%[[X:.*]]: tensor<4x7xi8>, %[[T:.*]]: tensor<256xi8>)
func.func @bytes(%x: tensor<4x7xi8>, %t: tensor<256xi8>) -> tensor<4x7xi8> {
  // CHECK: npu.table %[[X]][%[[T]]] -> %{{.*}} : tensor<4x7xi8>, tensor<256xi8> -> tensor<4x7xi8>
  %e = tensor.empty() : tensor<4x7xi8>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x7xi8>) outs(%e : tensor<4x7xi8>) {
  ^bb0(%in: i8, %out: i8):
    %c128 = arith.constant 128 : index
    %i = arith.index_cast %in : i8 to index
    %j = arith.addi %i, %c128 : index
    %r = tensor.extract %t[%j] : tensor<256xi8>
    linalg.yield %r : i8
  } -> tensor<4x7xi8>
  return %0 : tensor<4x7xi8>
}

// As TOSA's TABLE of i16 becomes linalg, of what is broadcast, with what is computed of it.
// CHECK-LABEL: npu.kernel @interpolated
// CHECK-SAME: (%[[X:.*]]: tensor<4xi16>, %[[T:.*]]: tensor<513xi16>, %[[Y:.*]]: tensor<4x7xi32>)
func.func @interpolated(%x: tensor<4xi16>, %t: tensor<513xi16>, %y: tensor<4x7xi32>) -> tensor<4x7xi32> {
  // CHECK: %[[L:.*]] = npu.table %[[X]][%[[T]]] -> %{{.*}} : tensor<4xi16>, tensor<513xi16> -> tensor<4xi32>
  // CHECK: npu.binary add %[[L]], %[[Y]] -> %{{.*}} {indexing_maps = [#[[$ROW]], #[[$ID]], #[[$ID]]]}
  %e = tensor.empty() : tensor<4x7xi32>
  %0 = linalg.generic {indexing_maps = [#row, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %y : tensor<4xi16>, tensor<4x7xi32>) outs(%e : tensor<4x7xi32>) {
  ^bb0(%in: i16, %a: i32, %out: i32):
    %c32768 = arith.constant 32768 : i32
    %c7 = arith.constant 7 : i32
    %c1 = arith.constant 1 : i32
    %c127 = arith.constant 127 : i32
    %2 = arith.extsi %in : i16 to i32
    %3 = arith.addi %2, %c32768 : i32
    %4 = arith.shrui %3, %c7 : i32
    %5 = arith.andi %3, %c127 : i32
    %6 = arith.addi %4, %c1 : i32
    %7 = arith.index_cast %4 : i32 to index
    %8 = arith.index_cast %6 : i32 to index
    %f = tensor.extract %t[%7] : tensor<513xi16>
    %g = tensor.extract %t[%8] : tensor<513xi16>
    %9 = arith.extsi %f : i16 to i32
    %10 = arith.extsi %g : i16 to i32
    %11 = arith.shli %9, %c7 : i32
    %12 = arith.subi %10, %9 : i32
    %13 = arith.muli %12, %5 : i32
    %14 = arith.addi %11, %13 : i32
    %15 = arith.addi %14, %a : i32
    linalg.yield %15 : i32
  } -> tensor<4x7xi32>
  return %0 : tensor<4x7xi32>
}

// The same with other ops of the same meaning, into a larger result.
// CHECK-LABEL: npu.kernel @spelled_otherwise
func.func @spelled_otherwise(%x: tensor<4xi16>, %t: tensor<513xi16>) -> tensor<4x7xi32> {
  // CHECK: npu.table %{{.*}}[%{{.*}}] -> %{{.*}} {indexing_maps = [#[[$ROW]], #[[$ZERO]], #[[$ID]]]} : tensor<4xi16>, tensor<513xi16> -> tensor<4x7xi32>
  %e = tensor.empty() : tensor<4x7xi32>
  %0 = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4xi16>) outs(%e : tensor<4x7xi32>) {
  ^bb0(%in: i16, %out: i32):
    %c32768 = arith.constant 32768 : i32
    %c7 = arith.constant 7 : i32
    %c128 = arith.constant 128 : i32
    %c1 = arith.constant 1 : index
    %c127 = arith.constant 127 : i32
    %2 = arith.extsi %in : i16 to i32
    %3 = arith.addi %c32768, %2 : i32
    %4 = arith.shrsi %3, %c7 : i32
    %5 = arith.andi %c127, %3 : i32
    %7 = arith.index_castui %4 : i32 to index
    %8 = arith.addi %7, %c1 : index
    %f = tensor.extract %t[%7] : tensor<513xi16>
    %g = tensor.extract %t[%8] : tensor<513xi16>
    %9 = arith.extsi %f : i16 to i32
    %10 = arith.extsi %g : i16 to i32
    %11 = arith.muli %9, %c128 : i32
    %12 = arith.subi %10, %9 : i32
    %13 = arith.muli %5, %12 : i32
    %14 = arith.addi %13, %11 : i32
    linalg.yield %14 : i32
  } -> tensor<4x7xi32>
  return %0 : tensor<4x7xi32>
}

// A table that begins with what it has for 0: the numbers' signs turn round.
// CHECK-LABEL: npu.kernel @unsigned_bytes
// CHECK-SAME: (%[[X:.*]]: tensor<4xi8>, %[[T:.*]]: tensor<256xi8>)
func.func @unsigned_bytes(%x: tensor<4xi8>, %t: tensor<256xi8>) -> tensor<4xi8> {
  // CHECK: %[[S:.*]] = npu.binary xor %[[X]] -> %{{.*}} {imm = -128 : i8}
  // CHECK: npu.table %[[S]][%[[T]]]
  %e = tensor.empty() : tensor<4xi8>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<4xi8>) outs(%e : tensor<4xi8>) {
  ^bb0(%in: i8, %out: i8):
    %w = arith.extui %in : i8 to i32
    %i = arith.index_cast %w : i32 to index
    %r = tensor.extract %t[%i] : tensor<256xi8>
    linalg.yield %r : i8
  } -> tensor<4xi8>
  return %0 : tensor<4xi8>
}

// A sum in i32 moves the number as one of indices does. Of two dimensions in another order, the table has no part.
// CHECK-LABEL: npu.kernel @permuted
func.func @permuted(%x: tensor<7x4xi8>, %t: tensor<256xi8>, %y: tensor<4x7xi8>) -> tensor<4x7xi8> {
  // CHECK: %[[L:.*]] = npu.table %{{.*}}[%{{.*}}] -> %{{.*}} {indexing_maps = [#{{.*}}, #[[$ZERO]], #[[$ID]]]} : tensor<7x4xi8>, tensor<256xi8> -> tensor<4x7xi8>
  // CHECK: npu.binary max %[[L]], %{{.*}}
  %e = tensor.empty() : tensor<4x7xi8>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %y : tensor<7x4xi8>, tensor<4x7xi8>) outs(%e : tensor<4x7xi8>) {
  ^bb0(%in: i8, %b: i8, %out: i8):
    %c128 = arith.constant 128 : i32
    %w = arith.extsi %in : i8 to i32
    %s = arith.addi %w, %c128 : i32
    %i = arith.index_cast %s : i32 to index
    %r = tensor.extract %t[%i] : tensor<256xi8>
    %m = arith.maxsi %r, %b : i8
    linalg.yield %m : i8
  } -> tensor<4x7xi8>
  return %0 : tensor<4x7xi8>
}

// Without 256 elements it is a gather, whose index is limited to the tensor.
// CHECK-LABEL: npu.kernel @gather
func.func @gather(%x: tensor<4xi8>, %t: tensor<100xi8>) -> tensor<4xi8> {
  // CHECK: npu.clamp
  // CHECK: npu.gather
  %e = tensor.empty() : tensor<4xi8>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<4xi8>) outs(%e : tensor<4xi8>) {
  ^bb0(%in: i8, %out: i8):
    %c128 = arith.constant 128 : i32
    %w = arith.extsi %in : i8 to i32
    %s = arith.addi %w, %c128 : i32
    %i = arith.index_cast %s : i32 to index
    %r = tensor.extract %t[%i] : tensor<100xi8>
    linalg.yield %r : i8
  } -> tensor<4xi8>
  return %0 : tensor<4xi8>
}
