// RUN: npu-opt --npu-abi-pipeline %s --split-input-file | FileCheck %s

// Wrapper, shell and tensors of a function that only forwards disappear.
// CHECK-LABEL: util.func private @host_mix(%arg0: !hal.buffer_view, %arg1: !hal.buffer_view) -> !hal.buffer_view attributes {iree.abi.stub}
// CHECK-LABEL: util.func public @mix(%arg0: !hal.buffer_view, %arg1: !hal.buffer_view) -> !hal.buffer_view attributes {iree.abi.stub, iree.reflection = {iree.abi.declaration = "sync func @mix(%input0: tensor<12xf16>, %input1: tensor<12xf16>) -> (%output0: tensor<12xf16>)"}} {
// CHECK-NEXT:    %[[V0:.*]] = util.call @host_mix(%arg1, %arg0) : (!hal.buffer_view, !hal.buffer_view) -> !hal.buffer_view
// CHECK-NEXT:    util.return %[[V0]] : !hal.buffer_view
// CHECK-NEXT:  }
util.func private @host_mix(%arg0: tensor<12xf16>, %arg1: tensor<12xf16>) -> tensor<12xf16>
util.func public @mix(%arg0: tensor<12xf16>, %arg1: tensor<12xf16>) -> tensor<12xf16> {
  %0 = util.call @host_mix(%arg1, %arg0) : (tensor<12xf16>, tensor<12xf16>) -> tensor<12xf16>
  util.return %0 : tensor<12xf16>
}

// -----

// With fences the pairs of import and export stay: each waits for something.
// CHECK-LABEL: util.func public @mix
// CHECK:         hal.tensor.import wait(%arg1) => %arg0 "input0"
// CHECK:         hal.tensor.barrier
// CHECK:         hal.tensor.export
// CHECK:         util.call @host_mix
// CHECK:         hal.tensor.import wait(
// CHECK:         hal.tensor.barrier join({{.*}}) => %arg2
// CHECK:         hal.tensor.export
util.func private @host_mix(%arg0: tensor<12xf16>) -> tensor<12xf16> attributes {iree.abi.model = "coarse-fences"}
util.func public @mix(%arg0: tensor<12xf16>) -> tensor<12xf16> attributes {iree.abi.model = "coarse-fences"} {
  %0 = util.call @host_mix(%arg0) : (tensor<12xf16>) -> tensor<12xf16>
  util.return %0 : tensor<12xf16>
}
