// RUN: npu-opt --split-input-file --npu-abi-wrap-entry-points=invocation-model=coarse-fences %s | FileCheck %s --match-full-lines --strict-whitespace

// 1.4 Export, coarse fences.
//      CHECK:module {
// CHECK-NEXT:  util.func public @turn(%arg0: !hal.buffer_view, %arg1: i32, %arg2: !hal.fence, %arg3: !hal.fence) -> (!hal.buffer_view, !hal.buffer_view) attributes {iree.abi.stub, iree.reflection = {iree.abi.declaration = "async func @turn(%input0: tensor<6x10xf32>, %input1: i32) -> (%output0: tensor<6x10xf32>, %output1: tensor<6x10xf32>)", iree.abi.model = "coarse-fences"}} {
// CHECK-NEXT:    %0 = hal.tensor.import wait(%arg2) => %arg0 "input0" : !hal.buffer_view -> tensor<6x10xf32>
// CHECK-NEXT:    %1:2 = util.call @_turn(%0, %arg1) : (tensor<6x10xf32>, i32) -> (tensor<6x10xf32>, tensor<6x10xf32>)
// CHECK-NEXT:    %2:2 = hal.tensor.barrier join(%1#0, %1#1 : tensor<6x10xf32>, tensor<6x10xf32>) => %arg3 : !hal.fence
// CHECK-NEXT:    %3 = hal.tensor.export %2#0 "output0" : tensor<6x10xf32> -> !hal.buffer_view
// CHECK-NEXT:    %4 = hal.tensor.export %2#1 "output1" : tensor<6x10xf32> -> !hal.buffer_view
// CHECK-NEXT:    util.return %3, %4 : !hal.buffer_view, !hal.buffer_view
// CHECK-NEXT:  }
// CHECK-NEXT:  util.func private @_turn(%arg0: tensor<6x10xf32>, %arg1: i32) -> (tensor<6x10xf32>, tensor<6x10xf32>) attributes {hal.abi.convention = #hal.abi.convention<coarse_fences>} {
// CHECK-NEXT:    util.return %arg0, %arg0 : tensor<6x10xf32>, tensor<6x10xf32>
// CHECK-NEXT:  }
// CHECK-NEXT:}
util.func public @turn(%arg0: tensor<6x10xf32>, %arg1: i32) -> (tensor<6x10xf32>, tensor<6x10xf32>) {
  util.return %arg0, %arg0 : tensor<6x10xf32>, tensor<6x10xf32>
}
