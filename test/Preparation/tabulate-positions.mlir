// RUN: npu-opt %s --npu-tabulate-positions --remarks-filter=npu-tables 2> %t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks

#id = affine_map<(i, j) -> (i, j)>

// CHECK-DAG: #[[$ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[$COLUMN:.*]] = affine_map<(d0, d1) -> (d1)>

// Two values of one loop, a quotient in 64 bits among them; the product with an element stays.
// CHECK-LABEL: func.func @values
// CHECK-DAG: %[[Q:.*]] = arith.constant dense<[100, 50, 33]> : tensor<3xi32>
// CHECK-DAG: %[[B:.*]] = arith.constant dense<[31, 30, 30]> : tensor<3xi32>
// CHECK: linalg.generic {indexing_maps = [#[[$ID]], #[[$COLUMN]], #[[$COLUMN]], #[[$ID]]], iterator_types = ["parallel", "parallel"]} ins(%{{.*}}, %[[Q]], %[[B]] : tensor<2x3xi32>, tensor<3xi32>, tensor<3xi32>)
// CHECK-NEXT: ^bb0(%[[X:.*]]: i32, %[[QJ:.*]]: i32, %[[BJ:.*]]: i32, %{{.*}}: i32):
// CHECK-NOT: linalg.index
// CHECK: %[[M:.*]] = arith.muli %[[X]], %[[QJ]]
// CHECK-NEXT: %[[S:.*]] = arith.addi %[[M]], %[[BJ]]
// CHECK-NEXT: linalg.yield %[[S]]
func.func @values(%x: tensor<2x3xi32>, %out: tensor<2x3xi32>) -> tensor<2x3xi32> {
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<2x3xi32>) outs(%out : tensor<2x3xi32>) {
  ^bb0(%in: i32, %o: i32):
    %one = arith.constant 1 : index
    %hundred = arith.constant 100 : i64
    %j = linalg.index 1 : index
    %k = arith.addi %j, %one : index
    %w = arith.index_cast %k : index to i64
    %q = arith.divui %hundred, %w : i64
    %n = arith.trunci %q : i64 to i32
    %c = arith.trunci %w : i64 to i32
    %b = math.ctlz %c : i32
    %m = arith.muli %in, %n : i32
    %s = arith.addi %m, %b : i32
    linalg.yield %s : i32
  } -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}

// What a kernel computes of counters stays.
// CHECK-LABEL: func.func @stays
// CHECK: linalg.index
// CHECK: arith.cmpi
func.func @stays(%x: tensor<2x3xi32>, %out: tensor<2x3xi32>) -> tensor<2x3xi32> {
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<2x3xi32>) outs(%out : tensor<2x3xi32>) {
  ^bb0(%in: i32, %o: i32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %a = arith.index_cast %i : index to i32
    %b = arith.index_cast %j : index to i32
    %c = arith.cmpi sge, %a, %b : i32
    %r = arith.select %c, %in, %a : i32
    linalg.yield %r : i32
  } -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}

// Nothing is divided by the first position, which is 0.
// REMARK: tabulate-positions.mlir:[[#@LINE+9]]:{{.*}}: remark: [Missed] NotTabulated | Category:npu-tables | Reason="arith.divui does not fold for all positions"
// CHECK-LABEL: func.func @does_not_fold
// CHECK: arith.divui
func.func @does_not_fold(%x: tensor<2x3xi32>, %out: tensor<2x3xi32>) -> tensor<2x3xi32> {
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<2x3xi32>) outs(%out : tensor<2x3xi32>) {
  ^bb0(%in: i32, %o: i32):
    %hundred = arith.constant 100 : i64
    %j = linalg.index 1 : index
    %w = arith.index_cast %j : index to i64
    %q = arith.divui %hundred, %w : i64
    %n = arith.trunci %q : i64 to i32
    %m = arith.muli %in, %n : i32
    linalg.yield %m : i32
  } -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}

// REMARK: Reason="expected at most 65536 positions but found 90000"
// CHECK-LABEL: func.func @too_many
// CHECK: math.ctlz
func.func @too_many(%x: tensor<300x300xi32>, %out: tensor<300x300xi32>) -> tensor<300x300xi32> {
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<300x300xi32>) outs(%out : tensor<300x300xi32>) {
  ^bb0(%in: i32, %o: i32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %a = arith.index_cast %i : index to i32
    %b = arith.index_cast %j : index to i32
    %c = arith.addi %a, %b : i32
    %z = math.ctlz %c : i32
    %m = arith.muli %in, %z : i32
    linalg.yield %m : i32
  } -> tensor<300x300xi32>
  return %0 : tensor<300x300xi32>
}

// Coordinates, which are of i32 to a kernel: of a float, of a quotient; a counter and an i32 that a kernel computes stay.
// CHECK-LABEL: func.func @coordinates
// CHECK-DAG: %[[HALVES:.*]] = arith.constant dense<[0, 0, 1, 1, 2, 2]> : tensor<6xi32>
// CHECK-DAG: %[[THIRDS:.*]] = arith.constant dense<[0, 0, 0, 1]> : tensor<4xi32>
// CHECK: linalg.generic {{{.*}}} ins(%[[HALVES]], %[[THIRDS]] : tensor<6xi32>, tensor<4xi32>)
// CHECK-NEXT: ^bb0(%[[A:.*]]: i32, %[[B:.*]]: i32, %{{.*}}: f32):
// CHECK-DAG: %[[I:.*]] = arith.index_cast %[[A]] : i32 to index
// CHECK-DAG: %[[J:.*]] = arith.index_cast %[[B]] : i32 to index
// CHECK-DAG: %[[K:.*]] = linalg.index 2 : index
// CHECK: tensor.extract %{{.*}}[%[[I]], %[[J]], %[[K]], %{{.*}}] : tensor<3x2x5x5xf32>
func.func @coordinates(%x: tensor<3x2x5x5xf32>, %out: tensor<6x4x5xf32>) -> tensor<6x4x5xf32> {
  %two = arith.constant 2.0 : f32
  %three = arith.constant 3 : index
  %four = arith.constant 4 : i32
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]} outs(%out : tensor<6x4x5xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %1 = arith.index_cast %i : index to i64
    %2 = arith.sitofp %1 : i64 to f32
    %3 = arith.divf %2, %two : f32
    %4 = math.floor %3 : f32
    %5 = arith.fptosi %4 : f32 to i64
    %6 = arith.index_cast %5 : i64 to index
    %j = linalg.index 1 : index
    %7 = arith.floordivsi %j, %three : index
    %k = linalg.index 2 : index
    %8 = arith.index_cast %k : index to i32
    %9 = arith.subi %four, %8 : i32
    %10 = arith.index_cast %9 : i32 to index
    %11 = tensor.extract %x[%6, %7, %k, %10] : tensor<3x2x5x5xf32>
    linalg.yield %11 : f32
  } -> tensor<6x4x5xf32>
  return %0 : tensor<6x4x5xf32>
}

// As torch.export writes an upsampling: places are tensors, which ops of their own compute. They are constants, and so is what is computed of their
// elements; an input that nobody reads any more goes.
// CHECK-LABEL: func.func @places
// CHECK-DAG: %[[P:.*]] = arith.constant dense<[0, 0, 1, 1, 2, 2]> : tensor<6xi32>
// CHECK: linalg.generic {{{.*}}} ins(%[[P]] : tensor<6xi32>)
// CHECK-NEXT: ^bb0(%[[A:.*]]: i32, %{{.*}}: f32):
// CHECK-DAG: %[[I:.*]] = arith.index_cast %[[A]] : i32 to index
// CHECK: tensor.extract %{{.*}}[%[[I]], %{{.*}}] : tensor<3x5xf32>
func.func @places(%x: tensor<3x5xf32>, %out: tensor<6x5xf32>) -> tensor<6x5xf32> {
  %half = arith.constant 0.5 : f32
  %zero = arith.constant 0 : i64
  %size = arith.constant 3 : i64
  %e = tensor.empty() : tensor<6xf32>
  %f = tensor.empty() : tensor<6xi64>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%e : tensor<6xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %1 = arith.index_cast %i : index to i64
    %2 = arith.sitofp %1 : i64 to f32
    linalg.yield %2 : f32
  } -> tensor<6xf32>
  %3 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%0 : tensor<6xf32>) outs(%e : tensor<6xf32>) {
  ^bb0(%a: f32, %o: f32):
    %4 = arith.mulf %a, %half : f32
    linalg.yield %4 : f32
  } -> tensor<6xf32>
  %5 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%3 : tensor<6xf32>) outs(%f : tensor<6xi64>) {
  ^bb0(%a: f32, %o: i64):
    %6 = arith.fptosi %a : f32 to i64
    linalg.yield %6 : i64
  } -> tensor<6xi64>
  %7 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, #id], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<6xi64>) outs(%out : tensor<6x5xf32>) {
  ^bb0(%p: i64, %o: f32):
    %j = linalg.index 1 : index
    %8 = arith.cmpi slt, %p, %zero : i64
    %9 = arith.addi %p, %size : i64
    %10 = arith.select %8, %9, %p : i64
    %11 = arith.index_cast %10 : i64 to index
    %12 = tensor.extract %x[%11, %j] : tensor<3x5xf32>
    linalg.yield %12 : f32
  } -> tensor<6x5xf32>
  return %7 : tensor<6x5xf32>
}

// Weights of bytes stay bytes: as floats they would be four times as many.
// CHECK-LABEL: func.func @weights
// CHECK: arith.constant dense<[1, 2, 3]> : tensor<3xi8>
// CHECK: arith.sitofp
func.func @weights(%out: tensor<3xf32>) -> tensor<3xf32> {
  %w = arith.constant dense<[1, 2, 3]> : tensor<3xi8>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%w : tensor<3xi8>) outs(%out : tensor<3xf32>) {
  ^bb0(%a: i8, %o: f32):
    %1 = arith.sitofp %a : i8 to f32
    linalg.yield %1 : f32
  } -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
