// RUN: npu-translate --dispatch-graph-dot %s | FileCheck %s --match-full-lines --strict-whitespace
// RUN: echo 'util.func public @f() { util.return }' > %t.none.mlir
// RUN: not npu-translate --dispatch-graph-dot %t.none.mlir 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: echo 'func.func @f() { return }' > %t.functions.mlir
// RUN: not npu-translate --dispatch-graph-dot %t.functions.mlir 2>&1 | FileCheck %s --check-prefix=NONE

// NONE: .mlir:{{[0-9]+:[0-9]+}}: error: expected dispatches to draw, found none; run npu-opt --npu-front-half before

//      CHECK:digraph "dispatches" {
// CHECK-NEXT:  subgraph cluster_0 {
// CHECK-NEXT:    label="@main";
// CHECK-NEXT:    f0_argument0 [label="argument 0", shape=ellipse];
// CHECK-NEXT:    f0_argument1 [label="argument 1", shape=ellipse];
// CHECK-NEXT:    f0_argument2 [label="argument 2", shape=ellipse];
// CHECK-NEXT:    d0 [label="Dispatch #0: op: linalg.matmul M=8 N=4 K=16 dtype: f32", shape=box];
// CHECK-NEXT:    d1 [label="Dispatch #1: op: linalg.add shape=32 dtype: f32", shape=box];
// CHECK-NEXT:    d2 [label="Dispatch #2: op: external @elsewhere::@code", shape=box];
// CHECK-NEXT:    f0_result0 [label="result 0", shape=ellipse];
// CHECK-NEXT:    f0_result1 [label="result 1", shape=ellipse];
// CHECK-NEXT:    f0_argument0 -> d0 [label="tensor\<8x16xf32\>"];
// CHECK-NEXT:    f0_argument1 -> d0 [label="tensor\<16x4xf32\>"];
// CHECK-NEXT:    d0 -> d1 [label="tensor\<8x4xf32\>"];
// CHECK-NEXT:    d0 -> d2 [label="tensor\<8x4xf32\>"];
// CHECK-NEXT:    d1 -> d2 [label="tensor\<32xf32\>"];
// CHECK-NEXT:    f0_argument0 -> d2 [label="tensor\<8x16xf32\>"];
// CHECK-NEXT:    d1 -> f0_result0 [label="tensor\<32xf32\>"];
// CHECK-NEXT:    d2 -> f0_result1 [label="tensor\<4xf32\>"];
// CHECK-NEXT:  }
// CHECK-NEXT:  subgraph cluster_1 {
// CHECK-NEXT:    label="@second";
// CHECK-NEXT:    f1_argument0 [label="argument 0", shape=ellipse];
// CHECK-NEXT:    d3 [label="Dispatch #3: op: external @elsewhere::@code", shape=box];
// CHECK-NEXT:    f1_argument0 -> d3 [label="tensor\<4xf32\>"];
// CHECK-NEXT:  }
// CHECK-NEXT:}

// The boundary on buffers, a region and an isolated dispatch with a reshape between them; a branch of
// which both sides count; a constant, which is not drawn; a value that is used twice.
util.func public @main(%arg0: !hal.buffer_view, %b: tensor<16x4xf32>, %flag: i1) -> (!hal.buffer_view, tensor<4xf32>) {
  %a = hal.tensor.import %arg0 : !hal.buffer_view -> tensor<8x16xf32>
  %zero = arith.constant dense<0.0> : tensor<8x4xf32>
  %0 = flow.dispatch.region -> (tensor<8x4xf32>) {
    %m = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x4xf32>) outs(%zero : tensor<8x4xf32>) -> tensor<8x4xf32>
    flow.return %m : tensor<8x4xf32>
  }
  %1 = flow.tensor.reshape %0 : tensor<8x4xf32> -> tensor<32xf32>
  %2 = flow.dispatch.workgroups(%1) : (tensor<32xf32>) -> tensor<32xf32> =
      (%i: !iree_tensor_ext.dispatch.tensor<readonly:tensor<32xf32>>, %o: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<32xf32>>) {
    %x = iree_tensor_ext.dispatch.tensor.load %i, offsets = [0], sizes = [32], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<32xf32>> -> tensor<32xf32>
    %e = tensor.empty() : tensor<32xf32>
    %y = linalg.add ins(%x, %x : tensor<32xf32>, tensor<32xf32>) outs(%e : tensor<32xf32>) -> tensor<32xf32>
    iree_tensor_ext.dispatch.tensor.store %y, %o, offsets = [0], sizes = [32], strides = [1] : tensor<32xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<32xf32>>
    flow.return
  }
  %3 = scf.if %flag -> tensor<32xf32> {
    scf.yield %1 : tensor<32xf32>
  } else {
    scf.yield %2 : tensor<32xf32>
  }
  %4 = flow.dispatch @elsewhere::@code(%3, %3, %a) : (tensor<32xf32>, tensor<32xf32>, tensor<8x16xf32>) -> tensor<4xf32>
  %5 = hal.tensor.export %2 : tensor<32xf32> -> !hal.buffer_view
  util.return %5, %4 : !hal.buffer_view, tensor<4xf32>
}
util.func public @second(%a: tensor<4xf32>) {
  flow.dispatch @elsewhere::@code(%a) : (tensor<4xf32>) -> ()
  util.return
}
