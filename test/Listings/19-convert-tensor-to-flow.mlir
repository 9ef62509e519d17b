// RUN: npu-opt --split-input-file --pass-pipeline='builtin.module(util.func(npu-dispatch-creation-convert-dispatch-regions-to-workgroups,npu-dispatch-creation-convert-tensor-to-flow))' %s | FileCheck %s --match-full-lines --strict-whitespace

// 19.1 Contiguous rows become transfers, a strided column a dispatch of its own.
// IREE creates these constants with a driver that merges them and moves them up; here that is left to the
// clean-up that follows in the pipeline.
//      CHECK:module {
// CHECK-NEXT:  util.func public @cut(%arg0: tensor<10x6xf32>, %arg1: tensor<10x6xf32>) -> (tensor<10x6xf32>, tensor<10x2xf32>) {
// CHECK-NEXT:    %c3 = arith.constant 3 : index
// CHECK-NEXT:    %c0 = arith.constant 0 : index
// CHECK-NEXT:    %c4 = arith.constant 4 : index
// CHECK-NEXT:    %c6 = arith.constant 6 : index
// CHECK-NEXT:    %0 = flow.tensor.slice %arg0[%c3, %c0 for %c4, %c6] : tensor<10x6xf32> -> tensor<4x6xf32>
// CHECK-NEXT:    %c5 = arith.constant 5 : index
// CHECK-NEXT:    %c0_0 = arith.constant 0 : index
// CHECK-NEXT:    %1 = flow.tensor.update %0, %arg1[%c5, %c0_0] : tensor<4x6xf32> -> %arg1 as tensor<10x6xf32>
// CHECK-NEXT:    %2 = flow.dispatch.workgroups(%arg0) : (tensor<10x6xf32>) -> tensor<10x2xf32> =
// CHECK-NEXT:        (%arg2: !iree_tensor_ext.dispatch.tensor<readonly:tensor<10x6xf32>>, %arg3: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<10x2xf32>>) {
// CHECK-NEXT:      %3 = iree_tensor_ext.dispatch.tensor.load %arg2, offsets = [0, 1], sizes = [10, 2], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<10x6xf32>> -> tensor<10x2xf32>
// CHECK-NEXT:      iree_tensor_ext.dispatch.tensor.store %3, %arg3, offsets = [0, 0], sizes = [10, 2], strides = [1, 1] : tensor<10x2xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<10x2xf32>>
// CHECK-NEXT:      flow.return
// CHECK-NEXT:    }
// CHECK-NEXT:    util.return %1, %2 : tensor<10x6xf32>, tensor<10x2xf32>
// CHECK-NEXT:  }
// CHECK-NEXT:}
util.func public @cut(%arg0: tensor<10x6xf32>, %arg1: tensor<10x6xf32>) -> (tensor<10x6xf32>, tensor<10x2xf32>) {
  %extracted_slice = tensor.extract_slice %arg0[3, 0] [4, 6] [1, 1] : tensor<10x6xf32> to tensor<4x6xf32>
  %inserted_slice = tensor.insert_slice %extracted_slice into %arg1[5, 0] [4, 6] [1, 1] : tensor<4x6xf32> into tensor<10x6xf32>
  %extracted_slice_0 = tensor.extract_slice %arg0[0, 1] [10, 2] [1, 1] : tensor<10x6xf32> to tensor<10x2xf32>
  util.return %inserted_slice, %extracted_slice_0 : tensor<10x6xf32>, tensor<10x2xf32>
}
