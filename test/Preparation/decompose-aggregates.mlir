// RUN: npu-opt %s --npu-decompose-aggregates | FileCheck %s

// A softmax becomes a maximum, exponentials, a sum and quotients.

// CHECK-LABEL: func.func @softmax
// CHECK-NOT: linalg.softmax
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]
// CHECK: arith.maximumf
// CHECK: math.exp
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]
// CHECK: arith.addf
// CHECK: arith.divf
// CHECK-NOT: linalg.softmax
func.func @softmax(%x: tensor<4x16xf32>, %out: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %0 = linalg.softmax dimension(1) ins(%x : tensor<4x16xf32>) outs(%out : tensor<4x16xf32>) -> tensor<4x16xf32>
  return %0 : tensor<4x16xf32>
}

// What is no aggregate stays.

// CHECK-LABEL: func.func @other
// CHECK: linalg.matmul
func.func @other(%a: tensor<4x16xf32>, %b: tensor<16x4xf32>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<4x16xf32>, tensor<16x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// The first position of the largest element, as ONNX has it: a NaN is larger than all numbers.
// CHECK-LABEL: func.func @argmax
func.func @argmax(%x: tensor<4x8xf32>) -> tensor<4xi64> {
  // CHECK: %[[M:.*]] = linalg.generic {{.*}} ins(%{{.*}} : tensor<4x8xf32>)
  // CHECK: arith.maximumf
  // CHECK: %[[P:.*]] = linalg.generic {{.*}} ins(%{{.*}}, %[[M]] : tensor<4x8xf32>, tensor<4xf32>)
  // CHECK: arith.cmpf oeq
  // CHECK: arith.cmpf une
  // CHECK: arith.minsi
  // CHECK: linalg.generic {{.*}} ins(%[[P]] : tensor<4xi32>)
  // CHECK: arith.extsi %{{.*}} : i32 to i64
  %least = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0 : i64
  %v = tensor.empty() : tensor<4xf32>
  %p = tensor.empty() : tensor<4xi64>
  %vf = linalg.fill ins(%least : f32) outs(%v : tensor<4xf32>) -> tensor<4xf32>
  %pf = linalg.fill ins(%zero : i64) outs(%p : tensor<4xi64>) -> tensor<4xi64>
  %0:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xf32>) outs(%vf, %pf : tensor<4xf32>, tensor<4xi64>) {
  ^bb0(%a: f32, %m: f32, %w: i64):
    %j = linalg.index 1 : index
    %k = arith.index_cast %j : index to i64
    %c0 = arith.cmpf ogt, %a, %m : f32
    %c1 = arith.cmpf une, %a, %a : f32
    %c2 = arith.cmpf oeq, %m, %m : f32
    %c3 = arith.andi %c1, %c2 : i1
    %c = arith.ori %c0, %c3 : i1
    %t = arith.select %c, %a, %m : f32
    %u = arith.select %c, %k, %w : i64
    linalg.yield %t, %u : f32, i64
  } -> (tensor<4xf32>, tensor<4xi64>)
  return %0#1 : tensor<4xi64>
}

// Positions may start with a constant, which comes to the first of them.
// CHECK-LABEL: func.func @based
func.func @based(%x: tensor<4x8xi32>) -> tensor<4xi32> {
  // CHECK: arith.minsi
  // CHECK: arith.minsi
  // CHECK: %[[BASE:.*]] = arith.constant -5 : i32
  // CHECK: arith.addi %{{.*}}, %[[BASE]] : i32
  // CHECK-NOT: arith.select %{{.*}} : i32
  %least = arith.constant 2147483647 : i32
  %first = arith.constant -5 : i32
  %base = arith.constant -5 : index
  %e = tensor.empty() : tensor<4xi32>
  %vf = linalg.fill ins(%least : i32) outs(%e : tensor<4xi32>) -> tensor<4xi32>
  %pf = linalg.fill ins(%first : i32) outs(%e : tensor<4xi32>) -> tensor<4xi32>
  %0:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xi32>) outs(%vf, %pf : tensor<4xi32>, tensor<4xi32>) {
  ^bb0(%a: i32, %m: i32, %w: i32):
    %j = linalg.index 1 : index
    %at = arith.addi %j, %base : index
    %k = arith.index_cast %at : index to i32
    %c = arith.cmpi slt, %a, %m : i32
    %t = arith.select %c, %a, %m : i32
    %u = arith.select %c, %k, %w : i32
    linalg.yield %t, %u : i32, i32
  } -> (tensor<4xi32>, tensor<4xi32>)
  return %0#1 : tensor<4xi32>
}

// Rows of nothing but the least value have what they start with. A position that the caller gives is not known
// here.
// CHECK-LABEL: func.func @unbased
func.func @unbased(%x: tensor<4x8xi32>, %any: index) -> (tensor<4xi32>, tensor<4xi32>) {
  // CHECK: %[[M:.*]] = linalg.generic {{.*}} ins(%{{.*}} : tensor<4x8xi32>)
  // CHECK: arith.minsi
  // CHECK: linalg.generic {{.*}} ins(%{{.*}}, %[[M]] : tensor<4xi32>, tensor<4xi32>)
  // CHECK: %[[LEAST:.*]] = arith.constant 2147483647 : i32
  // CHECK: arith.cmpi ne, %{{.*}}, %[[LEAST]] : i32
  // CHECK: arith.select
  // CHECK: } -> (tensor<4xi32>, tensor<4xi32>)
  %least = arith.constant 2147483647 : i32
  %first = arith.constant 0 : i32
  %base = arith.constant -5 : index
  %e = tensor.empty() : tensor<4xi32>
  %vf = linalg.fill ins(%least : i32) outs(%e : tensor<4xi32>) -> tensor<4xi32>
  %pf = linalg.fill ins(%first : i32) outs(%e : tensor<4xi32>) -> tensor<4xi32>
  %0:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xi32>) outs(%vf, %pf : tensor<4xi32>, tensor<4xi32>) {
  ^bb0(%a: i32, %m: i32, %w: i32):
    %j = linalg.index 1 : index
    %at = arith.addi %j, %base : index
    %k = arith.index_cast %at : index to i32
    %c = arith.cmpi slt, %a, %m : i32
    %t = arith.select %c, %a, %m : i32
    %u = arith.select %c, %k, %w : i32
    linalg.yield %t, %u : i32, i32
  } -> (tensor<4xi32>, tensor<4xi32>)
  %1:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xi32>) outs(%vf, %pf : tensor<4xi32>, tensor<4xi32>) {
  ^bb0(%a: i32, %m: i32, %w: i32):
    %j = linalg.index 1 : index
    %at = arith.addi %j, %any : index
    %k = arith.index_cast %at : index to i32
    %c = arith.cmpi slt, %a, %m : i32
    %t = arith.select %c, %a, %m : i32
    %u = arith.select %c, %k, %w : i32
    linalg.yield %t, %u : i32, i32
  } -> (tensor<4xi32>, tensor<4xi32>)
  return %0#1, %1#1 : tensor<4xi32>, tensor<4xi32>
}

// What depends on the order in another way stays: after a NaN every element is beyond.
// CHECK-LABEL: func.func @otherwise
func.func @otherwise(%x: tensor<8xf32>) -> tensor<i32> {
  // CHECK: arith.cmpf ugt
  // CHECK: linalg.yield %{{.*}}, %{{.*}} : f32, i32
  %least = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0 : i32
  %v = tensor.empty() : tensor<f32>
  %p = tensor.empty() : tensor<i32>
  %vf = linalg.fill ins(%least : f32) outs(%v : tensor<f32>) -> tensor<f32>
  %pf = linalg.fill ins(%zero : i32) outs(%p : tensor<i32>) -> tensor<i32>
  %0:2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<8xf32>) outs(%vf, %pf : tensor<f32>, tensor<i32>) {
  ^bb0(%a: f32, %m: f32, %w: i32):
    %j = linalg.index 0 : index
    %k = arith.index_cast %j : index to i32
    %c = arith.cmpf ugt, %a, %m : f32
    %t = arith.select %c, %a, %m : f32
    %u = arith.select %c, %k, %w : i32
    linalg.yield %t, %u : f32, i32
  } -> (tensor<f32>, tensor<i32>)
  return %0#1 : tensor<i32>
}

// As TOSA has it: the position is the first result, the extreme starts with the lowest number, and a NaN
// is unordered with all numbers.
// CHECK-LABEL: func.func @tosa
func.func @tosa(%x: tensor<4x8xf32>) -> tensor<4xi32> {
  // CHECK: %[[Y:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]
  // CHECK: arith.maximumf
  // CHECK: %[[M:.*]] = linalg.generic {{.*}} ins(%[[Y]] : tensor<4x8xf32>)
  // CHECK: %[[P:.*]] = linalg.generic {{.*}} ins(%[[Y]], %[[M]] : tensor<4x8xf32>, tensor<4xf32>)
  // CHECK: linalg.generic {{.*}} ins(%[[P]] : tensor<4xi32>)
  // CHECK-NOT: arith.select
  %least = arith.constant -3.40282347E+38 : f32
  %zero = arith.constant 0 : i32
  %v = tensor.empty() : tensor<4xf32>
  %p = tensor.empty() : tensor<4xi32>
  %vf = linalg.fill ins(%least : f32) outs(%v : tensor<4xf32>) -> tensor<4xf32>
  %pf = linalg.fill ins(%zero : i32) outs(%p : tensor<4xi32>) -> tensor<4xi32>
  %0:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xf32>) outs(%pf, %vf : tensor<4xi32>, tensor<4xf32>) {
  ^bb0(%a: f32, %w: i32, %m: f32):
    %j = linalg.index 1 : index
    %k = arith.index_cast %j : index to i32
    %c0 = arith.cmpf ugt, %a, %m : f32
    %c1 = arith.cmpf ord, %m, %m : f32
    %c = arith.andi %c0, %c1 : i1
    %t = arith.select %c, %a, %m : f32
    %u = arith.select %c, %k, %w : i32
    linalg.yield %u, %t : i32, f32
  } -> (tensor<4xi32>, tensor<4xf32>)
  return %0#0 : tensor<4xi32>
}

// NaNs that never win make way for what the extreme starts with before.
// CHECK-LABEL: func.func @numbers
func.func @numbers(%x: tensor<8xf16>) -> tensor<i32> {
  // CHECK: %[[Y:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]
  // CHECK: arith.cmpf olt
  // CHECK: arith.select
  // CHECK: linalg.generic {{.*}} ins(%[[Y]] : tensor<8xf16>)
  // CHECK: arith.minimumf
  %least = arith.constant 0x7C00 : f16
  %zero = arith.constant 0 : i32
  %v = tensor.empty() : tensor<f16>
  %p = tensor.empty() : tensor<i32>
  %vf = linalg.fill ins(%least : f16) outs(%v : tensor<f16>) -> tensor<f16>
  %pf = linalg.fill ins(%zero : i32) outs(%p : tensor<i32>) -> tensor<i32>
  %0:2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<8xf16>) outs(%vf, %pf : tensor<f16>, tensor<i32>) {
  ^bb0(%a: f16, %m: f16, %w: i32):
    %j = linalg.index 0 : index
    %k = arith.index_cast %j : index to i32
    %c = arith.cmpf olt, %a, %m : f16
    %t = arith.select %c, %a, %m : f16
    %u = arith.select %c, %k, %w : i32
    linalg.yield %t, %u : f16, i32
  } -> (tensor<f16>, tensor<i32>)
  return %0#1 : tensor<i32>
}
