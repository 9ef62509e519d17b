// RUN: npu-opt %s --npu-tabulate-functions | FileCheck %s
// RUN: npu-opt %s --npu-tabulate-functions --remarks-filter=npu-tables -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

#id = affine_map<(i) -> (i)>

// The function of each number, from the least on: here the square root of those that are not negative, and what they begin with.
// CHECK-LABEL: func.func @function
// CHECK: %[[T:.*]] = arith.constant dense<"0x{{0+}}01010102020202020303030303030304{{[0-9A-F]*}}0B0B"> : tensor<256xi8>
// CHECK: ^bb0(%[[X:.*]]: i8, %{{.*}}: i8):
// CHECK-NEXT: %[[LEAST:.*]] = arith.constant 128 : index
// CHECK-NEXT: %[[N:.*]] = arith.index_cast %[[X]] : i8 to index
// CHECK-NEXT: %[[I:.*]] = arith.addi %[[N]], %[[LEAST]] : index
// CHECK-NEXT: %[[V:.*]] = tensor.extract %[[T]][%[[I]]] : tensor<256xi8>
// CHECK-NEXT: linalg.yield %[[V]] : i8
func.func @function(%x: tensor<16xi8>) -> tensor<16xi8> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16xi8>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<16xi8>) outs(%e : tensor<16xi8>) {
  ^bb0(%in: i8, %out: i8):
    %1 = arith.sitofp %in : i8 to f32
    %2 = arith.maximumf %1, %zero : f32
    %3 = math.sqrt %2 : f32
    %4 = arith.fptosi %3 : f32 to i8
    linalg.yield %4 : i8
  } -> tensor<16xi8>
  return %0 : tensor<16xi8>
}

// A number without sign, a scale from a tensor, and a function that is rounded in the middle: one table.
// CHECK-LABEL: func.func @unsigned_twice
// CHECK: arith.constant dense<"0x{{[0-9A-F]*}}"> : tensor<256xi8>
// CHECK: tensor.extract
// CHECK-NOT: f32
// CHECK: return
func.func @unsigned_twice(%x: tensor<16xi8>) -> tensor<16xi8> {
  %half = arith.constant dense<0.5> : tensor<f32>
  %e = tensor.empty() : tensor<16xi8>
  %0 = linalg.generic {indexing_maps = [#id, affine_map<(i) -> ()>, #id], iterator_types = ["parallel"]} ins(%x, %half : tensor<16xi8>, tensor<f32>) outs(%e : tensor<16xi8>) {
  ^bb0(%in: i8, %scale: f32, %out: i8):
    %w = arith.extui %in : i8 to i32
    %1 = arith.sitofp %w : i32 to f32
    %2 = arith.mulf %1, %scale : f32
    %3 = math.roundeven %2 : f32
    %4 = arith.fptoui %3 : f32 to i8
    %5 = arith.uitofp %4 : i8 to f32
    %6 = arith.mulf %5, %scale : f32
    %7 = arith.fptoui %6 : f32 to i8
    linalg.yield %7 : i8
  } -> tensor<16xi8>
  return %0 : tensor<16xi8>
}

// Of a number of 32 bits there are too many values; of what it is quantized to there are not.
// CHECK-LABEL: func.func @tail
// CHECK: arith.mulf
// CHECK: %[[Q:.*]] = arith.fptosi %{{.*}} : f32 to i8
// CHECK-NOT: math.tanh
// CHECK: %[[N:.*]] = arith.index_cast %[[Q]] : i8 to index
// CHECK: tensor.extract
func.func @tail(%x: tensor<16xi32>) -> tensor<16xi8> {
  %scale = arith.constant 0.001 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<16xi8>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<16xi32>) outs(%e : tensor<16xi8>) {
  ^bb0(%in: i32, %out: i8):
    %1 = arith.sitofp %in : i32 to f32
    %2 = arith.mulf %1, %scale : f32
    %3 = math.roundeven %2 : f32
    %4 = arith.maximumf %3, %low : f32
    %5 = arith.minimumf %4, %high : f32
    %6 = arith.fptosi %5 : f32 to i8
    %7 = arith.sitofp %6 : i8 to f32
    %8 = arith.mulf %7, %scale : f32
    %9 = math.tanh %8 : f32
    %10 = arith.mulf %9, %high : f32
    %11 = arith.fptosi %10 : f32 to i8
    linalg.yield %11 : i8
  } -> tensor<16xi8>
  return %0 : tensor<16xi8>
}

// A function of two numbers stays, and so does one without floats.
// CHECK-LABEL: func.func @stays
// CHECK-NOT: tensor.extract
// CHECK: return
func.func @stays(%x: tensor<16xi8>, %y: tensor<16xi8>) -> (tensor<16xi8>, tensor<16xi8>) {
  %e = tensor.empty() : tensor<16xi8>
  %0:2 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"]} ins(%x, %y : tensor<16xi8>, tensor<16xi8>) outs(%e, %e : tensor<16xi8>, tensor<16xi8>) {
  ^bb0(%a: i8, %b: i8, %o: i8, %p: i8):
    %half = arith.constant 0.5 : f32
    %1 = arith.sitofp %a : i8 to f32
    %2 = arith.sitofp %b : i8 to f32
    %3 = arith.addf %1, %2 : f32
    %4 = arith.mulf %3, %half : f32
    %5 = arith.fptosi %4 : f32 to i8
    %6 = arith.muli %a, %a : i8
    linalg.yield %5, %6 : i8, i8
  } -> (tensor<16xi8>, tensor<16xi8>)
  return %0#0, %0#1 : tensor<16xi8>, tensor<16xi8>
}

// There is no logarithm of what is negative.
// REMARK: remark: [Missed] NotTabulated | Category:npu-tables | Reason="math.log does not fold for the input -128"
// CHECK-LABEL: func.func @does_not_fold
// CHECK: math.log
// CHECK-NOT: tensor.extract
// CHECK: return
func.func @does_not_fold(%x: tensor<16xi8>) -> tensor<16xi8> {
  %e = tensor.empty() : tensor<16xi8>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<16xi8>) outs(%e : tensor<16xi8>) {
  ^bb0(%in: i8, %out: i8):
    %1 = arith.sitofp %in : i8 to f32
    %2 = math.log %1 : f32
    %3 = arith.fptosi %2 : f32 to i8
    linalg.yield %3 : i8
  } -> tensor<16xi8>
  return %0 : tensor<16xi8>
}
