// RUN: npu-opt --npu-flow-outline-dispatch-regions %s | FileCheck %s --check-prefix=OUTLINE
// RUN: npu-opt --npu-flow-outline-dispatch-regions --npu-flow-annotate-dispatches %s | FileCheck %s --check-prefix=ANNOTATE
// RUN: npu-opt --npu-flow-outline-dispatch-regions --npu-flow-annotate-dispatches --npu-flow-deduplicate-executables %s | FileCheck %s --check-prefix=DEDUP
// RUN: npu-opt --npu-flow-outline-dispatch-regions --npu-import-dispatches --npu-inline-dispatches %s | FileCheck %s --check-prefix=INLINE
// RUN: npu-opt --pass-pipeline='builtin.module(util.func(npu-flow-initialize-empty-tensors))' %s | FileCheck %s --check-prefix=EMPTY

// OUTLINE-LABEL: flow.executable private @twice_dispatch_0 {
// OUTLINE-NEXT:    flow.executable.export public @twice_dispatch_0 workgroups() -> (index, index, index)
// OUTLINE:         func.func @twice_dispatch_0(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x8xf32>>
// OUTLINE-LABEL: flow.executable private @twice_dispatch_1 {
// OUTLINE-LABEL: util.func public @twice
// OUTLINE:         flow.dispatch @twice_dispatch_0::@twice_dispatch_0(%arg0, %arg1)
// OUTLINE:         flow.dispatch @twice_dispatch_1::@twice_dispatch_1(

// ANNOTATE:        flow.executable.export public @twice_dispatch_0_matmul_4x8x8_f32
// ANNOTATE:        func.func @twice_dispatch_0_matmul_4x8x8_f32
// ANNOTATE-LABEL: util.func public @twice
// ANNOTATE:        flow.dispatch @twice_dispatch_0::@twice_dispatch_0_matmul_4x8x8_f32

// DEDUP:           flow.executable private @twice_dispatch_0
// DEDUP-NOT:       flow.executable private
// DEDUP:           flow.dispatch @twice_dispatch_0::
// DEDUP:           flow.dispatch @twice_dispatch_0::

// INLINE-NOT:      flow.
// INLINE-LABEL:  util.func public @twice
// INLINE:          tensor.empty
// INLINE:          %[[A:.*]] = linalg.matmul ins(%arg0, %arg1
// INLINE:          %[[B:.*]] = linalg.matmul ins(%[[A]], %arg1
// INLINE:          tensor.collapse_shape %[[B]] {{\[\[}}0, 1]]
// INLINE-NOT:      flow.
util.func public @twice(%a: tensor<4x8xf32>, %b: tensor<8x8xf32>) -> (tensor<32xf32>, tensor<2xf32>) {
  %e = flow.tensor.empty : tensor<2xf32>
  %0 = flow.dispatch.workgroups(%a, %b) : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32> =
      (%x: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x8xf32>>, %y: !iree_tensor_ext.dispatch.tensor<readonly:tensor<8x8xf32>>, %z: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x8xf32>>) {
    %1 = iree_tensor_ext.dispatch.tensor.load %x, offsets = [0, 0], sizes = [4, 8], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x8xf32>> -> tensor<4x8xf32>
    %2 = iree_tensor_ext.dispatch.tensor.load %y, offsets = [0, 0], sizes = [8, 8], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<8x8xf32>> -> tensor<8x8xf32>
    %3 = tensor.empty() : tensor<4x8xf32>
    %4 = linalg.matmul ins(%1, %2 : tensor<4x8xf32>, tensor<8x8xf32>) outs(%3 : tensor<4x8xf32>) -> tensor<4x8xf32>
    iree_tensor_ext.dispatch.tensor.store %4, %z, offsets = [0, 0], sizes = [4, 8], strides = [1, 1] : tensor<4x8xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x8xf32>>
    flow.return
  } count() -> (index, index, index) {
    %i, %j, %k = iree_tensor_ext.dispatch.workgroup_count_from_slice()
    flow.return %i, %j, %k : index, index, index
  }
  %5 = flow.dispatch.workgroups(%0, %b) : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32> =
      (%x: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x8xf32>>, %y: !iree_tensor_ext.dispatch.tensor<readonly:tensor<8x8xf32>>, %z: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x8xf32>>) {
    %1 = iree_tensor_ext.dispatch.tensor.load %x, offsets = [0, 0], sizes = [4, 8], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x8xf32>> -> tensor<4x8xf32>
    %2 = iree_tensor_ext.dispatch.tensor.load %y, offsets = [0, 0], sizes = [8, 8], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<8x8xf32>> -> tensor<8x8xf32>
    %3 = tensor.empty() : tensor<4x8xf32>
    %4 = linalg.matmul ins(%1, %2 : tensor<4x8xf32>, tensor<8x8xf32>) outs(%3 : tensor<4x8xf32>) -> tensor<4x8xf32>
    iree_tensor_ext.dispatch.tensor.store %4, %z, offsets = [0, 0], sizes = [4, 8], strides = [1, 1] : tensor<4x8xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x8xf32>>
    flow.return
  } count() -> (index, index, index) {
    %i, %j, %k = iree_tensor_ext.dispatch.workgroup_count_from_slice()
    flow.return %i, %j, %k : index, index, index
  }
  %6 = flow.tensor.reshape %5 : tensor<4x8xf32> -> tensor<32xf32>
  util.return %6, %e : tensor<32xf32>, tensor<2xf32>
}

// EMPTY-LABEL: @empty
// EMPTY:         %[[E:.*]] = flow.tensor.empty : tensor<4xf32>
// EMPTY:         util.return %[[E]]
util.func public @empty() -> tensor<4xf32> {
  %0 = tensor.empty() : tensor<4xf32>
  util.return %0 : tensor<4xf32>
}
