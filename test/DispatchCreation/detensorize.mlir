// RUN: npu-opt --pass-pipeline='builtin.module(func.func(linalg-detensorize{aggressive-mode}),npu-dispatch-creation-detensorize{aggressive-mode})' %s --split-input-file | FileCheck %s
// RUN: npu-opt --npu-dispatch-creation-detensorize %s --split-input-file | FileCheck %s --check-prefix=BRANCH

// A scalar addition in tensor clothing.
// CHECK-LABEL: func.func @tick(%arg0: tensor<i32>, %arg1: tensor<i32>) -> tensor<i32> {
// CHECK-NEXT:    %[[V0:.*]] = tensor.extract %arg1[] : tensor<i32>
// CHECK-NEXT:    %[[V1:.*]] = tensor.extract %arg0[] : tensor<i32>
// CHECK-NEXT:    %[[V2:.*]] = arith.subi %[[V1]], %[[V0]] : i32
// CHECK-NEXT:    %[[V3:.*]] = tensor.from_elements %[[V2]] : tensor<i32>
// CHECK-NEXT:    return %[[V3]] : tensor<i32>
// CHECK-NEXT:  }
#map = affine_map<() -> ()>
func.func @tick(%arg0: tensor<i32>, %arg1: tensor<i32>) -> tensor<i32> {
  %0 = tensor.empty() : tensor<i32>
  %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = []} ins(%arg0, %arg1 : tensor<i32>, tensor<i32>) outs(%0 : tensor<i32>) {
  ^bb0(%in: i32, %in_0: i32, %out: i32):
    %2 = arith.subi %in, %in_0 : i32
    linalg.yield %2 : i32
  } -> tensor<i32>
  return %1 : tensor<i32>
}

// -----

// The same in a host function, and only where asked for.
// CHECK-LABEL:  util.func public @host
// CHECK-DAG:      %[[A:.*]] = tensor.extract %arg0[]
// CHECK-DAG:      %[[B:.*]] = tensor.extract %arg1[]
// CHECK:          %[[S:.*]] = arith.subi %[[A]], %[[B]]
// CHECK:          %[[T:.*]] = tensor.from_elements %[[S]]
// CHECK:          util.return %[[T]] : tensor<i32>
// BRANCH-LABEL: util.func public @host
// BRANCH:         linalg.generic
#map = affine_map<() -> ()>
util.func public @host(%arg0: tensor<i32>, %arg1: tensor<i32>) -> tensor<i32> {
  %0 = tensor.empty() : tensor<i32>
  %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = []} ins(%arg0, %arg1 : tensor<i32>, tensor<i32>) outs(%0 : tensor<i32>) {
  ^bb0(%in: i32, %in_0: i32, %out: i32):
    %2 = arith.subi %in, %in_0 : i32
    linalg.yield %2 : i32
  } -> tensor<i32>
  util.return %1 : tensor<i32>
}

// -----

// A loop that counts on tensors counts on scalars, its branches and calls stay those of the host.
// CHECK-LABEL:  util.func public @count
// BRANCH-LABEL: util.func public @count
// BRANCH-NOT:     linalg.generic
// BRANCH:         cf.br ^bb1(%{{.*}} : i32)
// BRANCH:       ^bb1(%[[I:.*]]: i32):
// BRANCH:         %[[C:.*]] = arith.cmpi slt, %[[I]]
// BRANCH:         cf.cond_br %[[C]]
// BRANCH:         util.call @tick() : () -> ()
// BRANCH:         arith.addi %[[I]]
// BRANCH:         util.return %{{.*}} : tensor<i32>
#map = affine_map<() -> ()>
util.func private @tick()
util.func public @count(%arg0: tensor<i32>) -> tensor<i32> {
  %c0 = arith.constant dense<0> : tensor<i32>
  %c1 = arith.constant dense<1> : tensor<i32>
  cf.br ^bb1(%c0 : tensor<i32>)
^bb1(%0: tensor<i32>):
  %1 = tensor.empty() : tensor<i1>
  %2 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = []} ins(%0, %arg0 : tensor<i32>, tensor<i32>) outs(%1 : tensor<i1>) {
  ^bb0(%in: i32, %in_0: i32, %out: i1):
    %8 = arith.cmpi slt, %in, %in_0 : i32
    linalg.yield %8 : i1
  } -> tensor<i1>
  %3 = tensor.extract %2[] : tensor<i1>
  cf.cond_br %3, ^bb2(%0 : tensor<i32>), ^bb3(%0 : tensor<i32>)
^bb2(%4: tensor<i32>):
  util.call @tick() : () -> ()
  %5 = tensor.empty() : tensor<i32>
  %6 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = []} ins(%4, %c1 : tensor<i32>, tensor<i32>) outs(%5 : tensor<i32>) {
  ^bb0(%in: i32, %in_0: i32, %out: i32):
    %8 = arith.addi %in, %in_0 : i32
    linalg.yield %8 : i32
  } -> tensor<i32>
  cf.br ^bb1(%6 : tensor<i32>)
^bb3(%7: tensor<i32>):
  util.return %7 : tensor<i32>
}
