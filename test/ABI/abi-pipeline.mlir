// RUN: npu-opt --npu-abi-pipeline %s | FileCheck %s
// RUN: npu-opt --npu-abi-pipeline --mlir-print-debuginfo %s | FileCheck %s --check-prefix=LOC

// The wrapped function is inlined and gone.
// CHECK-LABEL: util.func public @f
// CHECK-NEXT:    %[[A:.*]] = hal.tensor.import %arg0 "input0"
// CHECK-NEXT:    %[[R:.*]] = math.exp %[[A]] : tensor<4xf32>
// CHECK-NEXT:    %[[B:.*]] = hal.tensor.export %[[R]] "output0"
// CHECK-NEXT:    util.return %[[B]]
// CHECK-NOT:   util.func
func.func @f(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @g(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @g(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %0 = math.exp %arg0 : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// Of calls, locations tell those in the source, not that in the wrapper.
// LOC:      #loc = loc(
// LOC-NEXT: #[[EXP:loc[0-9]+]] = loc("
// LOC-NEXT: #[[CALL:loc[0-9]+]] = loc("
// LOC-NEXT: = loc(callsite(#[[EXP]] at #[[CALL]]))
