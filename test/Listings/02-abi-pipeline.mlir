// RUN: npu-opt --split-input-file --npu-abi-pipeline %s | FileCheck %s --match-full-lines --strict-whitespace

// 2.1 Forwarding export: wrapper, shell and tensor types all disappear.
//      CHECK:module {
// CHECK-NEXT:  util.func private @host_mix(%arg0: !hal.buffer_view, %arg1: !hal.buffer_view) -> !hal.buffer_view attributes {iree.abi.stub}
// CHECK-NEXT:  util.func public @mix(%arg0: !hal.buffer_view, %arg1: !hal.buffer_view) -> !hal.buffer_view attributes {iree.abi.stub, iree.reflection = {iree.abi.declaration = "sync func @mix(%input0: tensor<12xf16>, %input1: tensor<12xf16>) -> (%output0: tensor<12xf16>)"}} {
// CHECK-NEXT:    %0 = util.call @host_mix(%arg1, %arg0) : (!hal.buffer_view, !hal.buffer_view) -> !hal.buffer_view
// CHECK-NEXT:    util.return %0 : !hal.buffer_view
// CHECK-NEXT:  }
// CHECK-NEXT:}
util.func private @host_mix(%arg0: tensor<12xf16>, %arg1: tensor<12xf16>) -> tensor<12xf16>
util.func public @mix(%arg0: tensor<12xf16>, %arg1: tensor<12xf16>) -> tensor<12xf16> {
  %0 = util.call @host_mix(%arg1, %arg0) : (tensor<12xf16>, tensor<12xf16>) -> tensor<12xf16>
  util.return %0 : tensor<12xf16>
}
