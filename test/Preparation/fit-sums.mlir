// RUN: npu-opt %s --npu-fit-sums | FileCheck %s
// RUN: npu-opt %s --npu-fit-sums --remarks-filter=npu-tables -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

#id = affine_map<(i) -> (i)>

// A residual sum of two scales, with a ReLU: the sum of two scaled numbers, shifted and limited. The first is one that the body makes.
// CHECK-LABEL: func.func @residual
// CHECK: ^bb0(%[[X:.*]]: i8, %[[Y:.*]]: i8, %{{.*}}: i8):
// CHECK-NEXT: %[[DOUBLE:.*]] = arith.xori %[[X]], %{{.*}} : i8
// CHECK: %[[A:.*]] = arith.extsi %[[Y]] : i8 to i32
// CHECK: %[[B:.*]] = arith.extsi %[[DOUBLE]] : i8 to i32
// CHECK: %[[P:.*]] = tosa.apply_scale %[[A]], %{{.*}}, %{{.*}} {rounding_mode = SINGLE_ROUND} : (i32, i32, i8) -> i32
// CHECK: %[[Q:.*]] = tosa.apply_scale %[[B]],
// CHECK: %[[S:.*]] = arith.addi %[[P]], %[[Q]] : i32
// CHECK: %[[O:.*]] = arith.addi %[[S]], %{{.*}} : i32
// CHECK: %[[N:.*]] = arith.shrsi %[[O]], %{{.*}} : i32
// CHECK: %[[L:.*]] = arith.maxsi %[[N]], %c-7_i32 : i32
// CHECK: %[[M:.*]] = arith.minsi %[[L]], %c127_i32 : i32
// CHECK: arith.trunci %[[M]] : i32 to i8
// CHECK-NOT: f32
// CHECK: return
func.func @residual(%x: tensor<4096xi8>, %y: tensor<4096xi8>) -> tensor<4096xi8> {
  %flip = arith.constant 85 : i8
  %xs = arith.constant 0.0213 : f32
  %ys = arith.constant 0.0371 : f32
  %s = arith.constant 0.0433 : f32
  %xz = arith.constant 11.0 : f32
  %zero = arith.constant 0.0 : f32
  %z = arith.constant -7.0 : f32
  %least = arith.constant -128.0 : f32
  %most = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<4096xi8>
  %0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x, %y : tensor<4096xi8>, tensor<4096xi8>) outs(%e : tensor<4096xi8>) {
  ^bb0(%a: i8, %b: i8, %out: i8):
    %byte = arith.xori %a, %flip : i8
    %1 = arith.sitofp %byte : i8 to f32
    %2 = arith.subf %1, %xz : f32
    %3 = arith.mulf %2, %xs : f32
    %4 = arith.sitofp %b : i8 to f32
    %5 = arith.mulf %4, %ys : f32
    %6 = arith.addf %3, %5 : f32
    %7 = arith.maximumf %6, %zero : f32
    %8 = arith.divf %7, %s : f32
    %9 = math.roundeven %8 : f32
    %10 = arith.addf %9, %z : f32
    %11 = arith.maximumf %10, %least : f32
    %12 = arith.minimumf %11, %most : f32
    %13 = arith.fptosi %12 : f32 to i8
    linalg.yield %13 : i8
  } -> tensor<4096xi8>
  return %0 : tensor<4096xi8>
}

// Numbers without sign, one of which is subtracted.
// CHECK-LABEL: func.func @unsigned
// CHECK-COUNT-2: arith.extui {{.*}} : i8 to i32
// CHECK: arith.maxsi %{{.*}}, %c0_i32
// CHECK: arith.minsi %{{.*}}, %c255_i32
// CHECK-NOT: f32
// CHECK: return
func.func @unsigned(%x: tensor<4096xi8>, %y: tensor<4096xi8>) -> tensor<4096xi8> {
  %xs = arith.constant 1.3130713 : f32
  %ys = arith.constant 0.7273911 : f32
  %c = arith.constant 57.317 : f32
  %least = arith.constant 0.0 : f32
  %most = arith.constant 255.0 : f32
  %e = tensor.empty() : tensor<4096xi8>
  %0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x, %y : tensor<4096xi8>, tensor<4096xi8>) outs(%e : tensor<4096xi8>) {
  ^bb0(%a: i8, %b: i8, %out: i8):
    %1 = arith.uitofp %a : i8 to f32
    %2 = arith.mulf %1, %xs : f32
    %3 = arith.uitofp %b : i8 to f32
    %4 = arith.mulf %3, %ys : f32
    %5 = arith.subf %2, %4 : f32
    %6 = arith.addf %5, %c : f32
    %7 = math.roundeven %6 : f32
    %8 = arith.cmpf ugt, %7, %least : f32
    %9 = arith.select %8, %7, %least : f32
    %10 = arith.minimumf %9, %most : f32
    %11 = arith.fptoui %10 : f32 to i8
    linalg.yield %11 : i8
  } -> tensor<4096xi8>
  return %0 : tensor<4096xi8>
}

// One pair of numbers next to the middle, whose float is rounded to the other side than those around it: it is compared with.
// CHECK-LABEL: func.func @pair
// CHECK: tosa.apply_scale
// CHECK: %[[S:.*]] = arith.minsi
// CHECK: %[[A:.*]] = arith.cmpi eq, %{{.*}}, %c120_i32
// CHECK: %[[B:.*]] = arith.cmpi eq, %{{.*}}, %c166_i32
// CHECK: %[[P:.*]] = arith.andi %[[A]], %[[B]] : i1
// CHECK: arith.select %[[P]], %c28_i32{{.*}}, %[[S]] : i32
// CHECK-NOT: arith.cmpi
// CHECK: return
func.func @pair(%x: tensor<65536xi8>, %y: tensor<65536xi8>) -> tensor<65536xi8> {
  %xs = arith.constant 0.0298390202 : f32
  %ys = arith.constant 0.0235065464 : f32
  %yz = arith.constant 121 : i32
  %s = arith.constant 0.0317027085 : f32
  %zero = arith.constant 0.0 : f32
  %least = arith.constant -128.0 : f32
  %most = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<65536xi8>
  %0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x, %y : tensor<65536xi8>, tensor<65536xi8>) outs(%e : tensor<65536xi8>) {
  ^bb0(%a: i8, %b: i8, %out: i8):
    %1 = arith.extui %a : i8 to i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %xs : f32
    %4 = arith.extui %b : i8 to i32
    %5 = arith.subi %4, %yz : i32
    %6 = arith.sitofp %5 : i32 to f32
    %7 = arith.mulf %6, %ys : f32
    %8 = arith.addf %7, %3 : f32
    %9 = arith.maximumf %8, %zero : f32
    %10 = arith.divf %9, %s : f32
    %11 = math.roundeven %10 : f32
    %12 = arith.addf %11, %least : f32
    %13 = arith.maximumf %12, %least : f32
    %14 = arith.minimumf %13, %most : f32
    %15 = arith.fptosi %14 : f32 to i8
    linalg.yield %15 : i8
  } -> tensor<65536xi8>
  return %0 : tensor<65536xi8>
}

// Halves that are rounded to even numbers are no sum, nor is a product. An op that is not known is left alone.
// REMARK: fit-sums.mlir:[[@LINE+19]]:{{.*}}: remark: [Missed] NoSum {{.*}}Reason="no sum of products in 32 bits gives the same for all pairs of bytes"
// REMARK: fit-sums.mlir:[[@LINE+33]]:{{.*}}: remark: [Missed] NoSum
// REMARK-NOT: remark
// CHECK-LABEL: func.func @even
// CHECK: math.roundeven
// CHECK-LABEL: func.func @product
// CHECK: arith.mulf
// CHECK-LABEL: func.func @sine
// CHECK: math.sin
func.func @even(%x: tensor<16xi8>, %y: tensor<16xi8>) -> tensor<16xi8> {
  %half = arith.constant 0.5 : f32
  %e = tensor.empty() : tensor<16xi8>
  %0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x, %y : tensor<16xi8>, tensor<16xi8>) outs(%e : tensor<16xi8>) {
  ^bb0(%a: i8, %b: i8, %out: i8):
    %1 = arith.sitofp %a : i8 to f32
    %2 = arith.sitofp %b : i8 to f32
    %3 = arith.addf %1, %2 : f32
    %4 = arith.mulf %3, %half : f32
    %5 = math.roundeven %4 : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<16xi8>
  return %0 : tensor<16xi8>
}
func.func @product(%x: tensor<16xi8>, %y: tensor<16xi8>) -> tensor<16xi8> {
  %part = arith.constant 0.0071 : f32
  %e = tensor.empty() : tensor<16xi8>
  %0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x, %y : tensor<16xi8>, tensor<16xi8>) outs(%e : tensor<16xi8>) {
  ^bb0(%a: i8, %b: i8, %out: i8):
    %1 = arith.sitofp %a : i8 to f32
    %2 = arith.sitofp %b : i8 to f32
    %3 = arith.mulf %1, %2 : f32
    %4 = arith.mulf %3, %part : f32
    %5 = math.roundeven %4 : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<16xi8>
  return %0 : tensor<16xi8>
}
func.func @sine(%x: tensor<16xi8>, %y: tensor<16xi8>) -> tensor<16xi8> {
  %e = tensor.empty() : tensor<16xi8>
  %0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x, %y : tensor<16xi8>, tensor<16xi8>) outs(%e : tensor<16xi8>) {
  ^bb0(%a: i8, %b: i8, %out: i8):
    %1 = arith.sitofp %a : i8 to f32
    %2 = math.sin %1 : f32
    %3 = arith.sitofp %b : i8 to f32
    %4 = arith.addf %2, %3 : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<16xi8>
  return %0 : tensor<16xi8>
}
